//! Shortens lists instead of building new ones.
//!
//! If nothing can be found for an element of a `@list`, the list ends with the previous element: its node gets a
//! production without a tail, and its other elements are rebuilt choice by choice. The choices of a complete subtree
//! are contiguous in the log, so they are copied from there and replayed in the same order; if one of them is no
//! longer possible (a pattern excludes it, a guard rejects it), random choice continues.
//!
//! A list is shortened when everything else is excluded, and also after [`MAX_ELEMENT_CONFLICTS`] conflicts in one of its elements.

use crate::arena::NodeId;
use crate::solve::Solver;
use crate::tables::{NodeKind, Production};
use polysmith_attributes::Value;
use polysmith_random::Weights;
use std::collections::VecDeque;

/// The number of conflicts in one element of a list after which the list ends before it.
const MAX_ELEMENT_CONFLICTS: u32 = 64;

/// A choice to be replayed.
#[derive(Debug, Clone)]
pub(crate) struct RecordedChoice {
    class: u32,
    choice: u32,
    value: Value,
}

/// What is kept of a list.
#[derive(Debug, Default)]
pub(crate) struct Shrink {
    /// The node that must get a production without a tail, and the classes of the children that are kept.
    node: Option<(NodeId, Vec<u32>)>,
    /// The choices to be replayed for the next nodes.
    replay: VecDeque<RecordedChoice>,
    /// The tail whose element had the last conflict, and the number of consecutive conflicts.
    conflicts: (NodeId, u32),
}

impl Shrink {
    pub(crate) fn clear(&mut self) {
        self.node = None;
        self.replay.clear();
        self.conflicts = (0, 0);
    }

    /// Discards the choices to be replayed.
    pub(crate) fn drop_replay(&mut self) {
        self.replay.clear();
    }

    /// The next choice to be replayed, if it is for this class.
    pub(crate) fn next(&mut self, class: u32) -> Option<RecordedChoice> {
        let kept = self.replay.pop_front()?;
        if kept.class != class {
            self.replay.clear();
            return None;
        }
        Some(kept)
    }
}

impl RecordedChoice {
    /// Its index among the candidates, in the pool or in the list.
    pub(crate) fn find(
        &self,
        kind: NodeKind,
        candidates: &[(u32, u32)],
        list: Option<&[Value]>,
    ) -> Option<usize> {
        match kind {
            NodeKind::Tree => candidates.iter().position(|(production, _)| *production == self.choice),
            NodeKind::Literal => Some(self.choice as usize),
            NodeKind::Generator => list?.iter().position(|value| *value == self.value),
        }
    }
}

impl Solver<'_> {
    /// The node to change if an element of a list had too many conflicts: the end of the list before it.
    pub(crate) fn end_list_before_element(&mut self, change: NodeId, root: NodeId) -> NodeId {
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
        let conflicts = &mut self.shrink.conflicts;
        *conflicts = if conflicts.0 == tail { (tail, conflicts.1 + 1) } else { (tail, 1) };
        if conflicts.1 < MAX_ELEMENT_CONFLICTS {
            return change;
        }
        self.shrink.conflicts = (0, 0);
        let list = self.arena.node(tail).parent;
        if self.tables.classes[self.arena.node(list).class as usize].unit && list != root {
            change
        } else {
            list
        }
    }

    /// Called before the decision of a node is undone: keeps the elements of a list whose tail is removed.
    pub(crate) fn keep_elements(&mut self, list: NodeId) {
        self.shrink.node = None;
        self.shrink.replay.clear();
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
            self.shrink.replay.extend(self.arena.log[from..to].iter().map(|id| {
                let (node, class) =
                    (self.arena.node(*id), &self.tables.classes[self.arena.node(*id).class as usize]);
                let value = match class.kind {
                    NodeKind::Generator => self.arena.intrinsic(*id, self.tables).clone(),
                    _ => Value::Nil,
                };
                RecordedChoice { class: node.class, choice: node.choice, value }
            }));
        }
        self.shrink.node = Some((list, kept.iter().map(|child| self.arena.node(*child).class).collect()));
    }

    /// If a list must end here: a candidate without a tail that keeps its elements, if there is one.
    pub(crate) fn prefer_end(&mut self, node: NodeId) -> Option<usize> {
        let (list, classes) = self.shrink.node.take()?;
        let keeps = |production: &Production| {
            // In the order of evaluation, as the choices were recorded.
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
                self.shrink.replay.clear();
                None
            }
        }
    }
}
