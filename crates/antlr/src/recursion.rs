//! Analyses direct left recursion: which rules have it, and the roles of their alternatives.
//!
//! The patterns are those of ANTLR's tool, tried in its order: binary, prefix, suffix; everything else is a primary.
//! Nothing is rewritten; the result is a table of the rule.

use crate::syntax::tree::{Alternative, Atom, Block, Element, Rule, RuleKind, SetItemKind};
use polysmith_grammar::{LeftRecursion, Operator, OperatorClass};

/// Whether an alternative of the rule's body begins with the rule itself, labelled or not.
pub(crate) fn is_left_recursive(rule: &Rule) -> bool {
    rule.kind == RuleKind::Parser
        && rule.body.alternatives.iter().any(|alternative| {
            alternative.elements.first().is_some_and(|first| {
                first.suffix.is_none()
                    && matches!(&first.atom, Atom::Rule { name, .. } if name.text == rule.name.text)
            })
        })
}

/// Why a left-recursive rule has no operator table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftRecursionError {
    /// It has parameters, `throws`, groups with options, character ranges, or no operator at all.
    Shape,
    /// Every alternative begins with the rule.
    NoPrimary,
}

/// Computes the operator table of a left-recursive rule.
pub(crate) fn analyse(rule: &Rule) -> Result<LeftRecursion, LeftRecursionError> {
    let alternatives = &rule.body.alternatives;
    let fits = rule.arguments.is_none() && !rule.throws && fits(&rule.body);
    let classes: Vec<OperatorClass> = alternatives.iter().map(|alt| classify(&rule.name.text, alt)).collect();
    if !fits || !classes.iter().any(|class| class.is_left_recursive()) {
        return Err(LeftRecursionError::Shape);
    }
    if classes.iter().all(|class| class.is_left_recursive()) {
        return Err(LeftRecursionError::NoPrimary);
    }
    let n = alternatives.len();
    let operators = alternatives.iter().zip(classes).enumerate().map(|(at, (alternative, class))| {
        let precedence = u32::try_from(n - at).expect("a rule has fewer than 2^32 alternatives");
        let right = alternative.assoc().is_some_and(|assoc| assoc.text == "right");
        let operand = match class {
            OperatorClass::Binary if right => precedence,
            OperatorClass::Binary => precedence + 1,
            OperatorClass::Prefix => precedence,
            OperatorClass::Primary | OperatorClass::Suffix => 0,
        };
        Operator { class, precedence, operand }
    });
    Ok(LeftRecursion { operators: operators.collect() })
}

fn classify(rule: &str, alternative: &Alternative) -> OperatorClass {
    let elements = &alternative.elements;
    let begins = elements.first().is_some_and(|first| is_self(rule, first));
    let last = elements.iter().rposition(|e| !matches!(e.atom, Atom::Action(_) | Atom::Predicate(_)));
    let ends = last.is_some_and(|last| last > 0 && is_self(rule, &elements[last]));
    match (begins, ends) {
        (true, true) => OperatorClass::Binary,
        (false, true) => OperatorClass::Prefix,
        (true, false) if elements.len() > 1 => OperatorClass::Suffix,
        _ => OperatorClass::Primary,
    }
}

/// Whether an element is a reference to the rule, labelled or not, without suffix, arguments or options.
pub(crate) fn is_self(rule: &str, element: &Element) -> bool {
    element.suffix.is_none()
        && element.options.is_empty()
        && matches!(&element.atom, Atom::Rule { name, arguments: None } if name.text == rule)
}

fn fits(body: &Block) -> bool {
    let mut fits = true;
    body.walk(&mut |element| match &element.atom {
        Atom::Group(group) => fits &= group.options.is_none() && !group.has_actions,
        Atom::Range(..) | Atom::CharSet(_) => fits = false,
        Atom::Not { items, .. } => {
            fits &= items.iter().all(|i| matches!(i.kind, SetItemKind::Token(_) | SetItemKind::Literal(_)));
        }
        _ => {}
    });
    fits
}
