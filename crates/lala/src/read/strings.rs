//! Parses what is between quotes: plain strings, regular expressions, templates.
//!
//! A line break between quotes, with the spaces after it, is ignored, so that a long template can be written on
//! several lines; `\n` denotes a line break.

use super::lex::{Piece, StringMode, TokenKind};
use super::parser::{Parser, is_symbol};
use crate::codes;
use crate::syntax::{Child, Template, TemplatePart, Text};
use polysmith_attributes::layout;

/// How the escapes of a plain string are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Replaced by their meaning.
    Replaced,
    /// Kept, except `\"`: a regular expression has its own escapes.
    Kept,
}

impl Parser<'_> {
    /// Parses a plain string. The next token is its quote.
    pub(crate) fn string(&mut self, escapes: Escapes) -> Text {
        let start = self.next.start;
        let mut text = String::new();
        loop {
            let at = self.lexer.at();
            match self.lexer.piece(StringMode::Plain) {
                Piece::Text(c) => text.push(c),
                Piece::Escape('"') => text.push('"'),
                Piece::Escape(c) if escapes == Escapes::Kept => text.extend(['\\', c]),
                Piece::Escape(c) => match escaped(c) {
                    Some(c) => text.push(c),
                    None => {
                        self.unknown_escape(at, c, "`\\n`, `\\t`, `\\+`, `\\-`, `\\\\`, `\\\"`, `\\$`, `\\#`")
                    }
                },
                Piece::LineBreak | Piece::Child | Piece::Command => {}
                Piece::Quote => break,
                Piece::End => {
                    self.unterminated(start);
                    break;
                }
            }
        }
        self.after_string();
        Text { text, span: self.span_from(start) }
    }

    /// Parses a template. The next token is its quote.
    pub(crate) fn template(&mut self) -> Template {
        let start = self.next.start;
        let mut parts = Vec::new();
        loop {
            let at = self.lexer.at();
            match self.lexer.piece(StringMode::Template) {
                Piece::Text(c) => push_char(&mut parts, c),
                Piece::Escape('n') => parts.push(TemplatePart::Line),
                Piece::Escape('+') => parts.push(TemplatePart::Indent),
                Piece::Escape('-') => parts.push(TemplatePart::Unindent),
                Piece::Escape('t') => push_char(&mut parts, '\t'),
                Piece::Escape(c @ ('"' | '$' | '#' | '\\')) => push_char(&mut parts, c),
                Piece::Escape('(') => {
                    if !self.parenthesized_child(at, &mut parts) {
                        break;
                    }
                }
                Piece::Escape(c) => {
                    let known =
                        "`\\n`, `\\+`, `\\-`, `\\t`, `\\\\`, `\\\"`, `\\$`, `\\#`, `\\(${child : Class}\\)`";
                    self.unknown_escape(at, c, known);
                }
                Piece::LineBreak => {}
                Piece::Child => {
                    if !self.in_braces(|parser| parser.child().map(TemplatePart::Child), &mut parts) {
                        break;
                    }
                }
                Piece::Command => {
                    if !self.in_braces(|parser| parser.expression().map(TemplatePart::Print), &mut parts) {
                        break;
                    }
                }
                Piece::Quote => break,
                Piece::End => {
                    self.unterminated(start);
                    break;
                }
            }
        }
        self.after_string();
        Template { parts, span: self.span_from(start) }
    }

    /// Skips a string of unknown kind. The next token is its quote.
    pub(crate) fn skip_string(&mut self) {
        while !matches!(self.lexer.piece(StringMode::Plain), Piece::Quote | Piece::End) {}
        self.after_string();
    }

    fn after_string(&mut self) {
        self.last_end = self.lexer.at();
        self.next = self.lexer.token();
    }

    fn child(&mut self) -> Option<Child> {
        // Keywords have always been accepted as child names, although no rule can then refer to the child.
        let name =
            if self.next.kind == TokenKind::Name { self.word() } else { self.name("the name of a child")? };
        self.expect(":", "and the class of the child")?;
        let class = self.name("the class of the child")?;
        Some(Child { name, class, parentheses: false })
    }

    /// Parses code up to `}` and continues the string after it. Returns `false` if the string ends instead.
    fn in_braces(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<TemplatePart>,
        parts: &mut Vec<TemplatePart>,
    ) -> bool {
        self.next = self.lexer.token();
        if let Some(part) = read(self) {
            parts.push(part);
        }
        if is_symbol(self.next, "}") {
            return true;
        }
        self.unexpected("`}` at the end of this part of the template");
        loop {
            match self.next.kind {
                TokenKind::Symbol("}") => return true,
                TokenKind::Quote | TokenKind::End => return false,
                _ => self.next = self.lexer.token(),
            }
        }
    }

    /// Parses `${…}\)` after `\(`. Returns `false` if the string ends.
    fn parenthesized_child(&mut self, at: usize, parts: &mut Vec<TemplatePart>) -> bool {
        let mut ahead = self.lexer;
        if ahead.piece(StringMode::Template) == Piece::Child {
            self.lexer = ahead;
            let n_parts = parts.len();
            if !self.in_braces(|parser| parser.child().map(TemplatePart::Child), parts) {
                return false;
            }
            let mut ahead = self.lexer;
            if ahead.piece(StringMode::Template) == Piece::Escape(')') {
                self.lexer = ahead;
                if let Some(TemplatePart::Child(child)) = parts.get_mut(n_parts) {
                    child.parentheses = true;
                }
                return true;
            }
        }
        let span = self.lexer.span(at, self.lexer.at());
        self.error(codes::ESCAPE, span, "`\\(` must be directly before a child, and `\\)` directly after it")
            .help("write `\\(${child : Class}\\)`; for plain parentheses no backslash is needed");
        true
    }

    fn unknown_escape(&mut self, at: usize, c: char, known: &str) {
        let span = self.lexer.span(at, self.lexer.at());
        self.error(codes::ESCAPE, span, format!("`\\{c}` means nothing here"))
            .help(format!("known are {known}"));
    }

    fn unterminated(&mut self, start: usize) {
        let span = self.lexer.span(start, start + 1);
        self.error(codes::UNTERMINATED, span, "this string does not end").help("close it with `\"`");
    }
}

/// The meaning of an escape in a plain string.
fn escaped(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        '+' => Some(layout::INDENT),
        '-' => Some(layout::UNINDENT),
        '\\' | '$' | '#' => Some(c),
        _ => None,
    }
}

fn push_char(parts: &mut Vec<TemplatePart>, c: char) {
    match parts.last_mut() {
        Some(TemplatePart::Text(text)) => text.push(c),
        _ => parts.push(TemplatePart::Text(c.to_string())),
    }
}
