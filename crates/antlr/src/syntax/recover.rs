//! Syntax errors: where they are reported, and where reading goes on.
//!
//! ANTLR's reader reports the token that it cannot use, with one exception that this file copies: a name in an
//! alternative that is followed by something only a rule header has (`:`, `returns`, `@`…) is reported itself,
//! because a `;` is missing before it.

use super::parse::{Broken, Parser};
use super::token::Kind;
use polysmith_source::Diagnostic;

impl Parser<'_, '_> {
    /// Reports the current token.
    pub(super) fn unexpected(&mut self, wanted: &str) -> &mut Diagnostic {
        let span = self.span();
        let found = self.shown();
        self.report.at(50, span, format!("expected {wanted}, found {found}"))
    }

    /// The current token for a message: its text, cut if it is long.
    fn shown(&self) -> String {
        let token = self.tokens[self.at];
        if token.kind == Kind::End {
            return token.kind.to_string();
        }
        let text = &self.text[token.start as usize..token.end as usize];
        let mut shown: String = text.chars().take(20).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if text.chars().nth(20).is_some() {
            shown.push('…');
        }
        format!("`{shown}`")
    }

    /// Reports that the rule before the current token, which begins another one, was not ended. ANTLR's reader
    /// stops at the token `reported`; people look at the end of the rule.
    pub(super) fn missing_semi(&mut self, reported: usize) -> Broken {
        let span = self.span_of(self.tokens[reported]);
        let name = self.shown();
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let before = before.map(|token| self.span_of(token));
        let message = match self.kind() {
            Kind::End => "the last rule does not end in `;`".to_owned(),
            _ => format!("the rule before {name} does not end in `;`"),
        };
        let problem = self.report.at(50, span, message);
        if let Some(before) = before {
            problem.shown_at(before).label("a `;` is missing after this");
        }
        Broken
    }

    /// Whether a rule's header begins at the current token.
    pub(super) fn at_rule_header(&self) -> bool {
        match self.kind() {
            Kind::Fragment | Kind::Mode | Kind::End => true,
            Kind::TokenRef | Kind::RuleRef => {
                let behind = if self.kind_ahead(1) == Kind::Arguments { 2 } else { 1 };
                matches!(
                    self.kind_ahead(behind),
                    Kind::Colon | Kind::Returns | Kind::Locals | Kind::Throws | Kind::Options | Kind::At
                )
            }
            _ => false,
        }
    }

    /// Goes behind the next `;`, or to the next rule if there is none before it.
    pub(super) fn skip_rule(&mut self) {
        while !self.at_rule_header() {
            let done = self.is(Kind::Semi);
            self.bump();
            if done {
                return;
            }
        }
    }

    /// Goes to something that a rule or mode begins with, at least one token further.
    pub(super) fn skip_to_rule(&mut self) {
        self.bump();
        while !(self.at_rule_header() || self.is(Kind::End)) {
            self.bump();
        }
    }

    /// Leaves a section that could not be read: behind its brace or `;`, or at the next rule.
    pub(super) fn skip_section(&mut self) {
        while !(self.at_rule_header() || self.at_section()) {
            let done = matches!(self.kind(), Kind::RightBrace);
            self.bump();
            if done {
                return;
            }
        }
    }

    fn at_section(&self) -> bool {
        matches!(self.kind(), Kind::Options | Kind::Import | Kind::Tokens | Kind::Channels | Kind::At)
    }

    /// Goes behind the next token of this kind, if it comes before a rule or section.
    pub(super) fn skip_behind(&mut self, kind: Kind) {
        while !(self.at_rule_header() || self.at_section()) {
            let done = self.is(kind);
            self.bump();
            if done {
                return;
            }
        }
    }
}
