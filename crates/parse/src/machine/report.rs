//! Errors as ANTLR words them.

use super::{Failure, Machine};
use crate::names::quoted;
use crate::types::TypeSet;
use polysmith_grammar::{CodeId, CodeKind, RuleId, TokenType};

/// A mistake in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Who found it.
    pub kind: ErrorKind,
    /// The first byte of the token.
    pub start: usize,
    /// The offset after it.
    pub end: usize,
    /// ANTLR's message.
    pub message: String,
}

/// Who found a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// No token rule matched.
    Lexer,
    /// The tokens do not fit the rules.
    Parser,
    /// Something is left over after the start rule.
    Trailing,
}

impl ErrorKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Lexer => "lexer",
            ErrorKind::Parser => "parser",
            ErrorKind::Trailing => "trailing",
        }
    }
}

/// An error of the parser, with what it had read when it reported the error.
pub(crate) struct ReportedError {
    pub(crate) error: SyntaxError,
    /// The last visible token that the parser had looked at.
    pub(crate) looked: usize,
}

impl Machine<'_> {
    /// Says why a rule failed, unless another error was reported just before.
    pub(super) fn report_failure(&mut self, failure: &Failure) {
        if self.recovery.recovering {
            return;
        }
        self.recovery.recovering = true;
        match failure {
            Failure::NoViable { start, offending } => {
                let text = self.text_between(*start, *offending);
                self.report(*offending, format!("no viable alternative at input {}", quoted(&text)));
            }
            Failure::Mismatch { remembered } => {
                let expected = self.expected_of_mismatch(*remembered);
                let expected = self.compiled.names.show_set(&expected);
                let shown = self.shown(self.at);
                self.report(self.at, format!("mismatched input {shown} expecting {expected}"));
            }
            Failure::Predicate(code) => {
                let message = self.failed_predicate(*code);
                self.report(self.at, message);
            }
            Failure::Precedence(precedence) => {
                let text = format!("failed predicate: {{precpred(_ctx, {precedence})}}?");
                let message = self.in_rule(&text);
                self.report(self.at, message);
            }
            Failure::Stopped(_) => {}
        }
    }

    pub(super) fn report_unwanted(&mut self, expected: &TypeSet) {
        if std::mem::replace(&mut self.recovery.recovering, true) {
            return;
        }
        let expected = self.compiled.names.show_set(expected);
        let shown = self.shown(self.at);
        self.report(self.at, format!("extraneous input {shown} expecting {expected}"));
    }

    pub(super) fn report_missing(&mut self, expected: &TypeSet) {
        if std::mem::replace(&mut self.recovery.recovering, true) {
            return;
        }
        let expected = self.compiled.names.show_set(expected);
        let shown = self.shown(self.at);
        self.report(self.at, format!("missing {expected} at {shown}"));
    }

    fn report(&mut self, at: usize, message: String) {
        let token = self.input.lexed.tokens[self.input.visible[at] as usize];
        let (start, end) = (token.start as usize, token.end as usize);
        let error = SyntaxError { kind: ErrorKind::Parser, start, end, message };
        self.errors.push(ReportedError { error, looked: self.looked.max(self.at) });
    }

    fn failed_predicate(&self, code: CodeId) -> String {
        let code = self.compiled.grammar.code(code);
        match &code.kind {
            CodeKind::Predicate { fail: Some(message), .. } => self.in_rule(message),
            _ => self.in_rule(&format!("failed predicate: {{{}}}?", code.text)),
        }
    }

    fn in_rule(&self, what: &str) -> String {
        let rule = RuleId::new(self.compiled.network.state(self.state).rule as usize);
        format!("rule {} {what}", self.compiled.grammar.rule(rule).name)
    }

    /// The text of a token of the parser's channel, in quotes.
    fn shown(&self, at: usize) -> String {
        quoted(self.text_of(self.input.visible[at] as usize))
    }

    fn text_of(&self, index: usize) -> &str {
        let token = self.input.lexed.tokens[index];
        if let Some(shown) = self.input.lexed.inserted_text(index) {
            return shown;
        }
        if token.start as usize >= self.input.text.len() {
            return "<EOF>";
        }
        &self.input.text[token.start as usize..token.end as usize]
    }

    /// The texts of all tokens in a range, hidden ones too.
    fn text_between(&self, start: usize, end: usize) -> String {
        let (first, last) = (self.input.visible[start] as usize, self.input.visible[end] as usize);
        let tokens = &self.input.lexed.tokens;
        if tokens[first].kind == TokenType::EOF {
            return "<EOF>".into();
        }
        let until_end = (first..=last).take_while(|index| tokens[*index].kind != TokenType::EOF);
        until_end.map(|index| self.text_of(index)).collect()
    }
}
