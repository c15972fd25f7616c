//! Lowers syntax trees to a [`Grammar`]: both halves into one.
//!
//! Nothing is reported here: the checker reported what cannot be lowered, and it is omitted.

mod elements;
mod lexer;

use crate::recursion;
use crate::split::Halves;
use crate::syntax::tree::{Alternative, Rule, RuleKind};
use crate::vocabulary::Vocabulary;
use elements::{Lowering, Side};
pub(crate) use lexer::{MAX_CHANNEL, folds_case, rule_folds_case};
use polysmith_grammar::{Builder, Grammar, RuleId};
use rustc_hash::FxHashMap;

/// Lowers two halves and their vocabulary to a grammar.
pub(crate) fn lower(name: &str, halves: &Halves, vocabulary: &Vocabulary) -> Grammar {
    let mut builder = Builder::new(name);
    tokens(&mut builder, vocabulary);
    let mut rules: FxHashMap<&str, RuleId> = FxHashMap::default();
    let mut bodies: Vec<(RuleId, &Rule, Side)> = Vec::new();
    if let Some(parser) = &halves.parser {
        for rule in parser.file.rules.iter().filter(|rule| rule.kind == RuleKind::Parser) {
            if !rules.contains_key(rule.name.text.as_str()) {
                let id = builder.rule(&rule.name.text);
                rules.insert(&rule.name.text, id);
                bodies.push((id, rule, Side::Parser));
            }
        }
    }
    if let Some(lexer) = &halves.lexer {
        let fold_grammar = lexer::folds_case(lexer.file.option("caseInsensitive")).unwrap_or(false);
        lexer::declare(&mut builder, &lexer.file, vocabulary, fold_grammar, &mut rules, &mut bodies);
    }
    for (id, rule, side) in bodies {
        let mut lowering = Lowering::new(&mut builder, vocabulary, &rules, side);
        let alternatives: Vec<_> =
            rule.body.alternatives.iter().map(|alt| lowering.alternative(alt)).collect();
        builder.body(id, alternatives);
        if !rule.implicit {
            builder.rule_at(id, rule.name.span);
        }
        if recursion::is_left_recursive(rule)
            && let Ok(table) = recursion::analyse(rule)
        {
            builder.recursion(id, table);
        }
    }
    builder.finish()
}

/// Whether an alternative is right-associative.
fn is_right(alternative: &Alternative) -> bool {
    alternative.assoc().is_some_and(|assoc| assoc.text == "right")
}

fn tokens(builder: &mut Builder, vocabulary: &Vocabulary) {
    let table = builder.tokens_mut();
    for (name, number) in &vocabulary.names {
        let entry = table.entry(polysmith_grammar::TokenType::new(*number));
        entry.name.get_or_insert_with(|| name.clone());
    }
    for (literal, number) in &vocabulary.literals {
        let entry = table.entry(polysmith_grammar::TokenType::new(*number));
        entry.text = crate::chars::literal(literal).map(|points| crate::chars::text(&points));
        entry.literal = Some(literal.clone());
    }
}
