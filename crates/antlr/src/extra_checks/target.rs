//! Reports target code that a grammar needs and Polysmith does not run.

use crate::codes;
use crate::report::Report;
use crate::split::Halves;
use crate::syntax::tree::{Atom, Block, File, RuleKind};
use polysmith_grammar::{BlockId, CodeKind, ElementKind, Grammar, Meaning};
use polysmith_source::Span;

/// The target code of a grammar, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Needs {
    /// Rules with predicates that are neither constants nor numbers.
    predicates: Vec<String>,
    /// Rules with actions.
    actions: Vec<String>,
    /// Lexer rules with commands that ANTLR turns into target code (`-> Channel(X)`).
    commands: Vec<String>,
    /// The classes that `superClass` names.
    super_classes: Vec<String>,
}

impl Needs {
    /// Whether nothing is needed.
    fn is_empty(&self) -> bool {
        *self == Needs::default()
    }
}

/// Collects the target code of all rules. Empty actions do not count.
fn needs(grammar: &Grammar, halves: &Halves) -> Needs {
    let mut needs = Needs::default();
    for rule in grammar.rules() {
        let blocks = BlockId::range(grammar.rule(rule).blocks.clone());
        let elements = blocks.flat_map(|b| grammar.alternatives(b)).flat_map(|alt| grammar.elements(alt));
        let name = &grammar.rule(rule).name;
        for element in elements {
            let ElementKind::Code(code) = element.kind else { continue };
            let code = grammar.code(code);
            match code.kind {
                CodeKind::Action if code.text.trim().is_empty() => {}
                CodeKind::Action => add(&mut needs.actions, name),
                CodeKind::Predicate { meaning: Meaning::Unknown, .. } => add(&mut needs.predicates, name),
                CodeKind::Predicate { .. } => {}
            }
        }
    }
    for file in files(halves) {
        for (_, rule) in file.all_rules().filter(|(_, rule)| rule.kind != RuleKind::Parser) {
            if has_code_command(&rule.body) {
                add(&mut needs.commands, &rule.name.text);
            }
        }
        if let Some(class) = file.option("superClass").and_then(|entry| entry.value.as_ref()) {
            add(&mut needs.super_classes, &class.text);
        }
    }
    needs
}

fn add(list: &mut Vec<String>, name: &str) {
    if list.last().is_none_or(|last| last != name) {
        list.push(name.to_owned());
    }
}

fn files(halves: &Halves) -> impl Iterator<Item = &File> {
    [&halves.lexer, &halves.parser].into_iter().flatten().map(|part| &part.file)
}

/// Whether a block has a command that ANTLR turns into code, because its name is not in lower case.
fn has_code_command(body: &Block) -> bool {
    let mut commands = body.alternatives.iter().flat_map(|alternative| &alternative.commands);
    commands.any(|command| command.name.text.starts_with(char::is_uppercase))
}

/// Reports all target code in one message.
pub(super) fn check(grammar: &Grammar, halves: &Halves, is_error: bool, report: &mut Report<'_>) {
    let needs = needs(grammar, halves);
    if needs.is_empty() {
        return;
    }
    let lists = [
        ("predicates in", &needs.predicates),
        ("actions in", &needs.actions),
        ("commands as code in", &needs.commands),
        ("the class", &needs.super_classes),
    ];
    let parts = lists.iter().filter(|(_, names)| !names.is_empty());
    let parts: Vec<String> = parts.map(|(what, names)| format!("{what} {}", listed(names))).collect();
    let message = format!("target code is not run: {}", parts.join("; "));
    let help = "predicates count as true and actions do nothing, so more texts may be accepted than by ANTLR's parser";
    let place = files(halves).find_map(first_code);
    let place = place.map_or(polysmith_source::Location::Nowhere, polysmith_source::Location::Span);
    if is_error {
        report.extra_error(codes::TARGET_CODE, place, message).help(help);
    } else {
        report.extra_warning(codes::TARGET_CODE, place, message).help(help);
    }
}

/// At most eight names, and the number of the others.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(8) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The location of the first piece of code or of `superClass`.
fn first_code(file: &File) -> Option<Span> {
    if let Some(entry) = file.option("superClass") {
        return Some(entry.name.span);
    }
    let mut found = None;
    for (_, rule) in file.all_rules() {
        rule.body.walk(&mut |element| {
            if let Atom::Action(code) | Atom::Predicate(code) = &element.atom {
                found.get_or_insert(code.span);
            }
        });
        let mut commands = rule.body.alternatives.iter().flat_map(|alternative| &alternative.commands);
        if let Some(command) = commands.find(|command| command.name.text.starts_with(char::is_uppercase)) {
            found.get_or_insert(command.name.span);
        }
    }
    found
}
