//! Finds the reasons of a conflict: the choices that a value depends on.
//!
//! The walk goes from an attribute back through the equations that computed it: the node whose production has the
//! equation is a reason, and so is everything that its sources depend on. The text or value of a leaf depends only on
//! the leaf. The walk ends at the inherited attributes of the search's root, which are constant during the search. It
//! runs only after a conflict, and enters complete subtrees of other searches as far as values came from there.

use crate::arena::NodeId;
use crate::patterns::{Conflict, bit};
use crate::solve::Solver;
use crate::tables::{NodeKind, Ref, Rule};

/// The visited marks of a walk, reused between walks.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    seen: Vec<u32>,
    round: u32,
    open: Vec<(NodeId, u32)>,
}

impl Solver<'_> {
    /// Adds the reasons of the sources of a rule whose bit is set in `read` (bit 63 represents all from 63 on).
    pub(crate) fn blame_sources(&mut self, node: NodeId, rule: &Rule, read: u64, conflict: &mut Conflict) {
        for (at, source) in (0..).zip(self.tables.sources_of(rule)) {
            if read & bit(at) != 0 && source.attribute != Ref::NODE {
                let owner = self.arena.owner(node, source.owner);
                self.walk.open.push((owner, u32::from(source.attribute)));
            }
        }
        self.blame_open(conflict);
    }

    /// Adds the reasons of some inherited attributes of a node.
    pub(crate) fn blame_inherited(&mut self, node: NodeId, which: u64, conflict: &mut Conflict) {
        let class = &self.tables.classes[self.arena.node(node).class as usize];
        let wanted = (0..class.n_inherited).filter(|attribute| which & bit(*attribute) != 0);
        self.walk.open.extend(wanted.map(|attribute| (node, attribute)));
        self.blame_open(conflict);
    }

    fn blame_open(&mut self, conflict: &mut Conflict) {
        let root = self.calls.last().map_or(0, |call| call.root);
        let walk = &mut self.walk;
        walk.round += 1;
        walk.seen.resize(self.arena.values.len(), 0);
        while let Some((node, attribute)) = walk.open.pop() {
            let slot = (self.arena.node(node).attributes + attribute) as usize;
            if std::mem::replace(&mut walk.seen[slot], walk.round) == walk.round {
                continue;
            }
            let class = &self.tables.classes[self.arena.node(node).class as usize];
            let (owner, equation) = if attribute < class.n_inherited {
                if node == root {
                    conflict.inherited |= bit(attribute);
                    continue;
                }
                let (parent, child) = (self.arena.node(node).parent, self.arena.node(node).child_no);
                let production = &self.tables.productions[self.arena.node(parent).production as usize];
                (parent, production.children[child as usize].inherited[attribute as usize])
            } else if class.kind != NodeKind::Tree && attribute == class.intrinsic {
                conflict.tests.push(node);
                continue;
            } else {
                let production = &self.tables.productions[self.arena.node(node).production as usize];
                (node, production.synthesized[(attribute - class.n_inherited) as usize])
            };
            conflict.tests.push(owner);
            let production = &self.tables.productions[self.arena.node(owner).production as usize];
            let Some(rule) = production.equations.get(equation as usize) else { continue };
            for source in self.tables.sources_of(rule) {
                if source.attribute != Ref::NODE {
                    let from = self.arena.owner(owner, source.owner);
                    walk.open.push((from, u32::from(source.attribute)));
                }
            }
        }
    }

    /// Converts the conflict of a failed search on `node` to a conflict of the enclosing search.
    pub(crate) fn lift(&mut self, node: NodeId, below: Conflict) -> Conflict {
        let own = self.calls.last().map_or(0, |call| call.patterns);
        let mut conflict = Conflict::new(below.blame);
        conflict.taint = below.taint;
        conflict.tests.push(self.arena.node(node).parent);
        if below.taint.is_limit() {
            // The cause is unknown: only the path to the node is excluded.
            return conflict;
        }
        conflict.tests.extend(below.tests);
        for pattern in below.outer_patterns {
            self.patterns.depend(pattern, own, &mut conflict);
        }
        self.blame_inherited(node, below.inherited, &mut conflict);
        conflict
    }
}
