//! Weights files, in Grammarinator's form.
//!
//! `{"alts": {RULE: {ALTERNATION: {ALTERNATIVE: weight}}}, "quants": {RULE: {QUANTIFIER: probability}}}`.
//! Alternations are the groups of a rule with more than one alternative (its body first), quantifiers its groups
//! with `?`, `*` or `+`, each numbered from 0 in the order of the text; alternatives count from 0 as well. A weight
//! multiplies; 0 closes an alternative. A probability is the chance of one more repetition.

use crate::options::Options;
use polysmith_grammar::{BlockId, Grammar, RuleId};
use serde_json::{Map, Value, json};

/// The groups of a rule with a choice, in order.
fn alternations(grammar: &Grammar, rule: RuleId) -> impl Iterator<Item = BlockId> + '_ {
    BlockId::range(grammar.rule(rule).blocks.clone()).filter(|block| grammar.alternatives(*block).len() > 1)
}

/// The groups of a rule with a quantifier, in order.
fn quantifiers(grammar: &Grammar, rule: RuleId) -> impl Iterator<Item = BlockId> + '_ {
    BlockId::range(grammar.rule(rule).blocks.clone())
        .filter(|block| !grammar.block(*block).quantifier.is_one())
}

impl Options {
    /// Takes the weights of a file. What means nothing for the grammar is an error; all errors are returned.
    ///
    /// # Errors
    /// A sentence for each problem.
    pub fn read_weights(&mut self, grammar: &Grammar, text: &str) -> Result<(), Vec<String>> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| vec![format!("the weights are no JSON: {error}")])?;
        let mut errors = Vec::new();
        let Some(file) = value.as_object() else { return Err(vec!["the weights are no object".into()]) };
        for (key, of_rules) in file {
            if key != "alts" && key != "quants" {
                errors.push(format!("unknown key `{key}`; there are `alts` and `quants`"));
                continue;
            }
            for (name, entries) in of_rules.as_object().unwrap_or(&Map::new()) {
                match grammar.rule_named(name) {
                    None => errors.push(format!("the grammar has no rule `{name}`")),
                    Some(rule) if key == "alts" => {
                        self.read_alternations(grammar, rule, entries, &mut errors)
                    }
                    Some(rule) => self.read_quantifiers(grammar, rule, entries, &mut errors),
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn read_alternations(
        &mut self,
        grammar: &Grammar,
        rule: RuleId,
        entries: &Value,
        errors: &mut Vec<String>,
    ) {
        let name = &grammar.rule(rule).name;
        for (number, weights) in entries.as_object().unwrap_or(&Map::new()) {
            let block = number.parse().ok().and_then(|number| alternations(grammar, rule).nth(number));
            let Some(block) = block else {
                errors.push(format!("rule `{name}` has no alternation {number}"));
                continue;
            };
            for (number, weight) in weights.as_object().unwrap_or(&Map::new()) {
                let alt = number.parse().ok().and_then(|number| grammar.alternatives(block).nth(number));
                match (alt, weight.as_f64()) {
                    (Some(alt), Some(weight)) if weight >= 0.0 => {
                        self.weights.insert(alt, weight);
                    }
                    (None, _) => {
                        errors.push(format!("an alternation of `{name}` has no alternative {number}"))
                    }
                    (_, _) => {
                        errors.push(format!("a weight of `{name}` is not a number from 0 on: {weight}"))
                    }
                }
            }
        }
    }

    fn read_quantifiers(
        &mut self,
        grammar: &Grammar,
        rule: RuleId,
        entries: &Value,
        errors: &mut Vec<String>,
    ) {
        let name = &grammar.rule(rule).name;
        for (number, chance) in entries.as_object().unwrap_or(&Map::new()) {
            let block = number.parse().ok().and_then(|number| quantifiers(grammar, rule).nth(number));
            match (block, chance.as_f64()) {
                (Some(block), Some(chance)) if (0.0..=1.0).contains(&chance) => {
                    self.repetitions.insert(block, chance);
                }
                (None, _) => errors.push(format!("rule `{name}` has no quantifier {number}")),
                (_, _) => errors.push(format!("a probability of `{name}` is not between 0 and 1: {chance}")),
            }
        }
    }

    /// The weights file of a grammar with its present values: 1 for an alternative and 0.5 for a quantifier where
    /// nothing was given.
    pub fn write_weights(&self, grammar: &Grammar) -> String {
        let (mut alts, mut quants) = (Map::new(), Map::new());
        for rule in grammar.rules() {
            let name = grammar.rule(rule).name.clone();
            let of_rule: Map<String, Value> = alternations(grammar, rule)
                .enumerate()
                .map(|(number, block)| {
                    let weights = grammar.alternatives(block).enumerate().map(|(at, alt)| {
                        (at.to_string(), json!(self.weights.get(&alt).copied().unwrap_or(1.0)))
                    });
                    (number.to_string(), Value::Object(weights.collect()))
                })
                .collect();
            let chances: Map<String, Value> = quantifiers(grammar, rule)
                .enumerate()
                .map(|(number, block)| {
                    (number.to_string(), json!(self.repetitions.get(&block).copied().unwrap_or(0.5)))
                })
                .collect();
            if !of_rule.is_empty() {
                alts.insert(name.clone(), Value::Object(of_rule));
            }
            if !chances.is_empty() {
                quants.insert(name, Value::Object(chances));
            }
        }
        let mut text =
            serde_json::to_string_pretty(&json!({ "alts": alts, "quants": quants })).unwrap_or_default();
        text.push('\n');
        text
    }
}
