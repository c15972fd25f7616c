//! What hooks of a parser can see: tokens around the place, and the open rules.

use crate::compiled::Compiled;
use crate::lexer::Token;
use crate::machine::{Input, RuleFrame};
use crate::network::StateId;
use crate::position::Positions;
use polysmith_grammar::{Grammar, RuleId, TokenType};

/// The place of the parser, read-only.
#[derive(Clone, Copy)]
pub struct ParserView<'a> {
    pub(crate) compiled: &'a Compiled,
    pub(crate) input: Input<'a>,
    /// Place of the token ahead, on the parser's channel.
    pub(crate) at: usize,
    pub(crate) frames: &'a [RuleFrame],
    /// The state of the network, which belongs to the innermost rule.
    pub(crate) state: StateId,
}

/// A token of any channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenView<'a> {
    /// Its type.
    pub kind: TokenType,
    /// Its channel.
    pub channel: u32,
    /// Its text; `<EOF>` at the end of the input.
    pub text: &'a str,
    /// Its place among the tokens of all channels.
    pub index: usize,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
}

impl<'a> TokenView<'a> {
    pub(crate) fn new(token: Token, text: &'a str, index: usize) -> TokenView<'a> {
        let (start, end) = (token.start as usize, token.end as usize);
        TokenView { kind: token.kind, channel: token.channel, text, index, start, end }
    }
}

impl<'a> ParserView<'a> {
    /// The grammar.
    pub fn grammar(&self) -> &'a Grammar {
        &self.compiled.grammar
    }

    /// The `k`-th token ahead on the parser's channel (1 is the next one), or the `-k`-th that was consumed. Beyond the
    /// end it is the end of the input. `None` for 0 and before the beginning.
    pub fn lt(&self, k: i64) -> Option<TokenView<'a>> {
        let ahead = if k > 0 { k - 1 } else { k };
        let place = i64::try_from(self.at).ok()?.checked_add(ahead)?;
        let place = usize::try_from(place).ok().filter(|_| k != 0)?;
        let index = self.input.visible[place.min(self.input.visible.len() - 1)];
        self.raw(i64::from(index))
    }

    /// A token by its place among the tokens of all channels.
    pub fn raw(&self, index: i64) -> Option<TokenView<'a>> {
        self.input.lexed.view(self.input.text, usize::try_from(index).ok()?)
    }

    /// The open rule: 0 is the innermost one, 1 its caller.
    pub fn rule(&self, up: usize) -> Option<RuleId> {
        let state = match up {
            0 => self.state,
            _ if up < self.frames.len() => self.frames[self.frames.len() - up].follow,
            _ => return None,
        };
        Some(RuleId::new(self.compiled.network.state(state).rule as usize))
    }

    /// Line from 1 and column from 0 of a byte, as ANTLR counts. Takes time in the length of the text.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        Positions::new(self.input.text).antlr(byte)
    }
}

impl std::fmt::Debug for ParserView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParserView").field("at", &self.at).field("ahead", &self.lt(1)).finish_non_exhaustive()
    }
}
