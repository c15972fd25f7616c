//! Shorter lists instead of new ones.
//!
//! If nothing can be found for an element of a `@list`, the list ends with the element before: its node takes a
//! production without a tail, and the elements that it had are built again choice by choice. The choices of a
//! finished sub-tree lie side by side in the log, so they are copied from there and taken up in the same order; if
//! one of them is not possible any more (a pattern excludes it, a guard refuses it), drawing goes on as usual.
//!
//! A list shrinks when all else is excluded, and also when one of its elements has failed [`PATIENCE`] times.

use crate::arena::NodeId;
use crate::solve::Solver;
use crate::tables::{Kind, Production};
use polysmith_attributes::Value;
use polysmith_random::Weights;
use std::collections::VecDeque;

/// So many conflicts in one element of a list, and the list ends before it.
const PATIENCE: u32 = 64;

/// A choice to be made again.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    class: u32,
    choice: u32,
    value: Value,
}

/// What is kept of a list.
#[derive(Debug, Default)]
pub(crate) struct Shrink {
    /// The node that must take a production without a tail, and the classes of the children that are kept.
    node: Option<(NodeId, Vec<u32>)>,
    /// Choices for the next nodes.
    script: VecDeque<Kept>,
    /// The tail whose element failed last, and how often in a row.
    stuck: (NodeId, u32),
}

impl Shrink {
    pub(crate) fn clear(&mut self) {
        self.node = None;
        self.script.clear();
        self.stuck = (0, 0);
    }

    /// What was kept is of no use.
    pub(crate) fn drop_script(&mut self) {
        self.script.clear();
    }

    /// The next choice, if one is to be made again for this class.
    pub(crate) fn next(&mut self, class: u32) -> Option<Kept> {
        let kept = self.script.pop_front()?;
        if kept.class != class {
            self.script.clear();
            return None;
        }
        Some(kept)
    }
}

impl Kept {
    /// Its number among candidates, in a pool or in a list.
    pub(crate) fn find(
        &self,
        kind: Kind,
        candidates: &[(u32, u32)],
        list: Option<&[Value]>,
    ) -> Option<usize> {
        match kind {
            Kind::Tree => candidates.iter().position(|(production, _)| *production == self.choice),
            Kind::Literal => Some(self.choice as usize),
            Kind::Generator => list?.iter().position(|value| *value == self.value),
        }
    }
}

impl Solver<'_> {
    /// What to change instead, if an element of a list has failed often enough: the end of the list before it.
    pub(crate) fn lose_patience(&mut self, change: NodeId, root: NodeId) -> NodeId {
        let mut tail = change;
        loop {
            if tail == root {
                return change;
            }
            let node = self.arena.node(tail);
            let above = &self.tables.productions[self.arena.node(node.parent).production as usize];
            if above.children[node.child_no as usize].is_tail {
                break;
            }
            tail = node.parent;
        }
        let stuck = &mut self.shrink.stuck;
        *stuck = if stuck.0 == tail { (tail, stuck.1 + 1) } else { (tail, 1) };
        if stuck.1 < PATIENCE {
            return change;
        }
        self.shrink.stuck = (0, 0);
        let list = self.arena.node(tail).parent;
        if self.tables.classes[self.arena.node(list).class as usize].unit && list != root {
            change
        } else {
            list
        }
    }

    /// Before the decision of a node is undone: keeps the elements of a list whose tail is to go.
    pub(crate) fn keep_elements(&mut self, list: NodeId) {
        self.shrink.node = None;
        self.shrink.script.clear();
        let node = self.arena.node(list);
        let production = &self.tables.productions[node.production as usize];
        let Some(tail) = production.children.iter().position(|child| child.is_tail) else { return };
        if node.in_region
            || production.steps.is_none()
            || !self.arena.is_decided(node.first_child + tail as u32)
        {
            return;
        }
        let mut kept: Vec<NodeId> = (0..production.children.len())
            .filter(|child| production.children[*child].resume < production.children[tail].resume)
            .map(|child| node.first_child + child as u32)
            .collect();
        kept.sort_by_key(|child| self.arena.node(*child).when);
        let end = self.arena.node(node.first_child + tail as u32).when as usize;
        for (at, child) in kept.iter().enumerate() {
            let from = self.arena.node(*child).when as usize;
            let to = kept.get(at + 1).map_or(end, |next| self.arena.node(*next).when as usize);
            self.shrink.script.extend(self.arena.log[from..to].iter().map(|id| {
                let (node, class) =
                    (self.arena.node(*id), &self.tables.classes[self.arena.node(*id).class as usize]);
                let value = match class.kind {
                    Kind::Generator => self.arena.intrinsic(*id, self.tables).clone(),
                    _ => Value::Nil,
                };
                Kept { class: node.class, choice: node.choice, value }
            }));
        }
        self.shrink.node = Some((list, kept.iter().map(|child| self.arena.node(*child).class).collect()));
    }

    /// When a list is to end here: a candidate without a tail that keeps its elements, if there is one.
    pub(crate) fn prefer_end(&mut self, node: NodeId) -> Option<usize> {
        let (list, classes) = self.shrink.node.take()?;
        let keeps = |production: &Production| {
            // In the order of work, as the choices were recorded.
            let mut children: Vec<_> = production.children.iter().collect();
            children.sort_by_key(|child| child.resume);
            let same = children.iter().map(|child| child.class).eq(classes.iter().copied());
            same && !production.has_tail && production.steps.is_some()
        };
        let open = self.candidates.open();
        let ends: Vec<usize> = (0..open.len())
            .filter(|at| list == node && keeps(&self.tables.productions[open[*at].0 as usize]))
            .collect();
        let weights = Weights::new(ends.iter().map(|at| open[*at].1));
        match weights.choose(&mut self.structure) {
            Some(drawn) => Some(ends[drawn]),
            None => {
                self.shrink.script.clear();
                None
            }
        }
    }
}
