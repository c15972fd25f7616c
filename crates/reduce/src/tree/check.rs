//! What the parser and the lexer say about tokens: whether two may stand side by side, whether some are a text of a
//! rule.

use polysmith_grammar::{ModeId, RuleId, RuleKind, TokenType};

use polysmith_parse::{Limits, Parsed, Parser};

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

impl Language {
    /// What happens when `right` comes directly after `left`.
    pub(crate) fn joint(&mut self, left: &str, kind: TokenType, right: &str) -> Joint {
        let Some(next) = right.chars().next() else { return Joint::Fits };
        if !self.could_go_on(left, kind, next) {
            Joint::Fits
        } else if self.syntax.blanks_are_skipped {
            Joint::Blank
        } else {
            Joint::Never
        }
    }

    /// Whether the lexer, having read a token, could read on: in the first mode in which that is its type. A token
    /// that no mode reads this way could be anything.
    fn could_go_on(&mut self, left: &str, kind: TokenType, next: char) -> bool {
        for mode in 0..self.syntax.grammar.lexer().modes.len() {
            let mut state = self.parser.lexer().start(ModeId::new(mode));
            let mut alive = true;
            for c in left.chars() {
                match self.parser.lexer().step(state, c) {
                    Some(to) => state = to,
                    None => {
                        alive = false;
                        break;
                    }
                }
            }
            if alive && self.reads(state, kind) {
                return self.parser.lexer().step(state, next).is_some();
            }
        }
        true
    }

    fn reads(&mut self, state: polysmith_parse::LexState, kind: TokenType) -> bool {
        self.parser.lexer().accepts(state).is_some_and(|rule| {
            matches!(self.syntax.grammar.rule(rule).kind, RuleKind::Token { token, .. } if token == Some(kind))
        })
    }

    /// Whether a text is hidden up to a place, and from there on one token of a type.
    pub(crate) fn reads_as(&mut self, text: &str, start: usize, kind: TokenType) -> bool {
        let Ok(lexed) = self.parser.lex(text, &self.syntax.limits) else { return false };
        let mut visible = lexed.tokens.iter().filter(|token| token.channel == 0);
        let token = visible.next();
        token.is_some_and(|token| {
            (token.start as usize, token.end as usize, token.kind) == (start, text.len(), kind)
        })
    }

    /// Whether these token types are a text of a rule.
    pub(crate) fn parses(&mut self, rule: RuleId, types: &[TokenType]) -> bool {
        matches!(self.parser.parse_types(rule, types, &self.syntax.limits), Ok(Some(_)))
    }

    /// Parses a whole text.
    pub(crate) fn parse<'t>(&mut self, text: &'t [u8]) -> Result<(&'t str, Parsed), String> {
        let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
        let parsed = self.parser.parse(self.syntax.start, text, &self.syntax.limits);
        parsed.map(|parsed| (text, parsed)).map_err(|error| error.to_string())
    }

    /// The errors of a whole text; `None` if it cannot be parsed at all.
    pub(crate) fn errors_of(&mut self, text: &[u8]) -> Option<usize> {
        self.parse(text).ok().map(|(_, parsed)| parsed.errors.len())
    }
}

/// Whether a lexer skips blanks, so that they can keep tokens apart.
pub(crate) fn skips_blanks(parser: &mut Parser, limits: &Limits) -> bool {
    parser.lex(" ", limits).is_ok_and(|lexed| {
        lexed.dropped.is_empty() && lexed.tokens.iter().all(|t| t.kind == TokenType::EOF || t.channel != 0)
    })
}
