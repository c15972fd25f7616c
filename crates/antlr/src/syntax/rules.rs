//! Parses rules, alternatives and elements.

use super::names;
use super::parse::{Parsed, Parser, SyntaxError};
use super::token::TokenKind;
use super::tree::{
    Alternative, Atom, Block, CharRange, Command, Element, Label, NamedAction, OptionEntry, Repeat, Rule,
    RuleKind, SetItem, SetItemKind, Suffix,
};
use crate::MAX_NESTING;

/// Whether a parser rule or a lexer rule is parsed, where they differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lexer,
    Parser,
}

impl Parser<'_, '_> {
    /// Parses rules as long as there are any. Modes have only lexer rules.
    pub(super) fn rules(&mut self, rules: &mut Vec<Rule>, parser_rules: bool) {
        loop {
            let rule = match self.kind() {
                TokenKind::Fragment | TokenKind::TokenRef => self.lexer_rule(),
                TokenKind::RuleRef if parser_rules => self.parser_rule(),
                TokenKind::End | TokenKind::Mode | TokenKind::RuleRef => return,
                _ => {
                    self.unexpected("a rule");
                    self.skip_to_rule();
                    continue;
                }
            };
            rules.extend(rule);
        }
    }

    /// Parses a parser rule. Also returns an incomplete one if its name was parsed.
    fn parser_rule(&mut self) -> Option<Rule> {
        let mut rule = Rule::empty(self.take(), RuleKind::Parser, self.span());
        let read = self.parser_header(&mut rule).and_then(|()| self.body(&mut rule, Side::Parser));
        if read.and_then(|()| self.handlers(&mut rule)).is_err() {
            self.skip_rule();
        }
        Some(rule)
    }

    fn parser_header(&mut self, rule: &mut Rule) -> Parsed<()> {
        if self.is(TokenKind::Arguments) {
            rule.arguments = Some(self.code(TokenKind::Arguments)?);
        }
        if self.is(TokenKind::Returns) {
            self.bump();
            rule.returns = Some(self.code(TokenKind::Arguments)?);
        }
        if self.is(TokenKind::Throws) {
            rule.throws = true;
            self.bump();
            self.dotted_name()?;
            while self.is(TokenKind::Comma) {
                self.bump();
                self.dotted_name()?;
            }
        }
        if self.is(TokenKind::Locals) {
            self.bump();
            rule.locals = Some(self.code(TokenKind::Arguments)?);
        }
        loop {
            match self.kind() {
                TokenKind::Options => rule.options.push(self.options()?),
                TokenKind::At => rule.actions.push(self.rule_action()?),
                _ => return Ok(()),
            }
        }
    }

    fn rule_action(&mut self) -> Parsed<NamedAction> {
        self.bump();
        let name = self.name()?;
        let code = self.code(TokenKind::Action)?;
        Ok(NamedAction { scope: None, name, code })
    }

    fn handlers(&mut self, rule: &mut Rule) -> Parsed<()> {
        while self.is(TokenKind::Catch) {
            self.bump();
            self.code(TokenKind::Arguments)?;
            rule.handlers.push(self.code(TokenKind::Action)?);
        }
        if self.is(TokenKind::Finally) {
            self.bump();
            rule.handlers.push(self.code(TokenKind::Action)?);
        }
        Ok(())
    }

    fn lexer_rule(&mut self) -> Option<Rule> {
        let mut kind = RuleKind::Token;
        if self.is(TokenKind::Fragment) {
            kind = RuleKind::Fragment;
            self.bump();
            if !self.is(TokenKind::TokenRef) {
                self.unexpected("the name of a token rule");
                self.skip_rule();
                return None;
            }
        }
        let mut rule = Rule::empty(self.take(), kind, self.span());
        if self.lexer_header(&mut rule).and_then(|()| self.body(&mut rule, Side::Lexer)).is_err() {
            self.skip_rule();
        }
        Some(rule)
    }

    fn lexer_header(&mut self, rule: &mut Rule) -> Parsed<()> {
        if self.is(TokenKind::Options) {
            rule.options.push(self.options()?);
        }
        Ok(())
    }

    /// Parses a rule from `:` to `;`. Keeps what was parsed before an error.
    fn body(&mut self, rule: &mut Rule, side: Side) -> Parsed<()> {
        rule.body.open = self.span();
        self.expect(TokenKind::Colon)?;
        let read = self.alternatives(side, true, &mut rule.body.alternatives);
        self.depth = 0;
        read?;
        if !self.is(TokenKind::Semi) && self.at_rule_header() {
            return Err(self.missing_semi(self.at));
        }
        self.expect(TokenKind::Semi)
    }

    /// Parses alternatives up to a token that cannot belong to one. Only a rule's own alternatives have labels.
    fn alternatives(&mut self, side: Side, outermost: bool, into: &mut Vec<Alternative>) -> Parsed<()> {
        loop {
            let mut alternative = Alternative {
                span: self.span(),
                options: Vec::new(),
                elements: Vec::new(),
                label: None,
                commands: Vec::new(),
            };
            let read = self.alternative(side, outermost, &mut alternative);
            let last = self.at.saturating_sub(1);
            alternative.span.end = alternative.span.start.max(self.tokens[last].end);
            into.push(alternative);
            read?;
            if !self.is(TokenKind::Or) {
                return Ok(());
            }
            self.bump();
        }
    }

    fn alternative(&mut self, side: Side, outermost: bool, alternative: &mut Alternative) -> Parsed<()> {
        if side == Side::Parser && self.is(TokenKind::Less) {
            alternative.options = self.element_options()?;
        }
        while self.starts_element(side) {
            alternative.elements.push(self.element(side)?);
        }
        match self.kind() {
            TokenKind::Pound if outermost && side == Side::Parser => {
                self.bump();
                alternative.label = Some(self.name()?);
            }
            TokenKind::Arrow if side == Side::Lexer => {
                self.bump();
                alternative.commands.push(self.command()?);
                while self.is(TokenKind::Comma) {
                    self.bump();
                    alternative.commands.push(self.command()?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn starts_element(&self, side: Side) -> bool {
        match self.kind() {
            TokenKind::CharSet => side == Side::Lexer,
            kind => self.follows_element(kind),
        }
    }

    fn command(&mut self) -> Parsed<Command> {
        let name = match self.kind() {
            TokenKind::Mode => self.take(),
            _ => self.name()?,
        };
        let mut argument = None;
        if self.is(TokenKind::LeftParen) {
            self.bump();
            argument = Some(if self.is(TokenKind::Int) { self.take() } else { self.name()? });
            self.expect(TokenKind::RightParen)?;
        }
        Ok(Command { name, argument })
    }

    fn element(&mut self, side: Side) -> Parsed<Element> {
        let start = self.span();
        self.check_follow(side)?;
        let mut label = None;
        if side == Side::Parser && self.kind().is_name() && self.label_follows() {
            let name = self.take();
            label = Some(Label { name, list: self.is(TokenKind::PlusAssign) });
            self.bump();
        }
        let (atom, options) = self.atom(side, label.is_some())?;
        let suffix = match atom {
            Atom::Action(_) | Atom::Predicate(_) => None,
            _ => self.suffix(),
        };
        let end = self.span_of(self.tokens[self.at.saturating_sub(1)]);
        Ok(Element { span: start.to(end), label, atom, options, suffix })
    }

    fn label_follows(&self) -> bool {
        matches!(self.kind_ahead(1), TokenKind::Assign | TokenKind::PlusAssign)
    }

    /// Checks that a name or literal of a parser rule is followed by something that may follow an element; ANTLR
    /// checks this before it consumes it.
    fn check_follow(&mut self, side: Side) -> Parsed<()> {
        let kind = self.kind();
        let next = self.kind_ahead(1);
        if side == Side::Lexer && kind.is_name() && next == TokenKind::Colon {
            // ANTLR takes the name for an element of the rule and reports the colon.
            return Err(self.missing_semi(self.at + 1));
        }
        if !(kind.is_name() && side == Side::Parser || kind == TokenKind::Literal) || next == TokenKind::End {
            return Ok(());
        }
        let allowed = match next {
            TokenKind::Assign | TokenKind::PlusAssign => kind != TokenKind::Literal,
            TokenKind::Arguments => kind == TokenKind::RuleRef,
            TokenKind::Range => kind == TokenKind::Literal,
            TokenKind::CharSet | TokenKind::Arrow => side == Side::Lexer,
            TokenKind::Pound => side == Side::Parser,
            TokenKind::Less | TokenKind::Or | TokenKind::RightParen | TokenKind::Semi => true,
            next => next.is_suffix() || self.follows_element(next),
        };
        if allowed {
            return Ok(());
        }
        let header = matches!(
            next,
            TokenKind::Colon | TokenKind::Returns | TokenKind::Catch | TokenKind::Finally | TokenKind::At
        );
        if header && side == Side::Parser {
            return Err(self.missing_semi(self.at));
        }
        self.bump();
        self.unexpected("an element, `|` or `;`");
        Err(SyntaxError)
    }

    fn follows_element(&self, kind: TokenKind) -> bool {
        matches!(
            kind,
            TokenKind::TokenRef
                | TokenKind::RuleRef
                | TokenKind::Literal
                | TokenKind::Dot
                | TokenKind::Not
                | TokenKind::LeftParen
                | TokenKind::Action
                | TokenKind::Predicate
        )
    }

    fn suffix(&mut self) -> Option<Suffix> {
        let repeat = match self.kind() {
            TokenKind::Question => Repeat::Optional,
            TokenKind::Star => Repeat::Star,
            TokenKind::Plus => Repeat::Plus,
            _ => return None,
        };
        let span = self.span();
        self.bump();
        let greedy = !self.is(TokenKind::Question);
        if !greedy {
            self.bump();
        }
        Some(Suffix { span, repeat, greedy })
    }

    fn atom(&mut self, side: Side, labelled: bool) -> Parsed<(Atom, Vec<OptionEntry>)> {
        let atom = match self.kind() {
            TokenKind::Literal if self.kind_ahead(1) == TokenKind::Range => {
                return Ok((Atom::Range(self.range()?), Vec::new()));
            }
            TokenKind::Literal => Atom::Literal(self.take()),
            TokenKind::TokenRef => Atom::Token(self.take()),
            TokenKind::RuleRef => {
                let name = self.take();
                let has_arguments = side == Side::Parser && self.is(TokenKind::Arguments);
                let arguments = if has_arguments { Some(self.code(TokenKind::Arguments)?) } else { None };
                let atom = Atom::Rule { name, arguments };
                if side == Side::Lexer {
                    return Ok((atom, Vec::new()));
                }
                atom
            }
            TokenKind::Dot => {
                self.bump();
                Atom::Any
            }
            TokenKind::Not => return Ok((self.not()?, Vec::new())),
            TokenKind::LeftParen => return Ok((Atom::Group(self.group(side)?), Vec::new())),
            TokenKind::CharSet if side == Side::Lexer => return Ok((Atom::CharSet(self.take()), Vec::new())),
            TokenKind::Action if !labelled => Atom::Action(self.code(TokenKind::Action)?),
            TokenKind::Predicate if !labelled => Atom::Predicate(self.code(TokenKind::Predicate)?),
            _ => {
                self.unexpected("an element");
                return Err(SyntaxError);
            }
        };
        let options = if self.is(TokenKind::Less) { self.element_options()? } else { Vec::new() };
        Ok((atom, options))
    }

    fn range(&mut self) -> Parsed<CharRange> {
        let low = self.take();
        let dots = self.span();
        self.bump();
        if !self.is(TokenKind::Literal) {
            self.unexpected("a literal");
            return Err(SyntaxError);
        }
        Ok(CharRange { low, high: self.take(), dots })
    }

    /// Parses `~x` or `~(x | y)`.
    fn not(&mut self) -> Parsed<Atom> {
        self.bump();
        let open = self.span();
        let mut items = Vec::new();
        if self.is(TokenKind::LeftParen) {
            self.bump();
            items.push(self.set_item()?);
            while self.is(TokenKind::Or) {
                self.bump();
                items.push(self.set_item()?);
            }
            self.expect(TokenKind::RightParen)?;
        } else {
            items.push(self.set_item()?);
        }
        Ok(Atom::Not { items, open })
    }

    fn set_item(&mut self) -> Parsed<SetItem> {
        let kind = match self.kind() {
            TokenKind::TokenRef => SetItemKind::Token(self.take()),
            TokenKind::CharSet => SetItemKind::CharSet(self.take()),
            TokenKind::Literal if self.kind_ahead(1) == TokenKind::Range => SetItemKind::Range(self.range()?),
            TokenKind::Literal => SetItemKind::Literal(self.take()),
            _ => {
                self.unexpected("a token, a literal or a character set")
                    .help("`~` takes no rules or sequences");
                return Err(SyntaxError);
            }
        };
        let takes_options = matches!(kind, SetItemKind::Token(_) | SetItemKind::Literal(_));
        let options =
            if takes_options && self.is(TokenKind::Less) { self.element_options()? } else { Vec::new() };
        Ok(SetItem { kind, options })
    }

    fn group(&mut self, side: Side) -> Parsed<Block> {
        let mut block =
            Block { open: self.span(), options: None, has_actions: false, alternatives: Vec::new() };
        if self.depth == MAX_NESTING {
            let message = format!("groups may be nested {MAX_NESTING} deep at most");
            let help = "move an inner group into a rule of its own";
            self.report.extra_error(crate::codes::NESTING, block.open, message).help(help);
            return Err(SyntaxError);
        }
        self.depth += 1;
        self.bump();
        let mut has_header = false;
        if self.is(TokenKind::Options) {
            block.options = Some(self.options()?);
            has_header = true;
        }
        while side == Side::Parser && self.is(TokenKind::At) {
            self.rule_action()?;
            block.has_actions = true;
            has_header = true;
        }
        if has_header || (side == Side::Parser && self.is(TokenKind::Colon)) {
            self.expect(TokenKind::Colon)?;
        }
        self.alternatives(side, false, &mut block.alternatives)?;
        self.expect(TokenKind::RightParen)?;
        self.depth -= 1;
        Ok(block)
    }

    fn element_options(&mut self) -> Parsed<Vec<OptionEntry>> {
        self.bump();
        let mut options = Vec::new();
        if !self.is(TokenKind::Greater) {
            options.push(self.element_option()?);
            while self.is(TokenKind::Comma) {
                self.bump();
                options.push(self.element_option()?);
            }
        }
        self.expect(TokenKind::Greater)?;
        Ok(options)
    }

    fn element_option(&mut self) -> Parsed<OptionEntry> {
        let name = self.dotted_name()?;
        if !self.is(TokenKind::Assign) {
            return Ok(OptionEntry { name, value: None, quoted: false });
        }
        self.bump();
        let (value, quoted) = self.option_value()?;
        Ok(OptionEntry { name, value: Some(value), quoted })
    }
}

impl Rule {
    /// A rule of which only the name is known.
    pub(crate) fn empty(name: super::tree::Name, kind: RuleKind, open: polysmith_source::Span) -> Rule {
        debug_assert!(kind == RuleKind::Parser || names::is_token(&name.text));
        let body = Block { open, options: None, has_actions: false, alternatives: Vec::new() };
        Rule {
            name,
            kind,
            arguments: None,
            returns: None,
            locals: None,
            throws: false,
            options: Vec::new(),
            actions: Vec::new(),
            body,
            handlers: Vec::new(),
            implicit: false,
        }
    }
}
