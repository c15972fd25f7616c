//! Checks the options of grammars, rules, groups and elements.

use crate::report::Report;
use crate::syntax::tree::{Atom, Element, OptionEntry, Options};

const OF_GRAMMAR: [&str; 8] = [
    "superClass",
    "contextSuperClass",
    "TokenLabelType",
    "tokenVocab",
    "language",
    "accessLevel",
    "exportMacro",
    "caseInsensitive",
];

/// Checks the options of a grammar. Returns its `caseInsensitive`.
pub(super) fn of_grammar(options: &Options, before: bool, report: &mut Report<'_>) -> bool {
    let mut folds = before;
    for entry in &options.entries {
        if !OF_GRAMMAR.contains(&entry.name.text.as_str()) {
            unknown(
                entry,
                "known are superClass, tokenVocab, language, caseInsensitive and a few more",
                report,
            );
        } else if let Some(value) = case_insensitive(entry, report) {
            folds = value;
        }
    }
    folds
}

/// Checks the options of a rule. Only lexer rules have one.
pub(super) fn of_rule(options: &Options, is_lexer: bool, of_grammar: bool, report: &mut Report<'_>) {
    for entry in &options.entries {
        if !is_lexer || entry.name.text != "caseInsensitive" {
            unknown(entry, "rules have no options but `caseInsensitive` on lexer rules", report);
        } else if case_insensitive(entry, report) == Some(of_grammar) {
            let message = format!("the grammar already says `caseInsensitive = {of_grammar}`");
            report.at(187, entry.name.span, message).help("remove the option from the rule");
        }
    }
}

/// Checks the options of a group. None are allowed.
pub(super) fn of_block(options: &Options, report: &mut Report<'_>) {
    for entry in &options.entries {
        unknown(entry, "groups have no options in ANTLR 4", report);
    }
}

/// The value of `caseInsensitive`. Reports values other than `true` and `false`.
fn case_insensitive(entry: &OptionEntry, report: &mut Report<'_>) -> Option<bool> {
    if entry.name.text != "caseInsensitive" {
        return None;
    }
    let value = entry.value.as_ref()?;
    match value.text.as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => {
            let message = format!("`caseInsensitive` cannot be `{}`", value.text);
            report.at(84, value.span, message).help("write `true` or `false`");
            None
        }
    }
}

fn unknown(entry: &OptionEntry, help: &str, report: &mut Report<'_>) {
    let message = format!("there is no option `{}` here", entry.name.text);
    report.at(83, entry.name.span, message).help(help);
}

/// Checks the `<…>` of an element.
pub(super) fn of_element(rule: &str, element: &Element, report: &mut Report<'_>) {
    let known: &[&str] = match element.atom {
        Atom::Rule { .. } => &["p", "tokenIndex"],
        Atom::Predicate(_) => &["fail", "p"],
        _ => &["assoc", "tokenIndex"],
    };
    let is_action = matches!(element.atom, Atom::Action(_));
    for option in &element.options {
        of_atom(rule, option, if is_action { None } else { Some(known) }, report);
    }
}

/// Checks one option of an element. `known` is `None` if every option is allowed.
pub(super) fn of_atom(rule: &str, option: &OptionEntry, known: Option<&[&str]>, report: &mut Report<'_>) {
    let name = option.name.text.as_str();
    if name == "assoc" {
        let message = format!("`assoc` has no effect on an element (rule `{rule}`)");
        report.at(157, option.name.span, message).help("put `<assoc=right>` at the start of the alternative");
    }
    if option.value.is_some() && known.is_some_and(|known| !known.contains(&name)) {
        unknown(option, "elements know `assoc` and `fail` only", report);
    }
}
