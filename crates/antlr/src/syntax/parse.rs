//! Parses files, sections and modes. ([`super::rules`] parses rules.)
//!
//! One token of lookahead decides nearly everything (two where a name could be a label). ANTLR's own parser detects
//! errors at the same token, so the first message of a file has the same location; [`super::recover`] has the
//! exceptions and the recovery.

use super::lex::lex;
use super::token::{Token, TokenKind};
use super::tree::{
    CodeText, File, GrammarKind, Mode, Name, NamedAction, OptionEntry, Options, Prequel, Section,
};
use crate::report::Report;
use polysmith_source::{Diagnostic, Diagnostics, Severity, SourceId, Span};

/// Parses one file. The tree has everything that could be parsed.
pub(crate) fn parse(source: SourceId, text: &str, report: &mut Report<'_>) -> File {
    let (mut of_lexer, mut of_parser) = (Diagnostics::default(), Diagnostics::default());
    let tokens = lex(source, text, &mut Report::new(&mut of_lexer));
    let report_here = &mut Report::new(&mut of_parser);
    let mut file = Parser { source, text, tokens, at: 0, depth: 0, report: report_here }.file();
    // ANTLR's tool reads token by token, so errors of the lexer and of the parser are in textual order.
    let mut found: Vec<Diagnostic> = of_lexer.iter().chain(of_parser.iter()).cloned().collect();
    found.sort_by_key(|problem| {
        let first = problem.labels.first().map(|label| label.span.start);
        problem.location.span().map(|span| span.start).or(first)
    });
    file.broken = found.iter().any(|problem| problem.severity == Severity::Error);
    report.append(found);
    file
}

/// A syntax error was reported. A caller that can recover does.
pub(super) struct SyntaxError;

pub(super) type Parsed<T> = Result<T, SyntaxError>;

pub(super) struct Parser<'a, 'r> {
    pub(super) source: SourceId,
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    /// The number of open groups.
    pub(super) depth: usize,
    pub(super) report: &'a mut Report<'r>,
}

impl Parser<'_, '_> {
    fn file(&mut self) -> File {
        let mut file = File {
            source: self.source,
            kind: GrammarKind::Combined,
            name: Name { text: String::new(), span: self.span() },
            prequels: Vec::new(),
            rules: Vec::new(),
            modes: Vec::new(),
            broken: false,
        };
        if self.header(&mut file).is_err() {
            self.skip_past(TokenKind::Semi);
        }
        self.prequels(&mut file);
        self.first_rules(&mut file);
        while self.is(TokenKind::Mode) {
            self.mode(&mut file);
        }
        while !self.is(TokenKind::End) {
            self.unexpected("a rule");
            self.skip_to_rule();
            let rules = file.modes.last_mut().map_or(&mut file.rules, |mode| &mut mode.rules);
            self.rules(rules, true);
            while self.is(TokenKind::Mode) {
                self.mode(&mut file);
            }
        }
        file
    }

    fn header(&mut self, file: &mut File) -> Parsed<()> {
        file.kind = match self.kind() {
            TokenKind::Lexer => GrammarKind::Lexer,
            TokenKind::Parser => GrammarKind::Parser,
            _ => GrammarKind::Combined,
        };
        if file.kind != GrammarKind::Combined {
            self.bump();
        }
        if !self.is(TokenKind::Grammar) {
            self.unexpected("`grammar NAME;`, `lexer grammar NAME;` or `parser grammar NAME;`");
            return Err(SyntaxError);
        }
        self.bump();
        file.name = self.name()?;
        self.expect(TokenKind::Semi)
    }

    fn prequels(&mut self, file: &mut File) {
        loop {
            let prequel = match self.kind() {
                TokenKind::Options => self.options().map(Prequel::Options),
                TokenKind::Import => self.imports().map(Prequel::Import),
                TokenKind::Tokens => self.section(true).map(Prequel::Tokens),
                TokenKind::Channels => self.section(false).map(Prequel::Channels),
                TokenKind::At => self.named_action().map(Prequel::Action),
                _ => return,
            };
            match prequel {
                Ok(prequel) => file.prequels.push(prequel),
                Err(SyntaxError) => self.skip_section(),
            }
        }
    }

    /// Parses the rules of the default mode. At least one must precede the first `mode`.
    fn first_rules(&mut self, file: &mut File) {
        if self.is(TokenKind::Mode) {
            self.unexpected("a rule").help("the default mode comes first and needs a rule of its own");
        }
        self.rules(&mut file.rules, true);
    }

    fn mode(&mut self, file: &mut File) {
        let keyword = self.span();
        self.bump();
        let name = self.name().and_then(|name| self.expect(TokenKind::Semi).map(|()| name));
        let Ok(name) = name else { return self.skip_past(TokenKind::Semi) };
        let mut rules = Vec::new();
        self.rules(&mut rules, false);
        file.modes.push(Mode { keyword, name, rules });
    }

    pub(super) fn options(&mut self) -> Parsed<Options> {
        let keyword = self.span();
        self.bump();
        let mut entries = Vec::new();
        while self.kind().is_name() {
            let name = self.name()?;
            self.expect(TokenKind::Assign)?;
            let (value, quoted) = self.option_value()?;
            self.expect(TokenKind::Semi)?;
            entries.push(OptionEntry { name, value: Some(value), quoted });
        }
        self.expect(TokenKind::RightBrace)?;
        Ok(Options { keyword, entries })
    }

    /// Parses a dotted name, a literal, an action or a number. Also returns whether it was a literal.
    pub(super) fn option_value(&mut self) -> Parsed<(Name, bool)> {
        match self.kind() {
            TokenKind::TokenRef | TokenKind::RuleRef => Ok((self.dotted_name()?, false)),
            TokenKind::Literal => {
                let mut value = self.take();
                value.text = value.text.trim_matches('\'').to_owned();
                Ok((value, true))
            }
            TokenKind::Action | TokenKind::Int => Ok((self.take(), false)),
            _ => {
                self.unexpected("a value: a name, a literal, a number or an action");
                Err(SyntaxError)
            }
        }
    }

    pub(super) fn dotted_name(&mut self) -> Parsed<Name> {
        let mut name = self.name()?;
        while self.is(TokenKind::Dot) {
            self.bump();
            let part = self.name()?;
            name.text = format!("{}.{}", name.text, part.text);
            name.span = name.span.to(part.span);
        }
        Ok(name)
    }

    fn imports(&mut self) -> Parsed<Section> {
        let keyword = self.span();
        self.bump();
        let mut names = Vec::new();
        loop {
            let mut name = self.name()?;
            if self.is(TokenKind::Assign) {
                self.bump();
                name = self.name()?; // the label in front has no effect
            }
            names.push(name);
            match self.kind() {
                TokenKind::Comma => self.bump(),
                _ => {
                    self.expect(TokenKind::Semi)?;
                    return Ok(Section { keyword, names });
                }
            }
        }
    }

    /// Parses `tokens { … }` or `channels { … }`; only the former may be empty.
    fn section(&mut self, may_be_empty: bool) -> Parsed<Section> {
        let keyword = self.span();
        self.bump();
        let mut names = Vec::new();
        if !(may_be_empty && self.is(TokenKind::RightBrace)) {
            names.push(self.name()?);
            while self.is(TokenKind::Comma) {
                self.bump();
                names.push(self.name()?);
            }
        }
        if !self.is(TokenKind::RightBrace) {
            self.unexpected("`,` or `}`").help("names are separated by commas: `{ A, B }`");
            return Err(SyntaxError);
        }
        self.bump();
        Ok(Section { keyword, names })
    }

    fn named_action(&mut self) -> Parsed<NamedAction> {
        self.bump();
        let first = match self.kind() {
            TokenKind::Lexer | TokenKind::Parser => self.take(),
            _ => self.name()?,
        };
        let (scope, name) = if self.is(TokenKind::ColonColon) {
            self.bump();
            (Some(first), self.name()?)
        } else {
            (None, first)
        };
        let code = self.code(TokenKind::Action)?;
        Ok(NamedAction { scope, name, code })
    }

    pub(super) fn code(&mut self, kind: TokenKind) -> Parsed<CodeText> {
        if !self.is(kind) {
            self.unexpected(&kind.to_string());
            return Err(SyntaxError);
        }
        let name = self.take();
        Ok(CodeText { text: name.text, span: name.span })
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
        if self.kind().is_name() {
            return Ok(self.take());
        }
        self.unexpected("a name");
        Err(SyntaxError)
    }

    pub(super) fn expect(&mut self, kind: TokenKind) -> Parsed<()> {
        if self.is(kind) {
            self.bump();
            return Ok(());
        }
        self.unexpected(&kind.to_string());
        Err(SyntaxError)
    }

    /// Consumes the current token as a name, whatever its kind.
    pub(super) fn take(&mut self) -> Name {
        let token = self.tokens[self.at];
        let text = self.text[token.start as usize..token.end as usize].to_owned();
        self.bump();
        Name { text, span: self.span_of(token) }
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    pub(super) fn kind_ahead(&self, n: usize) -> TokenKind {
        self.tokens.get(self.at + n).map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Advances to the next token, but not past the end of the file.
    pub(super) fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn span(&self) -> Span {
        self.span_of(self.tokens[self.at])
    }

    pub(super) fn span_of(&self, token: Token) -> Span {
        Span { source: self.source, start: token.start, end: token.end }
    }
}
