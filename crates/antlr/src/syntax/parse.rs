//! The parser's upper half: the file, its sections, its modes.
//!
//! One token of lookahead decides nearly everything (two where a name could be a label). That is also where
//! ANTLR's own reader notices an error, so the first message of a file stands at the same place; see
//! [`super::recover`] for the exceptions and for how reading goes on.

use super::lex::lex;
use super::token::{Kind, Token};
use super::tree::{
    CodeText, File, GrammarKind, Mode, Name, NamedAction, OptionEntry, Options, Prequel, Section,
};
use crate::report::Report;
use polysmith_source::{Diagnostic, Diagnostics, Severity, SourceId, Span};

/// Reads one file. The tree holds what could be understood.
pub(crate) fn parse(source: SourceId, text: &str, report: &mut Report<'_>) -> File {
    let (mut of_lexer, mut of_parser) = (Diagnostics::default(), Diagnostics::default());
    let tokens = lex(source, text, &mut Report::new(&mut of_lexer));
    let report_here = &mut Report::new(&mut of_parser);
    let mut file = Parser { source, text, tokens, at: 0, depth: 0, report: report_here }.file();
    // ANTLR's tool reads token by token, so what is wrong with tokens and what is wrong with their order come
    // as they stand in the text.
    let mut found: Vec<Diagnostic> = of_lexer.iter().chain(of_parser.iter()).cloned().collect();
    found.sort_by_key(|problem| {
        let first = problem.labels.first().map(|label| label.span.start);
        problem.place.span().map(|span| span.start).or(first)
    });
    file.broken = found.iter().any(|problem| problem.severity == Severity::Error);
    report.append(found);
    file
}

/// A syntax error was reported; the caller that can go on, does.
pub(super) struct Broken;

pub(super) type Parsed<T> = Result<T, Broken>;

pub(super) struct Parser<'a, 'r> {
    pub(super) source: SourceId,
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    /// How many groups are open.
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
            self.skip_behind(Kind::Semi);
        }
        self.prequels(&mut file);
        self.first_rules(&mut file);
        while self.is(Kind::Mode) {
            self.mode(&mut file);
        }
        while !self.is(Kind::End) {
            self.unexpected("a rule");
            self.skip_to_rule();
            let rules = file.modes.last_mut().map_or(&mut file.rules, |mode| &mut mode.rules);
            self.rules(rules, true);
            while self.is(Kind::Mode) {
                self.mode(&mut file);
            }
        }
        file
    }

    fn header(&mut self, file: &mut File) -> Parsed<()> {
        file.kind = match self.kind() {
            Kind::Lexer => GrammarKind::Lexer,
            Kind::Parser => GrammarKind::Parser,
            _ => GrammarKind::Combined,
        };
        if file.kind != GrammarKind::Combined {
            self.bump();
        }
        if !self.is(Kind::Grammar) {
            self.unexpected("`grammar NAME;`, `lexer grammar NAME;` or `parser grammar NAME;`");
            return Err(Broken);
        }
        self.bump();
        file.name = self.name()?;
        self.expect(Kind::Semi)
    }

    fn prequels(&mut self, file: &mut File) {
        loop {
            let prequel = match self.kind() {
                Kind::Options => self.options().map(Prequel::Options),
                Kind::Import => self.imports().map(Prequel::Import),
                Kind::Tokens => self.section(true).map(Prequel::Tokens),
                Kind::Channels => self.section(false).map(Prequel::Channels),
                Kind::At => self.named_action().map(Prequel::Action),
                _ => return,
            };
            match prequel {
                Ok(prequel) => file.prequels.push(prequel),
                Err(Broken) => self.skip_section(),
            }
        }
    }

    /// The rules of the default mode. `mode` may not come before all of them.
    fn first_rules(&mut self, file: &mut File) {
        if self.is(Kind::Mode) {
            self.unexpected("a rule").help("the default mode comes first and needs a rule of its own");
        }
        self.rules(&mut file.rules, true);
    }

    fn mode(&mut self, file: &mut File) {
        let keyword = self.span();
        self.bump();
        let name = self.name().and_then(|name| self.expect(Kind::Semi).map(|()| name));
        let Ok(name) = name else { return self.skip_behind(Kind::Semi) };
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
            self.expect(Kind::Assign)?;
            let (value, quoted) = self.option_value()?;
            self.expect(Kind::Semi)?;
            entries.push(OptionEntry { name, value: Some(value), quoted });
        }
        self.expect(Kind::RightBrace)?;
        Ok(Options { keyword, entries })
    }

    /// A dotted name, a literal, an action or a number; and whether it was a literal.
    pub(super) fn option_value(&mut self) -> Parsed<(Name, bool)> {
        match self.kind() {
            Kind::TokenRef | Kind::RuleRef => Ok((self.dotted_name()?, false)),
            Kind::Literal => {
                let mut value = self.take();
                value.text = value.text.trim_matches('\'').to_owned();
                Ok((value, true))
            }
            Kind::Action | Kind::Int => Ok((self.take(), false)),
            _ => {
                self.unexpected("a value: a name, a literal, a number or an action");
                Err(Broken)
            }
        }
    }

    pub(super) fn dotted_name(&mut self) -> Parsed<Name> {
        let mut name = self.name()?;
        while self.is(Kind::Dot) {
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
            if self.is(Kind::Assign) {
                self.bump();
                name = self.name()?; // the label in front has no effect
            }
            names.push(name);
            match self.kind() {
                Kind::Comma => self.bump(),
                _ => {
                    self.expect(Kind::Semi)?;
                    return Ok(Section { keyword, names });
                }
            }
        }
    }

    /// `tokens { … }` or `channels { … }`; only the former may be empty.
    fn section(&mut self, may_be_empty: bool) -> Parsed<Section> {
        let keyword = self.span();
        self.bump();
        let mut names = Vec::new();
        if !(may_be_empty && self.is(Kind::RightBrace)) {
            names.push(self.name()?);
            while self.is(Kind::Comma) {
                self.bump();
                names.push(self.name()?);
            }
        }
        if !self.is(Kind::RightBrace) {
            self.unexpected("`,` or `}`").help("names are separated by commas: `{ A, B }`");
            return Err(Broken);
        }
        self.bump();
        Ok(Section { keyword, names })
    }

    fn named_action(&mut self) -> Parsed<NamedAction> {
        self.bump();
        let first = match self.kind() {
            Kind::Lexer | Kind::Parser => self.take(),
            _ => self.name()?,
        };
        let (scope, name) = if self.is(Kind::ColonColon) {
            self.bump();
            (Some(first), self.name()?)
        } else {
            (None, first)
        };
        let code = self.code(Kind::Action)?;
        Ok(NamedAction { scope, name, code })
    }

    pub(super) fn code(&mut self, kind: Kind) -> Parsed<CodeText> {
        if !self.is(kind) {
            self.unexpected(&kind.to_string());
            return Err(Broken);
        }
        let name = self.take();
        Ok(CodeText { text: name.text, span: name.span })
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
        if self.kind().is_name() {
            return Ok(self.take());
        }
        self.unexpected("a name");
        Err(Broken)
    }

    pub(super) fn expect(&mut self, kind: Kind) -> Parsed<()> {
        if self.is(kind) {
            self.bump();
            return Ok(());
        }
        self.unexpected(&kind.to_string());
        Err(Broken)
    }

    /// The current token as a name, whatever it is.
    pub(super) fn take(&mut self) -> Name {
        let token = self.tokens[self.at];
        let text = self.text[token.start as usize..token.end as usize].to_owned();
        self.bump();
        Name { text, span: self.span_of(token) }
    }

    pub(super) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    pub(super) fn kind_ahead(&self, n: usize) -> Kind {
        self.tokens.get(self.at + n).map_or(Kind::End, |token| token.kind)
    }

    pub(super) fn is(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    /// Goes to the next token; the end of the file stays where it is.
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
