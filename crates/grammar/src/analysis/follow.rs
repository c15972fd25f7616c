//! What can stand behind a rule or a group.
//!
//! One row of bits per block; a rule's is its body's. The first tokens of whatever comes next are put in
//! directly; where all that comes next may be empty, the row contains the row of the block around it, and those
//! containments are solved component by component like [`First`]. All uses count, also those in rules that
//! nothing reaches.

use super::bits::{BitMatrix, Bits};
use super::components::{Components, Graph};
use super::first::First;
use super::nullable::{Nullable, Productive};
use crate::ids::{BlockId, RuleId};
use crate::model::{ElementKind, Grammar};
use crate::tokens::TokenType;

/// The tokens that can follow, by rule and group, as bits by [`TokenType::index`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follow {
    blocks: BitMatrix,
    bodies: Vec<BlockId>,
}

impl Follow {
    /// Solves for a whole grammar; the end of the input follows the start rule.
    pub fn of(
        grammar: &Grammar,
        nullable: &Nullable,
        productive: &Productive,
        first: &First,
        start: Option<RuleId>,
    ) -> Follow {
        let mut blocks = BitMatrix::new(grammar.n_blocks(), grammar.tokens().len());
        if let Some(start) = start {
            blocks.insert(grammar.rule(start).body().index(), TokenType::EOF.index());
        }
        let mut edges = Vec::new();
        let mut rest = BitMatrix::new(1, grammar.tokens().len());
        for around in (0..grammar.n_blocks()).map(BlockId::new) {
            if grammar.block(around).quantifier.max != Some(1) {
                blocks.union_with(around.index(), first.block(around));
            }
            for alt in grammar.alternatives(around).filter(|alt| productive.alternative(*alt)) {
                rest.clear(0);
                let mut rest_nullable = true;
                for element in grammar.elements(alt).iter().rev() {
                    if let Some(inner) = block_of(grammar, element.kind) {
                        blocks.union_with(inner.index(), rest.row(0));
                        if rest_nullable {
                            edges.push((inner.index() as u32, around.index() as u32));
                        }
                    }
                    if !nullable.element(grammar, element.kind) {
                        rest.clear(0);
                        rest_nullable = false;
                    }
                    first.add_element(grammar, element.kind, &mut rest, 0);
                }
            }
        }
        close(&mut blocks, &Graph::new(grammar.n_blocks(), &edges));
        let bodies = grammar.rules().map(|rule| grammar.rule(rule).body()).collect();
        Follow { blocks, bodies }
    }

    /// What can follow a rule.
    pub fn rule(&self, rule: RuleId) -> Bits<'_> {
        self.block(self.bodies[rule.index()])
    }

    /// What can follow one iteration of a group: what comes behind it, and its own beginning if it can repeat.
    pub fn block(&self, block: BlockId) -> Bits<'_> {
        self.blocks.row(block.index())
    }
}

/// The block whose texts stand at a place.
fn block_of(grammar: &Grammar, kind: ElementKind) -> Option<BlockId> {
    match kind {
        ElementKind::Rule(rule) => Some(grammar.rule(rule).body()),
        ElementKind::Block(block) => Some(block),
        _ => None,
    }
}

/// Makes every row contain the rows that its edges lead to.
pub(super) fn close(rows: &mut BitMatrix, graph: &Graph) {
    let components = Components::of(graph);
    for component in 0..components.len() {
        let mut members = components.nodes(component);
        let first = members.next().expect("a component has a node");
        for member in components.nodes(component) {
            rows.union_rows(first, member);
            for target in graph.successors(member) {
                rows.union_rows(first, *target as usize);
            }
        }
        for other in members {
            rows.union_rows(other, first);
        }
    }
}
