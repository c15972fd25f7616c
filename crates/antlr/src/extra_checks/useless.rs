//! Finds rules that nothing refers to, and duplicate alternatives.

use crate::codes;
use crate::report::Report;
use polysmith_grammar::analysis::{Shapes, Uses};
use polysmith_grammar::{BlockId, ElementKind, Grammar, RuleId, RuleKind, TokenType};
use rustc_hash::FxHashMap;

pub(super) fn check(grammar: &Grammar, uses: &Uses, report: &mut Report<'_>) {
    for rule in grammar.rules() {
        unused(grammar, uses, rule, report);
    }
    let shapes = Shapes::of(grammar);
    for block in (0..grammar.n_blocks()).map(BlockId::new) {
        twice(grammar, &shapes, block, report);
    }
}

/// Reports a parser rule or fragment that no other rule calls. A rule with `EOF` counts as a second start rule.
fn unused(grammar: &Grammar, uses: &Uses, rule: RuleId, report: &mut Report<'_>) {
    let entry = grammar.rule(rule);
    if matches!(entry.kind, RuleKind::Token { .. }) || grammar.start() == Some(rule) {
        return;
    }
    let caller = |element| grammar.block(grammar.alternative(uses.alternative(element)).block).rule;
    let called = uses.calls(rule).iter().any(|element| caller(*element) != rule);
    let Some(span) = grammar.rule_span(rule).filter(|_| !called && !mentions_eof(grammar, rule)) else {
        return;
    };
    let message = format!("nothing refers to `{}`", entry.name);
    let help = match entry.kind {
        RuleKind::Parser => "remove it, or end it with `EOF` if it is meant as a start rule",
        _ => "remove it",
    };
    report.extra_warning(codes::UNUSED, span, message).help(help);
}

fn mentions_eof(grammar: &Grammar, rule: RuleId) -> bool {
    let blocks = BlockId::range(grammar.rule(rule).blocks.clone());
    let mut elements = blocks.flat_map(|b| grammar.alternatives(b)).flat_map(|alt| grammar.elements(alt));
    elements.any(|element| element.kind == ElementKind::Token(TokenType::EOF))
}

/// Reports alternatives of a block that are written alike: the later one is never taken.
fn twice(grammar: &Grammar, shapes: &Shapes, block: BlockId, report: &mut Report<'_>) {
    let alternatives = grammar.alternatives(block);
    if alternatives.len() < 2 {
        return;
    }
    let mut first = FxHashMap::default();
    for alternative in alternatives {
        let shape = shapes.alternative(grammar, alternative);
        let Some(before) = first.insert(shape.clone(), alternative) else { continue };
        first.insert(shape, before);
        let (Some(span), Some(earlier)) =
            (grammar.alternative_span(alternative), grammar.alternative_span(before))
        else {
            continue;
        };
        let rule = &grammar.rule(grammar.block(block).rule).name;
        let message = format!("this alternative of `{rule}` is never taken: an earlier one is the same");
        report
            .extra_warning(codes::SHADOWED, span, message)
            .also(earlier, "the earlier one")
            .help("remove one of them");
    }
}
