//! Stage 4: every rule is defined once, and what rules refer to is defined.

use crate::report::Report;
use crate::syntax::tree::{Atom, File, GrammarKind, Name, Rule, RuleKind, SetItemKind};
use polysmith_source::nearest;
use rustc_hash::FxHashMap;

pub(super) fn check(file: &File, report: &mut Report<'_>) {
    let mut rules: FxHashMap<&str, &Rule> = FxHashMap::default();
    for (_, rule) in file.all_rules() {
        if let Some(first) = rules.get(rule.name.text.as_str()) {
            let message = format!("rule `{}` is defined twice", rule.name.text);
            let problem = report.at(51, super::place(file, rule, rule.name.span), message);
            problem.also(first.name.span, "first defined here").help("rename or remove one of them");
        } else {
            rules.insert(&rule.name.text, rule);
        }
    }
    for (_, rule) in file.all_rules() {
        rule.body.walk(&mut |element| match &element.atom {
            Atom::Rule { name, .. } => reference(file, rule, name, &rules, report),
            Atom::Token(name) => token(file, rule, name, &rules, report),
            Atom::Not { items, .. } => {
                for item in items {
                    if let SetItemKind::Token(name) = &item.kind {
                        token(file, rule, name, &rules, report);
                    }
                }
            }
            _ => {}
        });
    }
}

/// Checks a token name. In a lexer, token names refer to rules.
fn token(file: &File, rule: &Rule, name: &Name, rules: &FxHashMap<&str, &Rule>, report: &mut Report<'_>) {
    if file.kind == GrammarKind::Lexer && name.text != "EOF" {
        reference(file, rule, name, rules, report);
    }
}

fn reference(file: &File, rule: &Rule, name: &Name, rules: &FxHashMap<&str, &Rule>, report: &mut Report<'_>) {
    let is_lower = name.text.starts_with(char::is_lowercase);
    if rule.kind != RuleKind::Parser && is_lower {
        let message =
            format!("the lexer rule `{}` refers to the parser rule `{}`", rule.name.text, name.text);
        let help = "lexer rules use lexer rules only; names of those begin with a capital letter";
        report.at(160, name.span, message).help(help);
    } else if !rules.contains_key(name.text.as_str()) {
        let problem = report.at(56, name.span, format!("rule `{}` is not defined", name.text));
        problem.label("no rule of this name here or in an import");
        let candidates = file.all_rules().filter(|(_, other)| !other.implicit);
        if let Some(near) = nearest(&name.text, candidates.map(|(_, other)| other.name.text.as_str())) {
            problem.help(format!("a rule with a similar name exists: `{near}`"));
        }
    }
}
