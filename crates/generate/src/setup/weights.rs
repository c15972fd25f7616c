//! Weights files, in Grammarinator's form.
//!
//! `{"alts": {RULE: {ALTERNATION: {ALTERNATIVE: weight}}}, "quants": {RULE: {QUANTIFIER: probability}}}`.
//! Alternations are the groups of a rule with more than one alternative (its body first), quantifiers its groups
//! with `?`, `*` or `+`, each numbered from 0 in the order of the text; alternatives count from 0 as well. A weight
//! multiplies; 0 closes an alternative. A probability is the chance of one more repetition.
//!
//! One table holds all paths through such a file with what each one means. Reading looks paths up in it, writing goes
//! through it.

use crate::error::WeightsError;
use crate::setup::Options;
use polysmith_grammar::{AltId, BlockId, Grammar};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The keys from the top of a file to a number.
type Path = Vec<String>;

/// What a number in a file is about.
#[derive(Debug, Clone, Copy)]
enum WeightTarget {
    Alternative(AltId),
    Quantifier(BlockId),
}

/// All numbers that the file of a grammar can have.
fn targets(grammar: &Grammar) -> BTreeMap<Path, WeightTarget> {
    let mut found = BTreeMap::new();
    for rule in grammar.rules() {
        let name = &grammar.rule(rule).name;
        let path = |keys: &[&dyn ToString]| keys.iter().map(|key| key.to_string()).collect::<Path>();
        let blocks = BlockId::range(grammar.rule(rule).blocks.clone());
        let alternations = blocks.clone().filter(|block| grammar.alternatives(*block).len() > 1);
        for (number, block) in alternations.enumerate() {
            for (at, alt) in grammar.alternatives(block).enumerate() {
                found.insert(path(&[&"alts", name, &number, &at]), WeightTarget::Alternative(alt));
            }
        }
        let quantifiers = blocks.filter(|block| !grammar.block(*block).quantifier.is_one());
        for (number, block) in quantifiers.enumerate() {
            found.insert(path(&[&"quants", name, &number]), WeightTarget::Quantifier(block));
        }
    }
    found
}

impl Options {
    /// Reads the weights of a file. What means nothing for the grammar is an error.
    ///
    /// # Errors
    /// All that is wrong in the file.
    pub fn read_weights(&mut self, grammar: &Grammar, text: &str) -> Result<(), Vec<WeightsError>> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| vec![WeightsError::Json(error.to_string())])?;
        let known = targets(grammar);
        let mut errors = Vec::new();
        let mut todo = vec![(Path::new(), &value)];
        while let Some((path, value)) = todo.pop() {
            let target = known.get(&path);
            let leads_on =
                known.range(path.clone()..).next().is_some_and(|(next, _)| next.starts_with(&path));
            match (target, value) {
                (Some(target), value) => errors.extend(self.set(*target, value, &path)),
                (None, _) if !leads_on && !path.is_empty() => errors.push(unknown(grammar, &path)),
                (None, Value::Object(entries)) => {
                    let inner = entries.iter().rev();
                    todo.extend(
                        inner.map(|(key, value)| ([&path[..], std::slice::from_ref(key)].concat(), value)),
                    );
                }
                (None, other) => {
                    errors.push(WeightsError::NotAnObject { path: shown(&path), value: other.to_string() });
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Takes one number; returns what is wrong with it.
    fn set(&mut self, target: WeightTarget, value: &Value, path: &Path) -> Option<WeightsError> {
        let wrong = || (shown(path), value.to_string());
        match (target, value.as_f64()) {
            (WeightTarget::Alternative(alt), Some(weight)) if weight >= 0.0 => {
                self.weights.insert(alt, weight);
                None
            }
            (WeightTarget::Quantifier(block), Some(chance)) if (0.0..=1.0).contains(&chance) => {
                self.repetitions.insert(block, chance);
                None
            }
            (WeightTarget::Alternative(_), _) => {
                let (path, value) = wrong();
                Some(WeightsError::Weight { path, value })
            }
            (WeightTarget::Quantifier(_), _) => {
                let (path, value) = wrong();
                Some(WeightsError::Probability { path, value })
            }
        }
    }

    /// The weights file of a grammar with its present values: 1 for an alternative and 0.5 for a quantifier where
    /// nothing was given.
    pub fn write_weights(&self, grammar: &Grammar) -> String {
        let mut file = json!({ "alts": {}, "quants": {} });
        for (path, target) in targets(grammar) {
            let value = match target {
                WeightTarget::Alternative(alt) => self.weights.get(&alt).copied().unwrap_or(1.0),
                WeightTarget::Quantifier(block) => self.repetitions.get(&block).copied().unwrap_or(0.5),
            };
            let mut at = &mut file;
            for key in path {
                if at.is_null() {
                    *at = Value::Object(Map::new());
                }
                at = &mut at[key];
            }
            *at = json!(value);
        }
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn shown(path: &Path) -> String {
    match path.is_empty() {
        true => "the file".to_owned(),
        false => format!("`{}`", path.join(".")),
    }
}

/// What is wrong with the last key of a path.
fn unknown(grammar: &Grammar, path: &Path) -> WeightsError {
    let keys: Vec<&str> = path.iter().map(String::as_str).collect();
    let owned = |key: &str| key.to_owned();
    match keys[..] {
        [_, rule] if grammar.rule_named(rule).is_none() => WeightsError::UnknownRule(owned(rule)),
        ["alts", rule] => WeightsError::UnknownAlternation { rule: owned(rule), number: None },
        [_, rule] => WeightsError::UnknownQuantifier { rule: owned(rule), number: None },
        ["alts", rule, number] => {
            WeightsError::UnknownAlternation { rule: owned(rule), number: Some(owned(number)) }
        }
        [_, rule, number] => {
            WeightsError::UnknownQuantifier { rule: owned(rule), number: Some(owned(number)) }
        }
        ["alts", rule, alternation, number] => WeightsError::UnknownAlternative {
            rule: owned(rule),
            alternation: owned(alternation),
            number: owned(number),
        },
        _ => WeightsError::UnknownKey { path: shown(path) },
    }
}
