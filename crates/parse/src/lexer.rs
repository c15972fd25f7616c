//! Text to tokens, with ANTLR's semantics.
//!
//! The longest match wins, then the rule that stands first; commands run after the match; text that no rule
//! matches is dropped with an error. The work per character is one table read ([`automaton`]); what a match is was
//! looked up when its automaton state was made, so commands are run only where they change the mode. Lines and columns
//! are not counted while lexing: see [`crate::position`].

pub(crate) mod automaton;
mod classes;
pub(crate) mod network;

use crate::error::{Limits, ParseError};
use crate::position::Positions;
use automaton::{Accept, Automaton, LexId, Step};
use network::{LexerNetwork, Outcome, own_type};
use polysmith_grammar::{Command, Grammar, RuleId, TokenType};

/// A token of the input, of any channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its first byte.
    pub start: u32,
    /// The byte behind its last one.
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
    /// The byte behind the character that no rule could take.
    pub end: u32,
}

/// What the lexer made of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexed {
    /// All tokens, of all channels; the last one is the end of the input.
    pub tokens: Vec<Token>,
    /// Errors, in order.
    pub dropped: Vec<Dropped>,
}

/// After so many matches of the empty text at one place, the lexer gives up.
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
enum Fate {
    Token(TokenType),
    Skip,
    More,
}

impl Lexing<'_> {
    /// All tokens of the text.
    pub(crate) fn run(&self, automaton: &mut Automaton) -> Result<Lexed, ParseError> {
        self.run_watched(automaton, |_, _| ())
    }

    /// The same; `before` is told the modes in which each token is begun, and how many there are before it.
    pub(crate) fn run_watched(
        &self,
        automaton: &mut Automaton,
        mut before: impl FnMut(usize, &ModeStack),
    ) -> Result<Lexed, ParseError> {
        let end = self.text.len();
        let mut lexed = Lexed::default();
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
                let fate = match matched {
                    Some(state) => {
                        empty = if to == at { empty + 1 } else { 0 };
                        at = to;
                        match automaton.outcome(state) {
                            Outcome::Token { kind, channel: on } if empty == 0 => {
                                channel = if on == 0 { channel } else { on };
                                Fate::Token(kind)
                            }
                            Outcome::Skip if empty == 0 => Fate::Skip,
                            _ => {
                                let accept = automaton.accept(state).expect("it matched in this state");
                                self.obey(accept, empty, &mut modes, &mut channel, (start, at))?
                            }
                        }
                    }
                    None if at == end => Fate::Token(TokenType::EOF),
                    None => {
                        at = to;
                        lexed.dropped.push(Dropped { start: start as u32, end: to as u32 });
                        Fate::Skip
                    }
                };
                hit_end |= at >= end;
                match fate {
                    Fate::Token(kind) => break kind,
                    Fate::Skip => continue 'token,
                    Fate::More => {}
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

    /// The longest match from a place on: the place behind it and the state that accepts it. If nothing matches, the
    /// place behind the character that no rule could take.
    #[inline]
    fn longest(&self, automaton: &mut Automaton, mode: usize, from: usize) -> (usize, Option<LexId>) {
        let bytes = self.text.as_bytes();
        let start = automaton.start(self.network, mode);
        let (mut state, mut at) = (start.state(), from);
        let (mut best, mut best_at) = (start.accepts().then_some(state), from);
        loop {
            let (step, len) = match bytes.get(at) {
                Some(byte) if byte.is_ascii() => match automaton.ascii[state as usize][usize::from(*byte)] {
                    Step::UNKNOWN => (automaton.step_char(self.network, state, char::from(*byte)), 1),
                    step => (step, 1),
                },
                Some(_) => {
                    let c = self.text[at..].chars().next().expect("a byte starts a character");
                    (automaton.step_char(self.network, state, c), c.len_utf8())
                }
                None => (automaton.step_eof(self.network, state), 0),
            };
            at += len;
            if step == Step::DEAD || (len == 0 && step.state() == state) {
                return if best.is_some() { (best_at, best) } else { (at, None) };
            }
            state = step.state();
            if step.accepts() {
                (best, best_at) = (Some(state), at);
                if len == 0 {
                    return (at, best);
                }
            }
        }
    }

    /// Runs the commands of a match from `place.0` to `place.1`.
    fn obey(
        &self,
        accept: Accept,
        empty: usize,
        modes: &mut ModeStack,
        channel: &mut u32,
        place: (usize, usize),
    ) -> Result<Fate, ParseError> {
        if empty > MAX_EMPTY_MATCHES && place.1 < self.text.len() {
            return Err(self.empty_token(accept.rule, place.1));
        }
        let mut fate = Fate::Token(own_type(self.grammar, accept.rule));
        let Some(alt) = accept.commands else { return Ok(fate) };
        for command in &self.grammar.alternative(alt).commands {
            match *command {
                Command::Skip => fate = Fate::Skip,
                Command::More => fate = Fate::More,
                Command::Type(kind) => fate = Fate::Token(kind),
                Command::Channel(number) => *channel = number,
                Command::Mode(mode) => modes.mode = self.mode(mode.index(), accept.rule)?,
                Command::PushMode(mode) => {
                    let mode = self.mode(mode.index(), accept.rule)?;
                    modes.below.push(std::mem::replace(&mut modes.mode, mode));
                }
                Command::PopMode => {
                    modes.mode = modes.below.pop().ok_or_else(|| {
                        let (line, column) = Positions::new(self.text).human(place.0);
                        let rule = self.grammar.rule(accept.rule).name.clone();
                        ParseError::EmptyModeStack { rule, line, column }
                    })?;
                }
            }
        }
        Ok(fate)
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

fn token(start: usize, end: usize, kind: TokenType, channel: u32) -> Token {
    Token { start: start as u32, end: end as u32, kind, channel }
}
