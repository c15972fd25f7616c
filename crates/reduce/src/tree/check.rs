//! What the parser and the lexer say about tokens: whether two may stand side by side, whether some are a text of a
//! rule.

use polysmith_grammar::{ModeId, RuleId, RuleKind, TokenType};
use polysmith_parse::Parser;

use super::Language;

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
    blanks_are_skipped: bool,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(language: &'a Language) -> Checker<'a> {
        let lexed = language.parser().lex(" ", &language.limits);
        let blanks_are_skipped = lexed.is_ok_and(|lexed| {
            lexed.dropped.is_empty()
                && lexed.tokens.iter().all(|t| t.kind == TokenType::EOF || t.channel != 0)
        });
        Checker { language, blanks_are_skipped }
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
            let mut state = parser.lexer().start(ModeId::new(mode));
            let mut alive = true;
            for c in left.chars() {
                match parser.lexer().step(state, c) {
                    Some(to) => state = to,
                    None => {
                        alive = false;
                        break;
                    }
                }
            }
            if alive && self.reads(&mut parser, state, kind) {
                return parser.lexer().step(state, next).is_some();
            }
        }
        true
    }

    fn reads(&self, parser: &mut Parser, state: polysmith_parse::LexState, kind: TokenType) -> bool {
        parser.lexer().accepts(state).is_some_and(|rule| {
            matches!(self.language.grammar.rule(rule).kind, RuleKind::Token { token, .. } if token == Some(kind))
        })
    }

    /// Whether a text is hidden up to a place, and from there on one token of a type.
    pub(crate) fn reads_as(&self, text: &str, start: usize, kind: TokenType) -> bool {
        let Ok(lexed) = self.language.parser().lex(text, &self.language.limits) else { return false };
        let mut visible = lexed.tokens.iter().filter(|token| token.channel == 0);
        let token = visible.next();
        token.is_some_and(|token| {
            (token.start as usize, token.end as usize, token.kind) == (start, text.len(), kind)
        })
    }

    /// Whether these token types are a text of a rule.
    pub(crate) fn parses(&self, rule: RuleId, types: &[TokenType]) -> bool {
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
