//! What hooks of a lexer can see, and what they can do.

use crate::hooks::TokenView;
use crate::lexer::{Lexed, ModeStack, Token};
use crate::position::Positions;
use polysmith_grammar::{Grammar, ModeId, TokenType};

/// The place of the lexer, read-only: inside a match, or after a token.
#[derive(Clone, Copy)]
pub struct MatchView<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) text: &'a str,
    /// The first byte of the token.
    pub(crate) start: usize,
    /// The byte after what was matched so far.
    pub(crate) at: usize,
    pub(crate) lexed: &'a Lexed,
    pub(crate) modes: &'a ModeStack,
    /// The token that was matched: in [`super::Hooks::token`] only.
    pub(crate) token: Option<Token>,
}

/// The tokens of a text, read-only, at one of them.
#[derive(Clone, Copy)]
pub struct StreamView<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) text: &'a str,
    pub(crate) raw: &'a Lexed,
    pub(crate) at: usize,
    /// The tokens that were made so far.
    pub(crate) made: &'a Lexed,
}

/// What a hook of a lexer does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LexerEffect {
    /// Gives the token another type.
    Type(TokenType),
    /// Puts the token on a channel.
    Channel(u32),
    /// Drops the token.
    Skip,
    /// Goes on with the same token.
    More,
    /// Changes the mode.
    Mode(ModeId),
    /// Changes the mode, and comes back at [`LexerEffect::PopMode`].
    PushMode(ModeId),
    /// Goes back to the mode before the last push. It is an error if there is none.
    PopMode,
    /// Takes this many characters more into the token.
    Consume(usize),
    /// Gives this many characters of the token back.
    GiveBack(usize),
    /// Inserts a token before this one, with the first characters of it.
    Before(InsertedToken),
    /// Inserts a token after this one, with the last characters of it.
    After(InsertedToken),
    /// Reports an error at the token.
    Error(String),
}

/// A token that a hook inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsertedToken {
    /// Its type.
    pub kind: TokenType,
    /// Its channel.
    pub channel: u32,
    /// The number of characters that it takes from its neighbour. Without any it has no text, and is shown by its name.
    pub characters: usize,
}

/// The next state, and what to do.
#[derive(Debug, Clone, Default)]
pub struct LexerOutcome {
    /// The state after the hook.
    pub state: polysmith_value::Value,
    /// What it does, in order.
    pub effects: Vec<LexerEffect>,
}

impl<'a> MatchView<'a> {
    /// The grammar.
    pub fn grammar(&self) -> &'a Grammar {
        self.grammar
    }

    /// The `k`-th character ahead (1 is the next one), or the `-k`-th before. `None` for 0 and outside of the input.
    pub fn la(&self, k: i64) -> Option<char> {
        let distance = usize::try_from(k.unsigned_abs()).ok()?.checked_sub(1)?;
        match k > 0 {
            true => self.text[self.at..].chars().nth(distance),
            false => self.text[..self.at].chars().rev().nth(distance),
        }
    }

    /// The text ahead.
    pub fn ahead(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The text that was matched so far.
    pub fn matched(&self) -> &'a str {
        &self.text[self.start..self.at]
    }

    /// The byte after what was matched so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Line from 1 and column from 0 of the place, as ANTLR counts. Takes time in the length of the text.
    pub fn position(&self) -> (usize, usize) {
        Positions::new(self.text).antlr(self.at)
    }

    /// The `k`-th last token of the default channel; 1 is the last one.
    pub fn previous(&self, k: usize) -> Option<TokenView<'a>> {
        previous(self.lexed, self.text, k)
    }

    /// The names of the modes, the innermost first.
    pub fn modes(&self) -> Vec<&'a str> {
        let modes = &self.grammar.lexer().modes;
        self.modes.all().filter_map(|mode| modes.get(mode)).map(|mode| mode.name.as_str()).collect()
    }

    /// The token that was matched, in [`super::Hooks::token`].
    pub fn token(&self) -> Option<TokenView<'a>> {
        let token = self.token?;
        let text = &self.text[token.start as usize..token.end as usize];
        Some(TokenView::new(token, text, self.lexed.tokens.len()))
    }
}

impl<'a> StreamView<'a> {
    /// The grammar.
    pub fn grammar(&self) -> &'a Grammar {
        self.grammar
    }

    /// A token near this one, of any channel: 0 is this one, 1 the next, -1 the one before. The tokens are those of the
    /// lexer, without changes by [`super::Hooks::stream`].
    pub fn raw(&self, distance: i64) -> Option<TokenView<'a>> {
        let index = usize::try_from(i64::try_from(self.at).ok()?.checked_add(distance)?).ok()?;
        self.raw.view(self.text, index)
    }

    /// The `k`-th last token of the default channel among those that were made so far, inserted ones too.
    pub fn previous(&self, k: usize) -> Option<TokenView<'a>> {
        previous(self.made, self.text, k)
    }

    /// Line from 1 and column from 0 of a byte, as ANTLR counts. Takes time in the length of the text.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        Positions::new(self.text).antlr(byte)
    }
}

fn previous<'a>(lexed: &'a Lexed, text: &'a str, k: usize) -> Option<TokenView<'a>> {
    let visible = lexed.tokens.iter().enumerate().rev().filter(|(_, token)| token.channel == 0);
    let (index, _) = visible.clone().nth(k.checked_sub(1)?)?;
    lexed.view(text, index)
}

impl std::fmt::Debug for MatchView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MatchView").field("matched", &self.matched()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StreamView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StreamView").field("at", &self.at).finish_non_exhaustive()
    }
}
