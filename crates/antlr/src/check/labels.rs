//! Checks the labels of alternatives: all or none, not shared, not named like rules.

use super::parser_rules;
use crate::report::Report;
use crate::sets;
use crate::syntax::tree::{File, Rule};

/// Checks the alternative labels of a parser rule.
pub(super) fn alternatives(file: &File, rule: &Rule, report: &mut Report<'_>) {
    if sets::is_token_set(&rule.body) {
        return;
    }
    let alternatives = &rule.body.alternatives;
    let labels = alternatives.iter().filter_map(|alternative| alternative.label.as_ref());
    for label in labels.clone() {
        let lowered = decapitalized(&label.text);
        if let Some(other) = file.all_rules().map(|(_, other)| other).find(|other| other.name.text == lowered)
        {
            let message = format!("the label `{}` is also the name of a rule", label.text);
            let problem = report.at(124, label.span, message);
            problem.also(other.name.span, "the rule").help("labels and rules share their names; rename one");
        }
        // ANTLR's tool remembers the last rule that has a label, so it reports the earlier ones.
        let owner = parser_rules(file).filter(|other| has_label(other, &lowered)).last();
        if let Some(owner) = owner.filter(|owner| owner.name.text != rule.name.text) {
            let message = format!("the label `{}` is also used in rule `{}`", label.text, owner.name.text);
            report.at(123, label.span, message).help("a label belongs to one rule; rename one");
        }
    }
    let n_labels = labels.count();
    if n_labels > 0 && n_labels != alternatives.len() {
        let message = format!("rule `{}` labels some of its alternatives, not all", rule.name.text);
        let problem = report.at(122, rule.name.span, message);
        if let Some(missing) = alternatives.iter().find(|alternative| alternative.label.is_none()) {
            problem.also(missing.span, "this one has no label");
        }
        problem.help("label all outermost alternatives or none");
    }
}

fn has_label(rule: &Rule, lowered: &str) -> bool {
    let mut labels = rule.body.alternatives.iter().filter_map(|alternative| alternative.label.as_ref());
    labels.any(|label| decapitalized(&label.text) == lowered)
}

/// A name with its first letter in lower case.
fn decapitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
