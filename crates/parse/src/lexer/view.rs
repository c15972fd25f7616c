//! The lexer of a parser, state by state: for callers that check texts without tokenizing a whole input.

use super::automaton::{Automaton, LexStep};
use super::network::LexerNetwork;
use super::{Lexing, Token};
use crate::error::{Limits, ParseError};
use crate::hooks::Hooks;
use crate::spare::Spare;
use polysmith_grammar::{Grammar, ModeId, RuleId};

/// A state of a lexer mode's automaton. Valid until the parser that made it lexes or parses a text, or forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LexState(u32);

/// The result of following a text from a [`LexState`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LexWalk {
    /// No token rule can match that far.
    Died,
    /// A token rule matches up to some offset in the text.
    Accepts,
    /// Neither so far.
    Alive(LexState),
}

/// The lexer of a parser: [`crate::Parser::lexer`].
#[derive(Debug)]
pub struct LexerView<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) network: &'a LexerNetwork,
    pub(crate) automaton: &'a mut Automaton,
    pub(crate) spare: &'a mut Spare,
    pub(crate) hooks: Option<&'a dyn Hooks>,
}

impl LexerView<'_> {
    /// The state before the first character of a token.
    pub fn start(&mut self, mode: ModeId) -> LexState {
        LexState(self.automaton.start(self.network, mode.index()).state())
    }

    /// The state after one more character; `None` if no token rule can go on.
    pub fn step(&mut self, state: LexState, c: char) -> Option<LexState> {
        let next = self.automaton.step(self.network, state.0, self.network.classes.of(c.into()));
        (next != LexStep::DEAD).then_some(LexState(next.state()))
    }

    /// Follows a text until it is known whether a token rule matches in it.
    #[inline]
    pub fn walk(&mut self, from: LexState, text: &str) -> LexWalk {
        let mut state = from.0;
        for c in text.chars() {
            let class = match u8::try_from(c).ok().and_then(|byte| self.network.classes.of_byte(byte)) {
                Some(class) => class,
                None => self.network.classes.of(c.into()),
            };
            match self.automaton.step(self.network, state, class) {
                LexStep::DEAD => return LexWalk::Died,
                next if next.accepts() => return LexWalk::Accepts,
                next => state = next.state(),
            }
        }
        LexWalk::Alive(LexState(state))
    }

    /// The token rule that matches if the token ends here.
    pub fn accepts(&self, state: LexState) -> Option<RuleId> {
        self.automaton.accept(state.0).map(|accept| accept.rule)
    }

    /// For each token of [`crate::Parser::lex`], a number for the stack of modes in which it begins: two tokens with
    /// the same number are read in the same way, whatever comes before them. With hooks, all numbers differ: what a token
    /// is may depend on every token before it.
    ///
    /// # Errors
    /// Those of [`crate::Parser::lex`].
    pub fn mode_stacks(&mut self, text: &str, limits: &Limits) -> Result<Vec<u32>, ParseError> {
        if let Some(hooks) = self.hooks {
            let lexing = Lexing { grammar: self.grammar, network: self.network, text, limits };
            let lexed = lexing.run_hooked(self.automaton, hooks)?;
            return Ok((0..lexed.tokens.len() as u32).collect());
        }
        let mut known = rustc_hash::FxHashMap::default();
        let mut stacks: Vec<u32> = Vec::new();
        let tokens: Vec<Token> = self.spare.tokens();
        let lexing = Lexing { grammar: self.grammar, network: self.network, text, limits };
        let lexed = lexing.run_watched(self.automaton, tokens, |tokens, stack| {
            let next = known.len() as u32;
            let number = known.get(stack).copied().unwrap_or_else(|| {
                known.insert(stack.clone(), next);
                next
            });
            stacks.truncate(tokens);
            stacks.push(number);
        })?;
        self.spare.keep_tokens(lexed.tokens);
        Ok(stacks)
    }
}
