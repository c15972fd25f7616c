//! Which rules and alternatives of a grammar the trees of a run use.

use polysmith_grammar::{AltId, BlockId, Grammar};
use polysmith_tree::{Kind, NodeId, Tree};
use std::sync::atomic::{AtomicBool, Ordering};

/// A mark per rule and per alternative. Set by many threads; marks are never taken back, so the order in which
/// trees are seen does not matter.
pub(crate) struct Coverage<'a> {
    grammar: &'a Grammar,
    rules: Vec<AtomicBool>,
    alternatives: Vec<AtomicBool>,
}

impl<'a> Coverage<'a> {
    pub(crate) fn new(grammar: &'a Grammar) -> Coverage<'a> {
        let marks = |n: usize| (0..n).map(|_| AtomicBool::new(false)).collect();
        Coverage {
            grammar,
            rules: marks(grammar.rules().len()),
            alternatives: marks(grammar.n_alternatives()),
        }
    }

    /// Marks what a tree uses.
    pub(crate) fn see(&self, tree: &Tree) {
        let mut lists: Vec<(usize, BlockId)> = Vec::new();
        for (at, node) in tree.nodes().iter().enumerate() {
            while lists.last().is_some_and(|(end, _)| *end <= at) {
                lists.pop();
            }
            match node.kind() {
                Kind::Rule { rule, alt } => {
                    self.rules[rule.index()].store(true, Ordering::Relaxed);
                    self.mark(self.grammar.rule(rule).body(), alt);
                }
                Kind::List { block } => lists.push((tree.range(NodeId::new(at)).end, block)),
                Kind::Item { alt } => {
                    if let Some((_, block)) = lists.last() {
                        self.mark(*block, alt);
                    }
                }
                _ => {}
            }
        }
    }

    fn mark(&self, block: BlockId, alt: u32) {
        // The alternatives of a block have neighbouring numbers; a node numbers them from 1, 0 is none of them.
        let first = self.grammar.block(block).alternatives.start.index();
        let mark = (alt as usize).checked_sub(1).and_then(|offset| self.alternatives.get(first + offset));
        if let Some(mark) = mark {
            mark.store(true, Ordering::Relaxed);
        }
    }

    /// Used and all parser rules.
    pub(crate) fn rules(&self) -> (usize, usize) {
        let parser_rules = self.grammar.parser_rules();
        let used =
            parser_rules.clone().filter(|rule| self.rules[rule.index()].load(Ordering::Relaxed)).count();
        (used, parser_rules.count())
    }

    /// Used and all alternatives of parser rules, groups included.
    pub(crate) fn alternatives(&self) -> (usize, usize) {
        let alternatives = self.all();
        (alternatives.len() - self.unused().len(), alternatives.len())
    }

    /// The alternatives of parser rules that no tree used, in the order of the grammar.
    pub(crate) fn unused(&self) -> Vec<AltId> {
        let is_unused = |alt: &AltId| !self.alternatives[alt.index()].load(Ordering::Relaxed);
        self.all().into_iter().filter(is_unused).collect()
    }

    fn all(&self) -> Vec<AltId> {
        let blocks = self.grammar.parser_rules().flat_map(|rule| {
            let blocks = &self.grammar.rule(rule).blocks;
            (blocks.start.index()..blocks.end.index()).map(BlockId::new)
        });
        blocks.flat_map(|block| self.grammar.alternatives(block)).collect()
    }
}
