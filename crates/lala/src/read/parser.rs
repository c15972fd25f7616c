//! The basic operations of the parser: lookahead, consuming tokens, reporting what was expected.
//!
//! At most one error per token: after an error nothing more is reported until the parser has advanced, so that one
//! mistake does not hide the others. Every method leaves the parser at a token that it has not examined.

use super::lex::{Lexer, Token, TokenKind};
use crate::codes;
use crate::externals::{External, Externals};
use crate::syntax::Dialect;
use polysmith_source::{Diagnostic, Diagnostics, SourceId, Span};
use polysmith_value::syntax::{Arena, ExprId, ExprKind, MAX_NESTING, Name};

/// Keywords of the published language. They are never names.
pub(crate) const RESERVED: [&str; 9] = ["class", "inh", "syn", "grd", "loc", "use", "true", "false", "nil"];

pub(crate) struct Parser<'a> {
    pub(crate) lexer: Lexer<'a>,
    /// The next token. The lexer is after it.
    pub(crate) next: Token,
    pub(crate) found: &'a mut Diagnostics,
    /// The end of the last consumed token.
    pub(crate) last_end: usize,
    pub(crate) arena: Arena,
    pub(crate) externals: Externals,
    pub(crate) dialect: Dialect,
    depth: u16,
    reported_at: Option<usize>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(
        source: SourceId,
        text: &'a str,
        dialect: Dialect,
        found: &'a mut Diagnostics,
    ) -> Parser<'a> {
        let mut lexer = Lexer::new(source, text);
        let next = lexer.token();
        Parser {
            lexer,
            next,
            found,
            last_end: 0,
            arena: Arena::default(),
            externals: Externals::default(),
            dialect,
            depth: 0,
            reported_at: None,
        }
    }

    pub(crate) fn bump(&mut self) -> Token {
        let token = self.next;
        self.last_end = token.end;
        self.next = self.lexer.token();
        token
    }

    /// The token `n` positions after the next one.
    pub(crate) fn look(&self, n: usize) -> Token {
        let mut lexer = self.lexer;
        let mut token = self.next;
        for _ in 0..n {
            token = lexer.token();
        }
        token
    }

    pub(crate) fn at_end(&self) -> bool {
        self.next.kind == TokenKind::End
    }

    pub(crate) fn at(&self, symbol: &str) -> bool {
        is_symbol(self.next, symbol)
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.is_word(self.next, word)
    }

    pub(crate) fn is_word(&self, token: Token, word: &str) -> bool {
        token.kind == TokenKind::Name && self.lexer.text(token) == word
    }

    pub(crate) fn eat(&mut self, symbol: &str) -> bool {
        let here = self.at(symbol);
        if here {
            self.bump();
        }
        here
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let here = self.at_word(word);
        if here {
            self.bump();
        }
        here
    }

    /// Consumes `symbol` or reports that it is missing. `after` completes "expected `;` …".
    pub(crate) fn expect(&mut self, symbol: &'static str, after: &str) -> Option<Token> {
        if self.at(symbol) {
            return Some(self.bump());
        }
        self.unexpected(&format!("`{symbol}` {after}"));
        None
    }

    /// Consumes a name or reports that it is missing. Keywords are not names.
    pub(crate) fn name(&mut self, what: &str) -> Option<Name> {
        if self.next.kind == TokenKind::Name && !RESERVED.contains(&self.lexer.text(self.next)) {
            return Some(self.word());
        }
        let reserved = self.next.kind == TokenKind::Name;
        if let Some(diagnostic) = self.unexpected(what)
            && reserved
        {
            diagnostic.help("this word is reserved; choose another name");
        }
        None
    }

    /// Consumes the next token, a name or keyword, as an identifier.
    pub(crate) fn word(&mut self) -> Name {
        let token = self.bump();
        Name::new(self.lexer.text(token), self.span(token))
    }

    pub(crate) fn span(&self, token: Token) -> Span {
        self.lexer.span(token.start, token.end)
    }

    /// The span from `start` to the end of the last consumed token.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        self.lexer.span(start, self.last_end.max(start))
    }

    /// Reports that `expected` is missing here, unless this token was reported before.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Option<&mut Diagnostic> {
        if self.reported_at == Some(self.next.start) {
            return None;
        }
        self.reported_at = Some(self.next.start);
        let span = self.span(self.next);
        let shown = self.shown();
        Some(self.found.error(codes::SYNTAX, span, format!("expected {expected}, found {shown}")))
    }

    /// Reports an error at a location.
    pub(crate) fn error(
        &mut self,
        code: polysmith_source::Code,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.found.error(code, span, message)
    }

    /// The next token as shown in messages.
    pub(crate) fn shown(&self) -> String {
        match self.next.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Quote => "a string".to_owned(),
            TokenKind::Name if RESERVED.contains(&self.lexer.text(self.next)) => {
                format!("the word `{}`", self.lexer.text(self.next))
            }
            _ => format!("`{}`", self.lexer.text(self.next)),
        }
    }

    pub(crate) fn expr(&mut self, kind: ExprKind, start: usize) -> ExprId {
        let span = self.span_from(start);
        self.arena.expr(kind, span)
    }

    pub(crate) fn external(&mut self, external: External, start: usize) -> ExprId {
        let id = self.externals.add(external);
        self.expr(ExprKind::External(id), start)
    }

    /// Parses one level deeper. Reports an error at the limit.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        // The parser's own recursion takes several stack frames per level: half the limit fits easily into a stack of
        // 2 MiB and is more than anybody writes.
        if self.depth >= MAX_NESTING / 2 {
            let span = self.span(self.next);
            if self.reported_at != Some(self.next.start) {
                self.reported_at = Some(self.next.start);
                nesting(self.found, span);
            }
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips to the first of `stops` outside of brackets opened on the way, without consuming it. Also stops at a
    /// closing brace that was not opened here.
    pub(crate) fn skip_to(&mut self, stops: &[&str]) {
        let mut open = 0_u32;
        loop {
            let token = self.next;
            match token.kind {
                TokenKind::End => return,
                TokenKind::Symbol(symbol) => {
                    if open == 0 && stops.contains(&symbol) {
                        return;
                    }
                    match symbol {
                        "(" | "[" | "{" => open += 1,
                        "}" if open == 0 => return,
                        ")" | "]" | "}" => open = open.saturating_sub(1),
                        _ => {}
                    }
                }
                TokenKind::Name
                    if open == 0 && ["class", "inh", "syn", "grd"].contains(&self.lexer.text(token)) =>
                {
                    return;
                }
                TokenKind::Quote => {
                    self.skip_string();
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }
}

pub(crate) fn is_symbol(token: Token, symbol: &str) -> bool {
    matches!(token.kind, TokenKind::Symbol(found) if found == symbol)
}

pub(crate) fn nesting(found: &mut Diagnostics, span: Span) {
    found
        .error(codes::NESTING, span, format!("this nests deeper than {} levels", MAX_NESTING / 2))
        .help("give the inner part a name with `loc` or `let`, or make it a function");
}
