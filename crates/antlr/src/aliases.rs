//! Token aliases: rules of exactly the form `NAME : 'text' ;`, whose literal refers to the token.

use crate::syntax::tree::{Atom, File, Rule, RuleKind};

/// All alias rules of a lexer with their literals, in order, of all modes.
pub(crate) fn of(lexer: &File) -> impl Iterator<Item = (&Rule, &str)> {
    lexer.all_rules().filter_map(|(_, rule)| Some((rule, literal(rule)?)))
}

/// The literal of an alias rule: alone, or followed by one action, one predicate, one command, or two commands
/// of which at most one has an argument.
fn literal(rule: &Rule) -> Option<&str> {
    if rule.kind != RuleKind::Token || !rule.options.is_empty() {
        return None;
    }
    let [alternative] = rule.body.alternatives.as_slice() else { return None };
    let (first, rest) = alternative.elements.split_first()?;
    let Atom::Literal(literal) = &first.atom else { return None };
    if first.suffix.is_some() || !first.options.is_empty() {
        return None;
    }
    let fits = match (rest, alternative.commands.as_slice()) {
        ([], [] | [_]) => true,
        ([], [a, b]) => a.argument.is_none() || b.argument.is_none(),
        ([one], []) => matches!(one.atom, Atom::Action(_) | Atom::Predicate(_)) && one.options.is_empty(),
        _ => false,
    };
    fits.then_some(literal.text.as_str())
}
