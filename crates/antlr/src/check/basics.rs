//! Stage 5: checks of single rules, in one walk over the text.

use super::{Context, options, place};
use crate::import::DirectImport;
use crate::report::Report;
use crate::sets;
use crate::split::GrammarHalf;
use crate::syntax::names;
use crate::syntax::tree::{
    Alternative, Atom, Block, Element, File, GrammarKind, Prequel, Rule, RuleKind, Section,
};
use polysmith_source::Span;

pub(super) fn check(half: &GrammarHalf, context: &Context<'_>, report: &mut Report<'_>) {
    let is_implicit = half.combined && half.file.kind == GrammarKind::Lexer;
    if !is_implicit {
        name(&half.file, context, report);
    }
    let mut walk = Walk { file: &half.file, fold_case: false, report };
    walk.prequels(context.imports);
    walk.rules();
}

/// Checks that the grammar has the name of its file.
fn name(file: &File, context: &Context<'_>, report: &mut Report<'_>) {
    if let Some(stem) = context.file_stem.filter(|stem| *stem != file.name.text && !file.broken) {
        let message = format!("the grammar `{}` is in a file called `{stem}`", file.name.text);
        report.at(8, file.name.span, message).help(format!("write `grammar {stem};` or rename the file"));
    }
}

struct Walk<'a, 'r> {
    file: &'a File,
    fold_case: bool,
    report: &'a mut Report<'r>,
}

impl Walk<'_, '_> {
    fn prequels(&mut self, imports: &[DirectImport]) {
        for prequel in &self.file.prequels {
            match prequel {
                Prequel::Options(options) => {
                    self.fold_case = options::of_grammar(options, self.fold_case, self.report);
                }
                Prequel::Import(section) => self.import(section, imports),
                Prequel::Tokens(section) => self.tokens(section),
                Prequel::Channels(section) => self.channels(section.keyword),
                Prequel::Action(_) => {}
            }
        }
        self.repeated();
        if self.file.rules.is_empty() && !self.file.broken {
            let message = format!("the grammar `{}` has no rules", self.file.name.text);
            self.report.at(99, self.file.source, message).help("write a rule: `start : EOF ;`");
        }
    }

    fn import(&mut self, section: &Section, imports: &[DirectImport]) {
        let own = self.file.kind;
        for name in &section.names {
            let Some(import) = imports.iter().find(|import| import.name.text == name.text) else { continue };
            let fits = own == GrammarKind::Combined || own == import.kind;
            if !fits {
                let message = format!(
                    "a {} grammar cannot import the {} grammar `{}`",
                    word(own),
                    word(import.kind),
                    name.text
                );
                let help = "lexers import lexers, parsers import parsers, combined grammars import anything";
                self.report.at(111, name.span, message).help(help);
            }
            let clashes =
                ["Lexer", "Parser"].iter().any(|half| name.text == format!("{}{half}", self.file.name.text));
            if own == GrammarKind::Combined && clashes {
                let message = format!("`{}` is the name of a half of this grammar", name.text);
                self.report.at(113, name.span, message).help("rename the imported grammar");
            }
        }
    }

    fn tokens(&mut self, section: &Section) {
        for name in &section.names {
            if !names::is_token(&name.text) {
                let message = format!("the token `{}` does not begin with a capital letter", name.text);
                self.report.at(60, name.span, message).help("token names begin with a capital letter");
            }
        }
    }

    fn channels(&mut self, keyword: Span) {
        let (code, kind) = match self.file.kind {
            GrammarKind::Lexer => return,
            GrammarKind::Parser => (163, "parser"),
            GrammarKind::Combined => (164, "combined"),
        };
        let message = format!("a {kind} grammar cannot declare channels");
        self.report.at(code, keyword, message).help("move the lexer rules into a lexer grammar of their own");
    }

    fn repeated(&mut self) {
        let keyword = |prequel: &Prequel, kind: usize| match (prequel, kind) {
            (Prequel::Options(options), 0) => Some(options.keyword),
            (Prequel::Import(section), 1) | (Prequel::Tokens(section), 2) => Some(section.keyword),
            _ => None,
        };
        for kind in 0..3 {
            let mut sections = self.file.prequels.iter().filter_map(|prequel| keyword(prequel, kind));
            if let (Some(first), Some(second)) = (sections.next(), sections.next()) {
                let problem = self.report.at(54, second, "the grammar has this section twice");
                problem.also(first, "the first one").help("merge the two");
            }
        }
    }

    fn rules(&mut self) {
        for rule in &self.file.rules {
            self.rule(rule);
        }
        for mode in &self.file.modes {
            if self.file.kind != GrammarKind::Lexer {
                let message = format!("the mode `{}` is outside of a lexer grammar", mode.name.text);
                let help = "move the lexer rules into a lexer grammar of their own";
                self.report.at(120, mode.name.span, message).help(help);
            }
            for rule in &mode.rules {
                self.rule(rule);
            }
            if !mode.rules.iter().any(|rule| rule.kind == RuleKind::Token) {
                let message = format!("the mode `{}` has no token rules", mode.name.text);
                self.report
                    .at(145, mode.name.span, message)
                    .help("fragments do not count; add a rule or remove the mode");
            }
        }
    }

    fn rule(&mut self, rule: &Rule) {
        let is_lexer = rule.kind != RuleKind::Parser;
        let name = &rule.name;
        match self.file.kind {
            GrammarKind::Lexer if name.text.starts_with(char::is_lowercase) => {
                let message = format!("the parser rule `{}` is in a lexer grammar", name.text);
                self.report.at(53, name.span, message).help("lexer rules begin with a capital letter");
            }
            GrammarKind::Parser if names::is_token(&name.text) => {
                let message = format!("the lexer rule `{}` is in a parser grammar", name.text);
                self.report.at(52, name.span, message).help("move it to the lexer grammar");
            }
            _ => {}
        }
        for options in &rule.options {
            options::of_rule(options, is_lexer, self.fold_case, self.report);
        }
        self.block(rule, &rule.body, true);
        if !is_lexer {
            super::labels::alternatives(self.file, rule, self.report);
        }
    }

    fn block(&mut self, rule: &Rule, block: &Block, outermost: bool) {
        if let Some(options) = &block.options {
            options::of_block(options, self.report);
        }
        for alternative in &block.alternatives {
            for element in &alternative.elements {
                self.element(rule, element);
            }
            self.commands(rule, alternative, outermost && block.alternatives.len() == 1);
        }
    }

    fn element(&mut self, rule: &Rule, element: &Element) {
        options::of_element(&rule.name.text, element, self.report);
        match &element.atom {
            Atom::Group(group) => {
                let is_set = rule.kind == RuleKind::Parser && sets::is_token_set(group);
                if let Some(label) = element.label.as_ref().filter(|_| !is_set) {
                    let message =
                        format!("the label `{}` is on a group that is not a set of tokens", label.name.text);
                    self.report.at(130, label.name.span, message).help("label the elements inside the group");
                }
                self.block(rule, group, false);
            }
            Atom::Literal(literal) if literal.text == "''" => self.empty_literal(rule, literal.span),
            Atom::Action(code) if rule.kind == RuleKind::Fragment => self.ignored(rule, code.span, "action"),
            Atom::Not { items, .. } => {
                for option in items.iter().flat_map(|item| &item.options) {
                    options::of_atom(&rule.name.text, option, Some(&["assoc", "tokenIndex"]), self.report);
                }
            }
            _ => {}
        }
    }

    fn empty_literal(&mut self, rule: &Rule, span: Span) {
        let at = place(self.file, rule, span);
        self.report
            .at(174, at, "a literal must not be empty")
            .help("leave the element out, or write an empty alternative");
    }

    fn ignored(&mut self, rule: &Rule, span: Span, what: &str) {
        let message = format!("the {what} in fragment `{}` is ignored", rule.name.text);
        self.report.at(158, span, message).help("move it to the token rules that use the fragment");
    }

    fn commands(&mut self, rule: &Rule, alternative: &Alternative, alone: bool) {
        for command in &alternative.commands {
            if !alone {
                let message =
                    format!("commands of `{}` must be at the end of its only alternative", rule.name.text);
                let help = "put the alternatives in parentheses: `A : ( x | y ) -> skip ;`";
                self.report.at(133, command.name.span, message).help(help);
            }
            if rule.kind == RuleKind::Fragment {
                self.ignored(rule, command.name.span, "command");
            }
        }
    }
}

fn word(kind: GrammarKind) -> &'static str {
    match kind {
        GrammarKind::Combined => "combined",
        GrammarKind::Lexer => "lexer",
        GrammarKind::Parser => "parser",
    }
}
