//! From options to numbers: weights, limits, goals.

mod options;
mod weights;

pub use options::{Options, SetupError};

use crate::draft::goal::FAR;
use crate::draft::{Goal, SizeLimits};
use crate::lexical::lexicon::Lexicon;
use crate::tables::{Tables, UNBOUNDED};
use polysmith_grammar::analysis::{Minima, Nullable, Reach, Uses, depth_of_all_alternatives};
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, RuleId, RuleKind, TokenType};
use std::collections::BTreeMap;

/// Height beyond what every alternative needs.
const SPARE_DEPTH: u32 = 12;
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

/// The limits, checked.
pub(crate) fn size_limits(
    grammar: &Grammar,
    uses: &Uses,
    tables: &Tables,
    lexicon: &Lexicon,
    start: RuleId,
    options: &Options,
) -> Result<SizeLimits, SetupError> {
    let most = options.max_tokens.unwrap_or(Options::DEFAULT_TOKENS);
    if grammar.rule(start).kind != RuleKind::Parser {
        return Ok(SizeLimits { depth: 1, most, target: most });
    }
    let curve = &tables.rule_curves[start.index()];
    let Some(least_height) = curve.least_height() else {
        return Err(SetupError::Infinite {
            rule: grammar.rule(start).name.clone(),
            why: why_infinite(grammar, uses, lexicon, start),
        });
    };
    let depth = options.max_depth.unwrap_or_else(|| {
        let heights = Minima::heights(grammar, uses);
        let all = depth_of_all_alternatives(grammar, uses, &heights, start).unwrap_or(0);
        all.max(least_height).saturating_add(SPARE_DEPTH)
    });
    if depth < least_height {
        return Err(SetupError::Depth { given: depth, least: least_height });
    }
    let least = curve.at(depth);
    let most = match options.max_tokens {
        Some(given) if given < least => return Err(SetupError::Tokens { given, depth, least }),
        Some(given) => given,
        None => most.max(least.saturating_mul(2)).max(options.min_tokens.saturating_mul(2)),
    };
    let possible = tables.body(start).max_tokens;
    let too_many = |why: String| SetupError::TooMany { given: options.min_tokens, why };
    if options.min_tokens > most {
        return Err(too_many(format!("max-tokens is {most}")));
    }
    if possible != UNBOUNDED && options.min_tokens > possible {
        return Err(too_many(format!("the longest text has {possible} tokens")));
    }
    Ok(SizeLimits { depth, most, target: most })
}

fn why_infinite(grammar: &Grammar, uses: &Uses, lexicon: &Lexicon, start: RuleId) -> String {
    if Minima::heights(grammar, uses).rule(start).is_none() {
        return "every way through it calls one of its rules again".into();
    }
    let missing = left_out(grammar, start, &|token| lexicon.is_producible(token));
    match missing.first() {
        Some(_) => {
            let names: Vec<String> =
                missing.iter().take(5).map(|token| grammar.tokens().display(*token)).collect();
            format!(
                "it needs tokens that nothing makes ({}); give texts in the side file's [tokens]",
                names.join(", ")
            )
        }
        None => "the options exclude every way through it".into(),
    }
}

/// The token types that the start rule leads to and that have no text.
pub(crate) fn left_out(
    grammar: &Grammar,
    start: RuleId,
    is_producible: &dyn Fn(TokenType) -> bool,
) -> Vec<TokenType> {
    let reach = Reach::from_rules(grammar, [start]);
    let mut found: Vec<TokenType> = Vec::new();
    for rule in grammar.parser_rules().filter(|rule| reach.contains(*rule)) {
        for block in BlockId::range(grammar.rule(rule).blocks.clone()) {
            for alt in grammar.alternatives(block) {
                found.extend(grammar.elements(alt).iter().filter_map(|element| match element.kind {
                    ElementKind::Token(token) if token != TokenType::EOF && !is_producible(token) => {
                        Some(token)
                    }
                    _ => None,
                }));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The goal "contains this rule".
pub(crate) fn require(
    grammar: &Grammar,
    tables: &Tables,
    start: RuleId,
    rule: RuleId,
    size_limits: SizeLimits,
) -> Result<Goal, SetupError> {
    let range = grammar.block(grammar.rule(rule).body()).alternatives.clone();
    let all: Vec<usize> = (range.start.index()..range.end.index()).collect();
    let goal = Goal::alternatives(tables, &all);
    let body = &tables.body(start);
    let needed = body.alternatives.clone().map(|alt| goal.alternatives[alt as usize]).min().unwrap_or(FAR);
    if needed.saturating_add(1) <= size_limits.depth {
        return Ok(goal);
    }
    let hint = match needed {
        FAR => String::new(),
        needed => format!(": max-depth {} would do", needed + 1),
    };
    Err(SetupError::Unreachable {
        start: grammar.rule(start).name.clone(),
        rule: grammar.rule(rule).name.clone(),
        hint,
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
