//! The parser's lower half: rules, alternatives, elements.

use super::names;
use super::parse::{Broken, Parsed, Parser};
use super::token::Kind;
use super::tree::{
    Alternative, Atom, Block, CharRange, Command, Element, Label, NamedAction, OptionEntry, Repeat, Rule,
    RuleKind, SetItem, SetItemKind, Suffix,
};
use crate::MAX_NESTING;

/// The two halves of the language, where they differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lexer,
    Parser,
}

impl Parser<'_, '_> {
    /// Rules as long as there are some. Modes have lexer rules only.
    pub(super) fn rules(&mut self, rules: &mut Vec<Rule>, parser_rules: bool) {
        loop {
            let rule = match self.kind() {
                Kind::Fragment | Kind::TokenRef => self.lexer_rule(),
                Kind::RuleRef if parser_rules => self.parser_rule(),
                Kind::End | Kind::Mode | Kind::RuleRef => return,
                _ => {
                    self.unexpected("a rule");
                    self.skip_to_rule();
                    continue;
                }
            };
            rules.extend(rule);
        }
    }

    /// A parser rule; also a rule that could not be read to its end, as far as its name was there.
    fn parser_rule(&mut self) -> Option<Rule> {
        let mut rule = Rule::empty(self.take(), RuleKind::Parser, self.span());
        let read = self.parser_header(&mut rule).and_then(|()| self.body(&mut rule, Side::Parser));
        if read.and_then(|()| self.handlers(&mut rule)).is_err() {
            self.skip_rule();
        }
        Some(rule)
    }

    fn parser_header(&mut self, rule: &mut Rule) -> Parsed<()> {
        if self.is(Kind::Arguments) {
            rule.arguments = Some(self.code(Kind::Arguments)?);
        }
        if self.is(Kind::Returns) {
            self.bump();
            rule.returns = Some(self.code(Kind::Arguments)?);
        }
        if self.is(Kind::Throws) {
            rule.throws = true;
            self.bump();
            self.dotted_name()?;
            while self.is(Kind::Comma) {
                self.bump();
                self.dotted_name()?;
            }
        }
        if self.is(Kind::Locals) {
            self.bump();
            rule.locals = Some(self.code(Kind::Arguments)?);
        }
        loop {
            match self.kind() {
                Kind::Options => rule.options.push(self.options()?),
                Kind::At => rule.actions.push(self.rule_action()?),
                _ => return Ok(()),
            }
        }
    }

    fn rule_action(&mut self) -> Parsed<NamedAction> {
        self.bump();
        let name = self.name()?;
        let code = self.code(Kind::Action)?;
        Ok(NamedAction { scope: None, name, code })
    }

    fn handlers(&mut self, rule: &mut Rule) -> Parsed<()> {
        while self.is(Kind::Catch) {
            self.bump();
            self.code(Kind::Arguments)?;
            rule.handlers.push(self.code(Kind::Action)?);
        }
        if self.is(Kind::Finally) {
            self.bump();
            rule.handlers.push(self.code(Kind::Action)?);
        }
        Ok(())
    }

    fn lexer_rule(&mut self) -> Option<Rule> {
        let mut kind = RuleKind::Token;
        if self.is(Kind::Fragment) {
            kind = RuleKind::Fragment;
            self.bump();
            if !self.is(Kind::TokenRef) {
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
        if self.is(Kind::Options) {
            rule.options.push(self.options()?);
        }
        Ok(())
    }

    /// From `:` to `;`. What was read before an error is kept.
    fn body(&mut self, rule: &mut Rule, side: Side) -> Parsed<()> {
        rule.body.open = self.span();
        self.expect(Kind::Colon)?;
        let read = self.alternatives(side, true, &mut rule.body.alternatives);
        self.depth = 0;
        read?;
        if !self.is(Kind::Semi) && self.at_rule_header() {
            return Err(self.missing_semi(self.at));
        }
        self.expect(Kind::Semi)
    }

    /// Alternatives up to what cannot belong to one. Labels stand only on a rule's own alternatives.
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
            if !self.is(Kind::Or) {
                return Ok(());
            }
            self.bump();
        }
    }

    fn alternative(&mut self, side: Side, outermost: bool, alternative: &mut Alternative) -> Parsed<()> {
        if side == Side::Parser && self.is(Kind::Less) {
            alternative.options = self.element_options()?;
        }
        while self.starts_element(side) {
            alternative.elements.push(self.element(side)?);
        }
        match self.kind() {
            Kind::Pound if outermost && side == Side::Parser => {
                self.bump();
                alternative.label = Some(self.name()?);
            }
            Kind::Arrow if side == Side::Lexer => {
                self.bump();
                alternative.commands.push(self.command()?);
                while self.is(Kind::Comma) {
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
            Kind::CharSet => side == Side::Lexer,
            kind => self.follows_element(kind),
        }
    }

    fn command(&mut self) -> Parsed<Command> {
        let name = match self.kind() {
            Kind::Mode => self.take(),
            _ => self.name()?,
        };
        let mut argument = None;
        if self.is(Kind::LeftParen) {
            self.bump();
            argument = Some(if self.is(Kind::Int) { self.take() } else { self.name()? });
            self.expect(Kind::RightParen)?;
        }
        Ok(Command { name, argument })
    }

    fn element(&mut self, side: Side) -> Parsed<Element> {
        let start = self.span();
        self.check_behind(side)?;
        let mut label = None;
        if side == Side::Parser && self.kind().is_name() && self.label_follows() {
            let name = self.take();
            label = Some(Label { name, list: self.is(Kind::PlusAssign) });
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
        matches!(self.kind_ahead(1), Kind::Assign | Kind::PlusAssign)
    }

    /// A name or literal of a parser rule must be followed by something that may follow an element; ANTLR
    /// looks before it takes it.
    fn check_behind(&mut self, side: Side) -> Parsed<()> {
        let kind = self.kind();
        let behind = self.kind_ahead(1);
        if side == Side::Lexer && kind.is_name() && behind == Kind::Colon {
            // ANTLR takes the name for an element of the rule and reports the colon.
            return Err(self.missing_semi(self.at + 1));
        }
        if !(kind.is_name() && side == Side::Parser || kind == Kind::Literal) || behind == Kind::End {
            return Ok(());
        }
        let allowed = match behind {
            Kind::Assign | Kind::PlusAssign => kind != Kind::Literal,
            Kind::Arguments => kind == Kind::RuleRef,
            Kind::Range => kind == Kind::Literal,
            Kind::CharSet | Kind::Arrow => side == Side::Lexer,
            Kind::Pound => side == Side::Parser,
            Kind::Less | Kind::Or | Kind::RightParen | Kind::Semi => true,
            behind => behind.is_suffix() || self.follows_element(behind),
        };
        if allowed {
            return Ok(());
        }
        let header = matches!(behind, Kind::Colon | Kind::Returns | Kind::Catch | Kind::Finally | Kind::At);
        if header && side == Side::Parser {
            return Err(self.missing_semi(self.at));
        }
        self.bump();
        self.unexpected("an element, `|` or `;`");
        Err(Broken)
    }

    fn follows_element(&self, kind: Kind) -> bool {
        matches!(
            kind,
            Kind::TokenRef
                | Kind::RuleRef
                | Kind::Literal
                | Kind::Dot
                | Kind::Not
                | Kind::LeftParen
                | Kind::Action
                | Kind::Predicate
        )
    }

    fn suffix(&mut self) -> Option<Suffix> {
        let repeat = match self.kind() {
            Kind::Question => Repeat::Optional,
            Kind::Star => Repeat::Star,
            Kind::Plus => Repeat::Plus,
            _ => return None,
        };
        let span = self.span();
        self.bump();
        let greedy = !self.is(Kind::Question);
        if !greedy {
            self.bump();
        }
        Some(Suffix { span, repeat, greedy })
    }

    fn atom(&mut self, side: Side, labelled: bool) -> Parsed<(Atom, Vec<OptionEntry>)> {
        let atom = match self.kind() {
            Kind::Literal if self.kind_ahead(1) == Kind::Range => {
                return Ok((Atom::Range(self.range()?), Vec::new()));
            }
            Kind::Literal => Atom::Literal(self.take()),
            Kind::TokenRef => Atom::Token(self.take()),
            Kind::RuleRef => {
                let name = self.take();
                let has_arguments = side == Side::Parser && self.is(Kind::Arguments);
                let arguments = if has_arguments { Some(self.code(Kind::Arguments)?) } else { None };
                let atom = Atom::Rule { name, arguments };
                if side == Side::Lexer {
                    return Ok((atom, Vec::new()));
                }
                atom
            }
            Kind::Dot => {
                self.bump();
                Atom::Any
            }
            Kind::Not => return Ok((self.not()?, Vec::new())),
            Kind::LeftParen => return Ok((Atom::Group(self.group(side)?), Vec::new())),
            Kind::CharSet if side == Side::Lexer => return Ok((Atom::CharSet(self.take()), Vec::new())),
            Kind::Action if !labelled => Atom::Action(self.code(Kind::Action)?),
            Kind::Predicate if !labelled => Atom::Predicate(self.code(Kind::Predicate)?),
            _ => {
                self.unexpected("an element");
                return Err(Broken);
            }
        };
        let options = if self.is(Kind::Less) { self.element_options()? } else { Vec::new() };
        Ok((atom, options))
    }

    fn range(&mut self) -> Parsed<CharRange> {
        let low = self.take();
        let dots = self.span();
        self.bump();
        if !self.is(Kind::Literal) {
            self.unexpected("a literal");
            return Err(Broken);
        }
        Ok(CharRange { low, high: self.take(), dots })
    }

    /// `~x` or `~(x | y)`.
    fn not(&mut self) -> Parsed<Atom> {
        self.bump();
        let open = self.span();
        let mut items = Vec::new();
        if self.is(Kind::LeftParen) {
            self.bump();
            items.push(self.set_item()?);
            while self.is(Kind::Or) {
                self.bump();
                items.push(self.set_item()?);
            }
            self.expect(Kind::RightParen)?;
        } else {
            items.push(self.set_item()?);
        }
        Ok(Atom::Not { items, open })
    }

    fn set_item(&mut self) -> Parsed<SetItem> {
        let kind = match self.kind() {
            Kind::TokenRef => SetItemKind::Token(self.take()),
            Kind::CharSet => SetItemKind::CharSet(self.take()),
            Kind::Literal if self.kind_ahead(1) == Kind::Range => SetItemKind::Range(self.range()?),
            Kind::Literal => SetItemKind::Literal(self.take()),
            _ => {
                self.unexpected("a token, a literal or a character set")
                    .help("`~` takes no rules or sequences");
                return Err(Broken);
            }
        };
        let takes_options = matches!(kind, SetItemKind::Token(_) | SetItemKind::Literal(_));
        let options = if takes_options && self.is(Kind::Less) { self.element_options()? } else { Vec::new() };
        Ok(SetItem { kind, options })
    }

    fn group(&mut self, side: Side) -> Parsed<Block> {
        let mut block =
            Block { open: self.span(), options: None, has_actions: false, alternatives: Vec::new() };
        if self.depth == MAX_NESTING {
            let message = format!("groups may be nested {MAX_NESTING} deep at most");
            let help = "move an inner group into a rule of its own";
            self.report.own_error(crate::codes::NESTING, block.open, message).help(help);
            return Err(Broken);
        }
        self.depth += 1;
        self.bump();
        let mut has_header = false;
        if self.is(Kind::Options) {
            block.options = Some(self.options()?);
            has_header = true;
        }
        while side == Side::Parser && self.is(Kind::At) {
            self.rule_action()?;
            block.has_actions = true;
            has_header = true;
        }
        if has_header || (side == Side::Parser && self.is(Kind::Colon)) {
            self.expect(Kind::Colon)?;
        }
        self.alternatives(side, false, &mut block.alternatives)?;
        self.expect(Kind::RightParen)?;
        self.depth -= 1;
        Ok(block)
    }

    fn element_options(&mut self) -> Parsed<Vec<OptionEntry>> {
        self.bump();
        let mut options = Vec::new();
        if !self.is(Kind::Greater) {
            options.push(self.element_option()?);
            while self.is(Kind::Comma) {
                self.bump();
                options.push(self.element_option()?);
            }
        }
        self.expect(Kind::Greater)?;
        Ok(options)
    }

    fn element_option(&mut self) -> Parsed<OptionEntry> {
        let name = self.dotted_name()?;
        if !self.is(Kind::Assign) {
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
