//! A checker of results that shares nothing with the reducer but the parser: it tries every deletion of a node and every
//! replacement of a node by something below it, with no answer of the reducer remembered.
//!
//! The tests of `reduce` and the project tasks use it; no part of the tool does.

use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{Limits, Parser};
use polysmith_tree::{Edits, NodeId, Replacement};
use std::collections::HashSet;

/// A grammar, ready to say what is in its language.
#[derive(Debug)]
pub struct Checker {
    parser: Parser,
    start: RuleId,
}

impl Checker {
    /// By a grammar.
    ///
    /// # Panics
    /// If the grammar has no start rule, or none that can be parsed with.
    pub fn new(grammar: &Grammar) -> Checker {
        let start = grammar.start().expect("a start rule");
        Checker { parser: Parser::new(grammar.clone()).expect("a grammar to parse with"), start }
    }

    /// Whether a text is in the language.
    pub fn accepts(&mut self, text: &str) -> bool {
        self.parser.parse(self.start, text, &Limits::default()).is_ok_and(|parsed| parsed.accepted())
    }

    /// How many errors a text has; `None` if it cannot be parsed within limits.
    pub fn errors(&mut self, text: &str) -> Option<usize> {
        let parsed = self.parser.parse(self.start, text, &Limits::default()).ok()?;
        Some(parsed.errors.len())
    }

    /// Whatever has no more errors and is one step away from the result gets a no: how many texts are one step away, or
    /// the first that got a yes.
    ///
    /// # Errors
    /// The text that got a yes.
    ///
    /// # Panics
    /// If the result cannot be parsed within limits.
    pub fn step_left(&mut self, result: &str, wanted: &mut dyn FnMut(&str) -> bool) -> Result<usize, String> {
        let parsed = self.parser.parse(self.start, result, &Limits::default()).expect("within limits");
        let (tree, most) = (parsed.tree, parsed.errors.len());
        // Chains of rules give the same text many times.
        let mut tried: HashSet<String> = HashSet::new();
        let seen = |node: &NodeId| !tree.kind(*node).is_hidden();
        for node in tree.subtree(NodeId::ROOT).skip(1).filter(seen) {
            let below = tree.subtree(node).skip(1).filter(seen).map(Replacement::Subtree);
            for new in std::iter::once(Replacement::Nothing).chain(below) {
                let edits = Edits::new(vec![tree.replace(node, new)]).expect("one edit overlaps nothing");
                let mut text = Vec::new();
                tree.write_edited(&edits, &mut text);
                let text = String::from_utf8(text).expect("a part of a text");
                // Layout is not a node: what differs in nothing else is the same text.
                let is_other = text
                    .split_whitespace()
                    .flat_map(str::chars)
                    .ne(result.split_whitespace().flat_map(str::chars));
                if !is_other || tried.contains(&text) {
                    continue;
                }
                if self.errors(&text).is_some_and(|errors| errors <= most) && wanted(&text) {
                    return Err(text);
                }
                tried.insert(text);
            }
        }
        Ok(tried.len())
    }
}
