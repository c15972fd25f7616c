//! The lexer: returns one token at a time, in the mode that the parser requests.
//!
//! LALA has three modes: code, plain strings, and templates (strings with `${child : Class}` and `#{command}`). Only
//! the parser knows what kind of string follows (`"#{1,2}"` is a valid regular expression), so in code mode a quote is
//! a token, and the parser then requests the rest of the string in the right mode. A [`Lexer`] is a position in a
//! text: a copy of it is used for lookahead.

use polysmith_source::{SourceId, Span};

/// The kind of a token. Keywords are names here: which ones are special depends on the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A letter or `_`, then letters, digits, `_`.
    Name,
    /// Decimal digits.
    Int,
    /// `'x'`.
    Char,
    /// The opening quote of a string. [`Lexer::piece`] reads the string itself.
    Quote,
    /// Punctuation or an operator: one of [`SYMBOLS`].
    Symbol(&'static str),
    /// A character that no token starts with.
    Unknown,
    /// The end of the text.
    End,
}

/// Longer symbols precede their prefixes.
const SYMBOLS: [&str; 28] = [
    "->", "==", "!=", "<=", ">=", "..", "{", "}", "(", ")", "[", "]", ";", ":", ",", ".", "@", "=", "$", "|",
    "?", "<", ">", "+", "-", "*", "/", "%",
];

/// A token with its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether spaces or a comment precede it: `a.b` reads a field, `a .b` are two terms.
    pub(crate) spaced: bool,
}

/// The next element of a string or template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A character.
    Text(char),
    /// A backslash and the character after it.
    Escape(char),
    /// A line break and the spaces after it, which are ignored.
    LineBreak,
    /// `${`: a child follows in code mode, up to `}`.
    Child,
    /// `#{`: a print command follows in code mode, up to `}`.
    Command,
    /// The closing quote.
    Quote,
    /// The text ends inside the string.
    End,
}

/// How the text between quotes is interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringMode {
    Plain,
    Template,
}

/// A position in a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    source: SourceId,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: SourceId, text: &'a str) -> Lexer<'a> {
        // Skip a byte order mark.
        Lexer { text, source, at: if text.starts_with('\u{feff}') { 3 } else { 0 } }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn text(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    /// The text between two token offsets.
    pub(crate) fn between(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// The text before a token offset.
    pub(crate) fn before(&self, at: usize) -> &'a str {
        &self.text[..at]
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    /// The next token of code mode.
    pub(crate) fn token(&mut self) -> Token {
        let before = self.at;
        self.skip_blanks();
        let start = self.at;
        let kind = self.kind();
        Token { kind, start, end: self.at, spaced: start != before }
    }

    /// The next piece of a string whose opening quote has been read.
    pub(crate) fn piece(&mut self, mode: StringMode) -> Piece {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Piece::End };
        self.at += first.len_utf8();
        match first {
            '"' => Piece::Quote,
            '\\' => match rest[1..].chars().next() {
                Some(escaped) => {
                    self.at += escaped.len_utf8();
                    Piece::Escape(escaped)
                }
                None => Piece::End,
            },
            '\n' | '\r' => {
                self.at += rest[1..].len() - rest[1..].trim_start_matches([' ', '\t', '\n', '\r']).len();
                Piece::LineBreak
            }
            '$' if mode == StringMode::Template && rest.starts_with("${") => {
                self.at += 1;
                Piece::Child
            }
            '#' if mode == StringMode::Template && rest.starts_with("#{") => {
                self.at += 1;
                Piece::Command
            }
            other => Piece::Text(other),
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn kind(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return TokenKind::End };
        if first.is_alphabetic() || first == '_' {
            self.at += length_while(rest, |c| c.is_alphanumeric() || c == '_');
            return TokenKind::Name;
        }
        if first.is_ascii_digit() {
            self.at += length_while(rest, |c| c.is_ascii_digit());
            return TokenKind::Int;
        }
        if first == '"' {
            self.at += 1;
            return TokenKind::Quote;
        }
        if first == '\'' {
            let mut chars = rest[1..].chars();
            if let (Some(inner), Some('\'')) = (chars.next(), chars.next()) {
                self.at += inner.len_utf8() + 2;
                return TokenKind::Char;
            }
        }
        for symbol in SYMBOLS {
            if rest.starts_with(symbol) {
                self.at += symbol.len();
                return TokenKind::Symbol(symbol);
            }
        }
        self.at += first.len_utf8();
        TokenKind::Unknown
    }
}

fn length_while(text: &str, keep: impl Fn(char) -> bool) -> usize {
    text.find(|c| !keep(c)).unwrap_or(text.len())
}
