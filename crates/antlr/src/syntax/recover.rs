//! Syntax errors: where they are reported, and where parsing continues.
//!
//! ANTLR's parser reports the token that it cannot use, with one exception that is reproduced here: a name in an
//! alternative that is followed by something that only a rule header has (`:`, `returns`, `@`…) is reported itself,
//! because a `;` is missing before it.

use super::parse::{Parser, SyntaxError};
use super::token::TokenKind;
use polysmith_source::Diagnostic;

impl Parser<'_, '_> {
    /// Reports the current token.
    pub(super) fn unexpected(&mut self, wanted: &str) -> &mut Diagnostic {
        let span = self.span();
        let found = self.shown();
        self.report.at(50, span, format!("expected {wanted}, found {found}"))
    }

    /// The text of the current token for a message, truncated if it is long.
    fn shown(&self) -> String {
        let token = self.tokens[self.at];
        if token.kind == TokenKind::End {
            return token.kind.to_string();
        }
        let text = &self.text[token.start as usize..token.end as usize];
        let mut shown: String = text.chars().take(20).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if text.chars().nth(20).is_some() {
            shown.push('…');
        }
        format!("`{shown}`")
    }

    /// Reports that the rule before the current token, which begins another one, lacks its `;`. ANTLR's parser stops
    /// at the token `reported`; the location for people is the end of the rule.
    pub(super) fn missing_semi(&mut self, reported: usize) -> SyntaxError {
        let span = self.span_of(self.tokens[reported]);
        let name = self.shown();
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let before = before.map(|token| self.span_of(token));
        let message = match self.kind() {
            TokenKind::End => "the last rule does not end in `;`".to_owned(),
            _ => format!("the rule before {name} does not end in `;`"),
        };
        let problem = self.report.at(50, span, message);
        if let Some(before) = before {
            problem.shown_at(before).label("a `;` is missing after this");
        }
        SyntaxError
    }

    /// Whether a rule's header begins at the current token.
    pub(super) fn at_rule_header(&self) -> bool {
        match self.kind() {
            TokenKind::Fragment | TokenKind::Mode | TokenKind::End => true,
            TokenKind::TokenRef | TokenKind::RuleRef => {
                let next = if self.kind_ahead(1) == TokenKind::Arguments { 2 } else { 1 };
                matches!(
                    self.kind_ahead(next),
                    TokenKind::Colon
                        | TokenKind::Returns
                        | TokenKind::Locals
                        | TokenKind::Throws
                        | TokenKind::Options
                        | TokenKind::At
                )
            }
            _ => false,
        }
    }

    /// Skips past the next `;`, or to the next rule if that comes first.
    pub(super) fn skip_rule(&mut self) {
        while !self.at_rule_header() {
            let done = self.is(TokenKind::Semi);
            self.bump();
            if done {
                return;
            }
        }
    }

    /// Skips at least one token, to the start of a rule or mode.
    pub(super) fn skip_to_rule(&mut self) {
        self.bump();
        while !(self.at_rule_header() || self.is(TokenKind::End)) {
            self.bump();
        }
    }

    /// Skips a section that could not be parsed: past its brace or `;`, or to the next rule.
    pub(super) fn skip_section(&mut self) {
        while !(self.at_rule_header() || self.at_section()) {
            let done = matches!(self.kind(), TokenKind::RightBrace);
            self.bump();
            if done {
                return;
            }
        }
    }

    fn at_section(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Options | TokenKind::Import | TokenKind::Tokens | TokenKind::Channels | TokenKind::At
        )
    }

    /// Skips past the next token of this kind, if it comes before a rule or section.
    pub(super) fn skip_past(&mut self, kind: TokenKind) {
        while !(self.at_rule_header() || self.at_section()) {
            let done = self.is(kind);
            self.bump();
            if done {
                return;
            }
        }
    }
}
