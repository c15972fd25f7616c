//! From options to numbers: weights, limits, goals.

mod options;
mod sizes;
mod weights;

pub use options::Options;
pub(crate) use sizes::Sizes;

use crate::compiled::Compiled;
use crate::draft::{FAR, Goal, SizeLimits};
use crate::error::SetupError;
use polysmith_grammar::analysis::{Nullable, Reach, Uses};
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, RuleId, RuleKind, TokenType};
use std::collections::BTreeMap;

/// The weight 1.
const ONE: f64 = 4096.0;

pub(crate) struct Setup {
    pub(crate) uses: Uses,
    pub(crate) nullable: Nullable,
    pub(crate) weights: Vec<u32>,
    pub(crate) repetitions: BTreeMap<BlockId, u32>,
}

/// Weights as integers: the user's factor times the alternative's own numeric predicate.
pub(crate) fn setup(grammar: &Grammar, options: &Options) -> Setup {
    let uses = Uses::of(grammar);
    let nullable = Nullable::of(grammar, &uses);
    let mut weights = Vec::with_capacity(grammar.n_alternatives());
    for alt in (0..grammar.n_alternatives()).map(AltId::new) {
        let own = grammar.elements(alt).iter().find_map(|element| match element.kind {
            ElementKind::Code(code) => grammar.code(code).weight(),
            _ => None,
        });
        let weight = own.unwrap_or(1.0) * options.weights.get(&alt).copied().unwrap_or(1.0);
        let excluded = options.without_alternatives.contains(&alt)
            || grammar.elements(alt).iter().any(|element| match element.kind {
                ElementKind::Rule(rule) => options.without.contains(&rule),
                _ => false,
            });
        weights.push(match weight {
            _ if excluded => 0,
            weight if weight > 0.0 && weight.is_finite() => ((weight * ONE).round() as u32).clamp(1, 1 << 28),
            _ => 0,
        });
    }
    let chance =
        |(block, p): (&BlockId, &f64)| (*block, (p.clamp(0.0, 1.0) * f64::from(1 << 24)).round() as u32);
    let repetitions = options.repetitions.iter().map(chance).collect();
    Setup { repetitions, uses, nullable, weights }
}

/// The token types that the start rule leads to and that have no text.
pub(crate) fn left_out(compiled: &Compiled) -> Vec<TokenType> {
    let Compiled { grammar, start, lexical, .. } = compiled;
    let reach = Reach::from_rules(grammar, [*start]);
    let is_missing = |token: &TokenType| *token != TokenType::EOF && !lexical.lexicon.is_producible(*token);
    let elements = grammar
        .parser_rules()
        .filter(|rule| reach.contains(*rule))
        .flat_map(|rule| BlockId::range(grammar.rule(rule).blocks.clone()))
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt));
    let tokens = elements.filter_map(|element| match element.kind {
        ElementKind::Token(token) => Some(token),
        _ => None,
    });
    let mut found: Vec<TokenType> = tokens.filter(is_missing).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The goal "contains this rule".
pub(crate) fn require(
    compiled: &Compiled,
    rule: RuleId,
    size_limits: SizeLimits,
) -> Result<Goal, SetupError> {
    let Compiled { grammar, tables, start, .. } = compiled;
    let range = grammar.block(grammar.rule(rule).body()).alternatives.clone();
    let all: Vec<usize> = (range.start.index()..range.end.index()).collect();
    let goal = Goal::alternatives(tables, &all);
    let body = tables.body(*start);
    let needed = body.alt_ids().map(|alt| goal.alternatives[alt.index()]).min().unwrap_or(FAR);
    if needed.saturating_add(1) <= size_limits.depth {
        return Ok(goal);
    }
    let (start, rule) = (grammar.rule(*start).name.clone(), grammar.rule(rule).name.clone());
    Err(match needed {
        FAR => SetupError::Unreachable { start, rule },
        needed => SetupError::TooDeep { start, rule, least: needed + 1 },
    })
}

/// Whether some token rule matches the end of the input.
pub(crate) fn reads_end(grammar: &Grammar) -> bool {
    let token_rules = grammar.rules().filter(|rule| grammar.rule(*rule).kind != RuleKind::Parser);
    token_rules
        .flat_map(|rule| BlockId::range(grammar.rule(rule).blocks.clone()))
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt))
        .any(|element| matches!(element.kind, ElementKind::Token(_)))
}
