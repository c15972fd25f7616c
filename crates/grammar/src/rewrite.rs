//! Rewrites: patterns and templates of one-line texts with holes, as side files have them.
//!
//! `( $x:expr )` is a pattern with a hole `x` that takes an `expr`; `$x` is a template. A `$` that no letter follows
//! is a dollar sign, and so is `$$`.

use crate::ids::RuleId;
use crate::model::{Grammar, RuleKind};
use std::ops::Range;

/// A pattern and what may stand instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// What to look for.
    pub pattern: Vec<Part>,
    /// What to write instead.
    pub template: Vec<Part>,
}

/// A part of a pattern or a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// A place for something.
    Hole {
        /// Its name.
        name: String,
        /// The rule of what it takes; anything if there is none.
        rule: Option<RuleId>,
    },
}

/// What is wrong with a rewrite.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// A hole asks for a rule that is not there.
    #[error("the grammar has no parser rule `{name}`")]
    UnknownRule {
        /// As written.
        name: String,
    },
    /// A template uses a hole that the pattern does not have.
    #[error("the pattern has no hole `${name}`")]
    UnboundHole {
        /// As written.
        name: String,
    },
    /// A pattern without any text or hole.
    #[error("the pattern is empty")]
    Empty,
}

impl Rewrite {
    /// Reads a pattern and its template.
    ///
    /// # Errors
    /// A rule or a hole that is not there.
    pub fn read(pattern: &str, template: &str, grammar: &Grammar) -> Result<Rewrite, RewriteError> {
        let pattern = parts(pattern, grammar)?;
        let template = parts(template, grammar)?;
        if pattern.is_empty() {
            return Err(RewriteError::Empty);
        }
        let is_bound = |wanted: &str| {
            pattern.iter().any(|part| matches!(part, Part::Hole { name, .. } if name == wanted))
        };
        for part in &template {
            if let Part::Hole { name, .. } = part
                && !is_bound(name)
            {
                return Err(RewriteError::UnboundHole { name: name.clone() });
            }
        }
        Ok(Rewrite { pattern, template })
    }
}

fn parts(text: &str, grammar: &Grammar) -> Result<Vec<Part>, RewriteError> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let name = &rest[word(rest)];
        if name.is_empty() {
            plain.push('$');
            rest = rest.strip_prefix('$').unwrap_or(rest);
            continue;
        }
        rest = &rest[name.len()..];
        let rule = rest.strip_prefix(':').map(|after| &after[word(after)]).filter(|rule| !rule.is_empty());
        if let Some(rule) = rule {
            rest = &rest[1 + rule.len()..];
        }
        if !plain.trim().is_empty() {
            parts.push(Part::Text(plain.trim().to_owned()));
        }
        plain.clear();
        parts.push(Part::Hole {
            name: name.to_owned(),
            rule: rule.map(|rule| named(rule, grammar)).transpose()?,
        });
    }
    plain.push_str(rest);
    if !plain.trim().is_empty() {
        parts.push(Part::Text(plain.trim().to_owned()));
    }
    Ok(parts)
}

/// A letter with letters, digits and `_` behind it, at the beginning of a text.
fn word(text: &str) -> Range<usize> {
    let is_first = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    0..if is_first { end } else { 0 }
}

fn named(name: &str, grammar: &Grammar) -> Result<RuleId, RewriteError> {
    let rule = grammar.rule_named(name).filter(|rule| grammar.rule(*rule).kind == RuleKind::Parser);
    rule.ok_or_else(|| RewriteError::UnknownRule { name: name.to_owned() })
}
