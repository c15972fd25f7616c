//! The lexer of `.g4` files.
//!
//! The lexer needs one bit of context: `[` opens a character set in lexer rules and an argument list elsewhere. Like
//! ANTLR's tool, it decides at each `:` by looking back for the name of the rule, so arguments of a parser rule
//! directly after a lexer rule are read as a set, and reported.

use super::names;
use super::token::{Token, TokenKind};
use crate::report::Report;
use polysmith_source::{SourceId, Span};

/// Returns all tokens of `text`; the last one is [`TokenKind::End`]. Invalid characters are reported and skipped.
pub(super) fn lex(source: SourceId, text: &str, report: &mut Report<'_>) -> Vec<Token> {
    let mut lexer = Lexer { source, text, at: 0, in_lexer_rule: false, tokens: Vec::new(), report };
    lexer.run();
    lexer.tokens
}

struct Lexer<'a, 'r> {
    source: SourceId,
    text: &'a str,
    at: usize,
    in_lexer_rule: bool,
    tokens: Vec<Token>,
    report: &'a mut Report<'r>,
}

impl Lexer<'_, '_> {
    fn run(&mut self) {
        loop {
            self.skip_blanks();
            let start = self.at;
            let Some(c) = self.peek() else { break };
            if let Some(kind) = self.token(c) {
                if kind == TokenKind::Colon {
                    self.enter_rule();
                }
                self.push(kind, start);
            }
        }
        self.push(TokenKind::End, self.at);
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = Span::new(self.source, start, self.at);
        self.tokens.push(Token { kind, start: span.start, end: span.end });
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn eat(&mut self, prefix: &str) -> bool {
        let eaten = self.rest().starts_with(prefix);
        if eaten {
            self.at += prefix.len();
        }
        eaten
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest().trim_start_matches([' ', '\t', '\r', '\n', '\u{c}', '\u{feff}']);
            self.at = self.text.len() - rest.len();
            if !self.comment() {
                return;
            }
        }
    }

    /// Skips a comment. One that is never closed extends to the end of the file, without an error.
    fn comment(&mut self) -> bool {
        if self.rest().starts_with("//") {
            self.at += self.rest().find(['\r', '\n']).unwrap_or(self.rest().len());
            return true;
        }
        if self.rest().starts_with("/*") {
            let body = &self.rest()[2..];
            self.at += body.find("*/").map_or(body.len() + 2, |end| end + 4);
            return true;
        }
        false
    }

    fn token(&mut self, c: char) -> Option<TokenKind> {
        match c {
            '{' => self.action(),
            '[' if self.in_lexer_rule => self.char_set(),
            '[' => self.arguments(),
            '\'' => self.literal(),
            '0'..='9' => {
                self.at +=
                    self.rest().len() - self.rest().trim_start_matches(|c: char| c.is_ascii_digit()).len();
                Some(TokenKind::Int)
            }
            c if names::is_start(c) => self.word(),
            c => self.punctuation(c),
        }
    }

    fn punctuation(&mut self, c: char) -> Option<TokenKind> {
        const SIGNS: [(&str, TokenKind); 22] = [
            ("::", TokenKind::ColonColon),
            ("->", TokenKind::Arrow),
            ("+=", TokenKind::PlusAssign),
            ("..", TokenKind::Range),
            (":", TokenKind::Colon),
            (",", TokenKind::Comma),
            (";", TokenKind::Semi),
            ("(", TokenKind::LeftParen),
            (")", TokenKind::RightParen),
            ("<", TokenKind::Less),
            (">", TokenKind::Greater),
            ("=", TokenKind::Assign),
            ("?", TokenKind::Question),
            ("*", TokenKind::Star),
            ("+", TokenKind::Plus),
            ("|", TokenKind::Or),
            ("$", TokenKind::Dollar),
            (".", TokenKind::Dot),
            ("@", TokenKind::At),
            ("#", TokenKind::Pound),
            ("~", TokenKind::Not),
            ("}", TokenKind::RightBrace),
        ];
        for (sign, kind) in &SIGNS {
            if self.eat(sign) {
                return Some(*kind);
            }
        }
        self.meaningless(c);
        None
    }

    /// Skips an invalid character; with a `"`, the text up to the next one, so that a literal in the wrong quotes is
    /// one error and not three.
    fn meaningless(&mut self, c: char) {
        let start = self.at;
        self.bump();
        let shown = if c == '"' { "\"".to_owned() } else { c.escape_debug().to_string() };
        let message = format!("`{shown}` means nothing in a grammar");
        let problem = self.report.at(50, Span::new(self.source, start, self.at), message);
        if c == '"' {
            problem.help("literals are written in single quotes: `'…'`");
            let line = self.rest().lines().next().unwrap_or_default();
            self.at += line.find('"').map_or(0, |end| end + 1);
        } else if c == '_' {
            problem.help("names begin with a letter");
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source, start, self.at)
    }

    /// Reports a problem for which ANTLR gives no location; here, it is the text from `start`.
    fn lost(&mut self, start: usize, message: &str) -> &mut polysmith_source::Diagnostic {
        let span = Span::new(self.source, start, start + 1);
        let problem = self.report.at(50, self.source, message);
        problem.also(span, "begins here")
    }

    fn word(&mut self) -> Option<TokenKind> {
        let start = self.at;
        let length = self.rest().find(|c| !names::is_part(c)).unwrap_or(self.rest().len());
        self.at += length;
        let word = &self.text[start..self.at];
        let section = match word {
            "options" => TokenKind::Options,
            "tokens" => TokenKind::Tokens,
            "channels" => TokenKind::Channels,
            _ => {
                let name = if names::is_token(word) { TokenKind::TokenRef } else { TokenKind::RuleRef };
                return Some(TokenKind::keyword(word).unwrap_or(name));
            }
        };
        // A brace after optional white space makes this a section; otherwise the word is a plain name.
        let blank = self.rest().trim_start_matches([' ', '\t', '\r', '\n', '\u{c}']);
        let skipped = self.rest().len() - blank.len();
        if blank.starts_with('{') {
            self.at += skipped + 1;
            return Some(section);
        }
        if skipped == 0 {
            return Some(TokenKind::RuleRef);
        }
        let message = format!("`{word}` cannot be a name here: ANTLR takes it for the start of a section");
        self.at += skipped;
        self.bump();
        self.lost(start, &message).help(format!("write `{word} {{` for the section, or choose another name"));
        None
    }

    /// Reads `{ … }`, followed by `?` for a predicate. Strings, comments and nested braces are skipped as units.
    fn action(&mut self) -> Option<TokenKind> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some('{') => depth += 1,
                Some('}') => depth -= 1,
                Some('\\') => self.bump(),
                Some(quote @ ('\'' | '"')) => {
                    self.quoted(quote)?;
                    continue;
                }
                Some('/') if self.comment() => continue,
                Some(_) => {}
                None => {
                    // ANTLR's tool reports this only on the terminal; its first counted message is at the end of the
                    // file.
                    let end = Span::new(self.source, self.at, self.at);
                    let begin = Span::new(self.source, start, start + 1);
                    let problem = self.report.at(50, end, "an action is not closed");
                    problem.also(begin, "it begins here").help("check that braces and quotes in it pair up");
                    return Some(TokenKind::Action);
                }
            }
            self.bump();
            if depth == 0 {
                break;
            }
        }
        Some(if self.eat("?") { TokenKind::Predicate } else { TokenKind::Action })
    }

    /// Skips a string of some target language; `None` if the file ends before its closing quote.
    fn quoted(&mut self, quote: char) -> Option<()> {
        let start = self.at;
        self.bump();
        loop {
            match self.peek() {
                Some(c) if c == quote => {
                    self.bump();
                    return Some(());
                }
                Some('\\') => {
                    self.bump();
                    self.bump();
                }
                Some(_) => self.bump(),
                None => {
                    self.lost(start, "a quote inside target code is not closed").help(
                        "a lone quote swallows the rest of the file; put target code into another file",
                    );
                    return None;
                }
            }
        }
    }

    /// Reads `[ … ]` of a header or a call. Brackets nest, strings are skipped.
    fn arguments(&mut self) -> Option<TokenKind> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some('[') => depth += 1,
                Some(']') => depth -= 1,
                Some(quote @ ('\'' | '"')) => {
                    self.quoted(quote)?;
                    continue;
                }
                Some(_) => {}
                None => {
                    self.lost(start, "`[` is not closed").help("in a parser rule `[…]` is an argument list");
                    return None;
                }
            }
            self.bump();
            if depth == 0 {
                return Some(TokenKind::Arguments);
            }
        }
    }

    /// Reads `[ … ]` of a lexer rule: one line; a backslash escapes the next character.
    fn char_set(&mut self) -> Option<TokenKind> {
        let start = self.at;
        self.bump();
        loop {
            match self.peek() {
                Some(']') => {
                    self.bump();
                    return Some(TokenKind::CharSet);
                }
                Some('\\') => {
                    self.bump();
                    if !matches!(self.peek(), None | Some('\r' | '\n')) {
                        self.bump();
                    }
                }
                None | Some('\r' | '\n') => {
                    self.bump();
                    self.lost(start, "a character set is not closed on its line")
                        .help("write `\\[` and `\\]` for brackets that are meant literally");
                    return None;
                }
                Some(_) => self.bump(),
            }
        }
    }

    fn literal(&mut self) -> Option<TokenKind> {
        let start = self.at;
        self.bump();
        loop {
            match self.peek() {
                Some('\'') => {
                    self.bump();
                    break;
                }
                Some('\\') => self.escape(),
                None | Some('\r' | '\n') => {
                    let span = self.span(start);
                    self.report
                        .at(152, span, "a literal is not closed on its line")
                        .help("add the missing `'`");
                    break;
                }
                Some(_) => self.bump(),
            }
        }
        Some(TokenKind::Literal)
    }

    /// Reads an escape of a literal. Invalid ones are reported here, as by ANTLR's tool.
    fn escape(&mut self) {
        let start = self.at;
        self.bump();
        match self.peek() {
            Some('b' | 't' | 'n' | 'f' | 'r' | '\'' | '\\') => return self.bump(),
            Some('u') => {
                self.bump();
                if self.unicode_escape() {
                    return;
                }
            }
            None | Some('\r' | '\n') => {}
            Some(_) => self.bump(),
        }
        let span = self.span(start);
        let shown = &self.text[start..self.at];
        let message = format!("`{shown}` is no escape of a literal");
        self.report.at(156, span, message).help("known are \\n \\r \\t \\b \\f \\\\ \\' \\uXXXX and \\u{X…}");
    }

    /// Reads what follows `\u`: four digits, or one to six in braces.
    fn unicode_escape(&mut self) -> bool {
        let braces = self.eat("{");
        let wanted = if braces { 6 } else { 4 };
        let digits = self.rest().chars().take(wanted).take_while(char::is_ascii_hexdigit).count();
        self.at += digits;
        if braces { digits > 0 && self.eat("}") } else { digits == 4 }
    }

    /// At `:`, looks back for the kind of this rule: the nearest name or `(`, ignoring options.
    fn enter_rule(&mut self) {
        let mut in_options = false;
        for token in self.tokens.iter().rev() {
            match token.kind {
                TokenKind::Options if in_options => in_options = false,
                _ if in_options => {}
                TokenKind::RightBrace => in_options = true,
                TokenKind::LeftParen => return,
                TokenKind::TokenRef => return self.in_lexer_rule = true,
                TokenKind::RuleRef => return self.in_lexer_rule = false,
                _ => {}
            }
        }
    }
}
