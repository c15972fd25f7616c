//! Text to tokens, with ANTLR's semantics.
//!
//! The longest match wins, then the rule that is written first; commands run after the match; text that no rule
//! matches is dropped with an error. The work per character is one table read ([`automaton`]); what a match is was
//! looked up when its automaton state was made, so commands are run only where they change the mode. Lines and columns
//! are not counted while lexing: see [`crate::position`].

mod actions;
mod asked;
pub(crate) mod automaton;
mod classes;
mod hooked;
pub(crate) mod network;
mod rewrite;
mod view;

use crate::error::{Limits, ParseError};
use crate::hooks::TokenView;
use crate::position::Positions;
use automaton::{Accept, Automaton, LexId, LexStep};
use network::{LexerNetwork, MatchEffect, own_type};
use polysmith_grammar::{AltId, Command, Grammar, RuleId, TokenType};
use std::sync::Arc;
pub use view::{LexState, LexWalk, LexerView};

/// A token of the input, of any channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
    /// Its type; [`TokenType::EOF`] for the last token.
    pub kind: TokenType,
    /// Its channel; the parser sees channel 0.
    pub channel: u32,
}

/// Text that no token rule matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// The first byte of the token that was begun.
    pub start: u32,
    /// The offset after the character that no rule could take.
    pub end: u32,
}

/// What the lexer made of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexed {
    /// All tokens, of all channels; the last one is the end of the input.
    pub tokens: Vec<Token>,
    /// Errors, in order.
    pub dropped: Vec<Dropped>,
    /// Tokens without text that hooks inserted, by their place in `tokens`, and how they are shown.
    pub inserted: Vec<(u32, Arc<str>)>,
    /// Errors that hooks reported.
    pub reported: Vec<ReportedError>,
}

/// An error that a hook of the lexer reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedError {
    /// The first byte of the token.
    pub start: u32,
    /// The offset after it.
    pub end: u32,
    /// The message.
    pub message: String,
}

impl Lexed {
    /// How a token without text is shown, if hooks inserted it.
    pub fn inserted_text(&self, index: usize) -> Option<&str> {
        let at = self.inserted.binary_search_by_key(&index, |(place, _)| *place as usize).ok()?;
        Some(&self.inserted[at].1)
    }

    /// A token with its text.
    pub(crate) fn view<'a>(&'a self, text: &'a str, index: usize) -> Option<TokenView<'a>> {
        let token = *self.tokens.get(index)?;
        let text = match self.inserted_text(index) {
            Some(shown) => shown,
            None if token.kind == TokenType::EOF => "<EOF>",
            None => &text[token.start as usize..token.end as usize],
        };
        Some(TokenView::new(token, text, index))
    }
}

/// The lexer gives up after this many matches of the empty text at one offset: it would never end.
const MAX_EMPTY_MATCHES: usize = 64;

/// What a lexer needs besides its automata.
pub(crate) struct Lexing<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) network: &'a LexerNetwork,
    pub(crate) text: &'a str,
    pub(crate) limits: &'a Limits,
}

/// What becomes of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matched {
    Token(TokenType),
    Skip,
    More,
}

impl Lexing<'_> {
    /// All tokens of the text, in a vector that has none yet.
    pub(crate) fn run(&self, automaton: &mut Automaton, tokens: Vec<Token>) -> Result<Lexed, ParseError> {
        self.run_watched(automaton, tokens, |_, _| ())
    }

    /// The same. Calls `before` at each token, with the number of tokens before it and the modes in which it begins.
    pub(crate) fn run_watched(
        &self,
        automaton: &mut Automaton,
        tokens: Vec<Token>,
        mut before: impl FnMut(usize, &ModeStack),
    ) -> Result<Lexed, ParseError> {
        let end = self.text.len();
        let mut lexed = Lexed { tokens, ..Lexed::default() };
        lexed.tokens.reserve(end / 6);
        let mut modes = ModeStack { mode: 0, below: Vec::new() };
        let (mut at, mut hit_end, mut empty) = (0, false, 0);
        'token: loop {
            automaton.forget_beyond(self.limits.max_memory, self.network);
            let start = at;
            before(lexed.tokens.len(), &modes);
            if hit_end {
                lexed.tokens.push(token(start, end, TokenType::EOF, 0));
                return Ok(lexed);
            }
            let mut channel = 0;
            let kind = loop {
                let (to, matched) = self.longest(automaton, modes.mode, at);
                let becomes = match matched {
                    Some(state) => {
                        empty = if to == at { empty + 1 } else { 0 };
                        at = to;
                        match automaton.effect(state) {
                            MatchEffect::Token { kind, channel: on } if empty == 0 => {
                                channel = if on == 0 { channel } else { on };
                                Matched::Token(kind)
                            }
                            MatchEffect::Skip if empty == 0 => Matched::Skip,
                            _ => {
                                let accept = automaton.accept(state).expect("it matched in this state");
                                self.run_commands(accept, empty, &mut modes, &mut channel, (start, at))?
                            }
                        }
                    }
                    None if at == end => Matched::Token(TokenType::EOF),
                    None => {
                        at = to;
                        lexed.dropped.push(Dropped { start: start as u32, end: to as u32 });
                        Matched::Skip
                    }
                };
                hit_end |= at >= end;
                match becomes {
                    Matched::Token(kind) => break kind,
                    Matched::Skip => continue 'token,
                    Matched::More => {}
                }
            };
            if lexed.tokens.len() >= self.limits.max_tokens {
                return Err(ParseError::Tokens { limit: self.limits.max_tokens });
            }
            lexed.tokens.push(token(start, at, kind, channel));
            if kind == TokenType::EOF {
                return Ok(lexed);
            }
        }
    }

    /// The longest match from an offset on: the offset after it and the state that accepts it. If nothing matches, the
    /// offset after the character that no rule could take.
    #[inline(always)]
    fn longest(&self, automaton: &mut Automaton, mode: usize, from: usize) -> (usize, Option<LexId>) {
        let bytes = self.text.as_bytes();
        let mut step = automaton.start(self.network, mode);
        let mut at = from;
        let mut best = (0, NO_MATCH);
        loop {
            if step.stops() {
                return if step == LexStep::DEAD { found(best, at) } else { (at, Some(step.state())) };
            }
            best = if step.accepts() { (at, step.state()) } else { best };
            let Some(byte) = bytes.get(at) else {
                let at_end = self.longest_at_end(automaton, step.state());
                return at_end.map_or_else(|| found(best, at), |state| (at, Some(state)));
            };
            let (class, len) = match self.network.classes.of_byte(*byte) {
                Some(class) => (class, 1),
                None => self.wide_class(at),
            };
            at += len;
            let state = step.state();
            step = automaton.known_step(state, class);
            if step == LexStep::UNKNOWN {
                step = automaton.step(self.network, state, class);
            }
        }
    }

    /// The class of a character that is not ASCII, and its length in bytes.
    fn wide_class(&self, at: usize) -> (usize, usize) {
        let c = self.text[at..].chars().next().expect("a byte starts a character");
        (self.network.classes.of(c.into()), c.len_utf8())
    }

    /// The match that needs the end of the input, which a rule can ask for as often as it likes.
    #[cold]
    fn longest_at_end(&self, automaton: &mut Automaton, mut state: LexId) -> Option<LexId> {
        loop {
            let step = automaton.step(self.network, state, automaton.end_of_input());
            if step == LexStep::DEAD || step.state() == state {
                return None;
            }
            state = step.state();
            if step.accepts() {
                return Some(state);
            }
        }
    }

    /// Runs the commands of a match from `place.0` to `place.1`.
    fn run_commands(
        &self,
        accept: Accept,
        empty: usize,
        modes: &mut ModeStack,
        channel: &mut u32,
        place: (usize, usize),
    ) -> Result<Matched, ParseError> {
        if empty > MAX_EMPTY_MATCHES && place.1 < self.text.len() {
            return Err(self.empty_token(accept.rule, place.1));
        }
        let mut becomes = Matched::Token(own_type(self.grammar, accept.rule));
        if let Some(alt) = accept.commands {
            self.run_alternative(accept.rule, alt, (modes, channel, &mut becomes), place.0)?;
        }
        Ok(becomes)
    }

    /// Runs the commands of an alternative of a rule, whose match began at `start`.
    fn run_alternative(
        &self,
        rule: RuleId,
        alt: AltId,
        (modes, channel, becomes): (&mut ModeStack, &mut u32, &mut Matched),
        start: usize,
    ) -> Result<(), ParseError> {
        for command in &self.grammar.alternative(alt).commands {
            match *command {
                Command::Skip => *becomes = Matched::Skip,
                Command::More => *becomes = Matched::More,
                Command::Type(kind) => *becomes = Matched::Token(kind),
                Command::Channel(number) => *channel = number,
                Command::Mode(mode) => modes.mode = self.mode(mode.index(), rule)?,
                Command::PushMode(mode) => {
                    let mode = self.mode(mode.index(), rule)?;
                    modes.below.push(std::mem::replace(&mut modes.mode, mode));
                }
                Command::PopMode => {
                    modes.mode = modes.below.pop().ok_or_else(|| {
                        let (line, column) = Positions::new(self.text).human(start);
                        let rule = self.grammar.rule(rule).name.clone();
                        ParseError::EmptyModeStack { rule, line, column }
                    })?;
                }
            }
        }
        Ok(())
    }

    fn mode(&self, mode: usize, rule: RuleId) -> Result<usize, ParseError> {
        if mode < self.network.modes.len() {
            return Ok(mode);
        }
        Err(ParseError::NoSuchMode { rule: self.grammar.rule(rule).name.clone(), mode })
    }

    fn empty_token(&self, rule: RuleId, at: usize) -> ParseError {
        let (line, column) = Positions::new(self.text).human(at);
        ParseError::EmptyToken { rule: self.grammar.rule(rule).name.clone(), line, column }
    }
}

/// The mode of the lexer, and those that it comes back to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ModeStack {
    mode: usize,
    below: Vec<usize>,
}

impl ModeStack {
    /// The modes, the innermost first.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.mode).chain(self.below.iter().rev().copied())
    }
}

/// No state: nothing has matched yet.
const NO_MATCH: LexId = LexId::MAX;

/// A match that a walk has passed, or the place where it ended without one.
#[inline(always)]
fn found((after, state): (usize, LexId), at: usize) -> (usize, Option<LexId>) {
    if state == NO_MATCH { (at, None) } else { (after, Some(state)) }
}

fn token(start: usize, end: usize, kind: TokenType, channel: u32) -> Token {
    Token { start: start as u32, end: end as u32, kind, channel }
}
