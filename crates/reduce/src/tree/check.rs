//! Whether a candidate is in the language, found out near the change.
//!
//! Two things can go wrong. Tokens that come together may be read as one: the lexer's automaton is run over the left
//! one, and if it could go on with the right one a blank is put between them (if the language skips blanks; else the
//! candidate is dropped). And the rule around the change may not parse any more, because the parser's decisions know
//! more than the shape of a grammar: its tokens are parsed again, by their types. A rule of more than
//! [`LOCAL_TOKENS`] tokens is trusted: there the shape has to be enough.

use std::ops::Range;

use polysmith_grammar::{ModeId, RuleId, RuleKind, TokenType};
use polysmith_parse::Parser;

use super::Language;

/// Rules with more tokens than this are not parsed again for one candidate.
pub(crate) const LOCAL_TOKENS: usize = 4096;

/// How candidates of one text are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Near the change.
    Local,
    /// The whole text, which may have so many errors.
    Whole { errors: usize },
}

/// Whether two neighbours stay two tokens, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// As they are.
    Fits,
    /// With a blank between them.
    Blank,
    /// Not at all.
    Never,
}

pub(crate) struct Checker<'a> {
    language: &'a Language,
    pub(crate) depth: Depth,
    blanks_are_skipped: bool,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(language: &'a Language, errors: usize) -> Checker<'a> {
        let modes = language.grammar.lexer().modes.len();
        let depth = if modes > 1 || errors > 0 { Depth::Whole { errors } } else { Depth::Local };
        let lexed = language.parser().lex(" ", &language.limits);
        let blanks_are_skipped = lexed.is_ok_and(|lexed| {
            lexed.dropped.is_empty()
                && lexed.tokens.iter().all(|t| t.kind == TokenType::EOF || t.channel != 0)
        });
        Checker { language, depth, blanks_are_skipped }
    }

    /// What happens when `right` comes directly behind `left`.
    pub(crate) fn joint(&self, left: &str, kind: TokenType, right: &str) -> Joint {
        let Some(next) = right.chars().next() else { return Joint::Fits };
        if !self.could_go_on(left, kind, next) {
            Joint::Fits
        } else if self.blanks_are_skipped {
            Joint::Blank
        } else {
            Joint::Never
        }
    }

    /// Whether the lexer, having read a token, could read on: in the first mode in which that is its type. A token
    /// that no mode reads this way could be anything.
    fn could_go_on(&self, left: &str, kind: TokenType, next: char) -> bool {
        let mut parser = self.language.parser();
        for mode in 0..self.language.grammar.lexer().modes.len() {
            let mut state = parser.lex_start(ModeId::new(mode));
            let mut alive = true;
            for c in left.chars() {
                match parser.lex_step(state, c) {
                    Some(to) => state = to,
                    None => {
                        alive = false;
                        break;
                    }
                }
            }
            if alive && self.reads(&parser, state, kind) {
                return parser.lex_step(state, next).is_some();
            }
        }
        true
    }

    fn reads(&self, parser: &Parser, state: polysmith_parse::LexState, kind: TokenType) -> bool {
        parser.lex_accepts(state).is_some_and(|rule| {
            matches!(self.language.grammar.rule(rule).kind, RuleKind::Token { token, .. } if token == Some(kind))
        })
    }

    /// Whether these token types are a text of a rule.
    pub(crate) fn parses(&self, rule: RuleId, types: &[TokenType]) -> bool {
        if types.len() > LOCAL_TOKENS {
            self.language.count(|counts| counts.trusted += 1);
            return true;
        }
        let parsed = self.language.parser().parse_types(rule, types, &self.language.limits);
        matches!(parsed, Ok(Some(_)))
    }

    /// Whether a whole text has no more errors than allowed.
    pub(crate) fn parses_whole(&self, text: &[u8], errors: usize) -> bool {
        let Ok(text) = std::str::from_utf8(text) else { return false };
        let parsed = self.language.parser().parse(self.language.start, text, &self.language.limits);
        parsed.is_ok_and(|parsed| parsed.errors.len() <= errors)
    }
}

/// The ranges of a node without those of a part of it.
pub(crate) fn around(all: &Range<u32>, kept: &Range<u32>) -> Vec<Range<u32>> {
    [all.start..kept.start, kept.end..all.end].into_iter().filter(|range| !range.is_empty()).collect()
}
