//! The order in which the leaves of a tree are printed.
//!
//! Usually it is preorder, and nothing is stored. In a binary format it may differ: a table of offsets is printed before
//! what it describes and known only after it; the leaves of a decompressed stream are not printed at all. Such a tree has
//! a list of *runs*: ranges of nodes in preorder, in the order in which they are printed. Runs do not overlap; a node in no
//! run is not printed. Every printed node, inner ones too, thus has a position in the text: a subtree that replaces a
//! node is printed at the position of that node, whatever else of the old subtree was printed elsewhere.
//!
//! The list is short where few parts are out of order, and printing is still a scan over ranges of nodes.

use crate::buffers::BufferId;
use crate::edit::{EditedPart, Edits, Shift};
use crate::edited::{Replacement, TreeEdit};
use crate::node::NodeId;
use crate::tree::Tree;
use std::ops::Range;

/// Nodes that are printed one after the other.
pub type Run = Range<usize>;

/// Why a list of runs is not a print order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// A run that is empty or leaves the tree.
    #[error("run {0} of the print order is empty or leaves the tree")]
    OutOfRange(usize),
    /// A node in two runs.
    #[error("node {0} occurs twice in the print order")]
    Overlap(usize),
}

/// Runs in print order; `None` is preorder.
pub(crate) type Order = Option<Box<[Run]>>;

impl Tree {
    /// The print order, if it is not preorder.
    pub fn print_order(&self) -> Option<&[Run]> {
        self.order.as_deref()
    }

    /// The same tree with another print order.
    ///
    /// # Errors
    /// The runs are not a print order of this tree.
    pub fn with_print_order(mut self, runs: Vec<Run>) -> Result<Tree, OrderError> {
        if let Some(at) = runs.iter().position(|run| run.is_empty() || run.end > self.len()) {
            return Err(OrderError::OutOfRange(at));
        }
        let mut sorted: Vec<&Run> = runs.iter().collect();
        sorted.sort_by_key(|run| run.start);
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].end > pair[1].start) {
            return Err(OrderError::Overlap(pair[1].start));
        }
        let mut order = Runs::default();
        runs.into_iter().for_each(|run| order.push(run));
        self.order = order.finish(self.len());
        Ok(self)
    }

    /// The same tree, printed in the order of the main buffer: for readers that do not read from front to back. An inner
    /// node is at the first of its leaves that is printed. Leaves of other buffers are not printed.
    #[must_use]
    pub fn in_buffer_order(mut self) -> Tree {
        const NEVER: usize = usize::MAX;
        let mut keys = vec![NEVER; self.len()];
        let parents = self.parents();
        for at in (0..self.len()).rev() {
            let node = self.nodes[at];
            let start = node.text_range().start;
            if node.is_leaf() && self.buffers.owner(start) == BufferId::MAIN {
                keys[at] = start;
            }
            let parent = parents[at].index();
            keys[parent] = keys[parent].min(keys[at]);
        }
        let mut printed: Vec<usize> = (0..self.len()).filter(|at| keys[*at] < NEVER).collect();
        printed.sort_by_key(|at| keys[*at]);
        let mut order = Runs::default();
        printed.into_iter().for_each(|at| order.push(at..at + 1));
        self.order = order.finish(self.len());
        self
    }

    /// The parts of some nodes in preorder that are printed, in print order.
    pub(crate) fn printed(&self, nodes: Run) -> impl Iterator<Item = Run> {
        let whole = [nodes.clone()];
        let (whole, runs) = match &self.order {
            None => (Some(whole), None),
            Some(runs) => (None, Some(runs.iter())),
        };
        let inside = move |run: &Run| {
            let part = run.start.max(nodes.start)..run.end.min(nodes.end);
            (!part.is_empty()).then_some(part)
        };
        whole.into_iter().flatten().chain(runs.into_iter().flatten().filter_map(inside))
    }

    /// Calls `visit` with all parts of the text after edits, in print order.
    pub(crate) fn visit_edited<'e>(
        &self,
        edits: &'e Edits<Replacement<'_>>,
        visit: impl FnMut(EditedPart<'e, Replacement<'_>>),
    ) {
        let runs = self.printed(0..self.len());
        runs.flat_map(|run| edits.parts(run.start as u32..run.end as u32)).for_each(visit);
    }

    /// The print order after edits.
    pub(crate) fn edited_order(&self, edits: &Edits<Replacement<'_>>) -> Order {
        let is_ordered =
            |edit: &TreeEdit<'_>| matches!(edit.new, Replacement::Tree(tree) if tree.order.is_some());
        if self.order.is_none() && !edits.as_slice().iter().any(is_ordered) {
            return None;
        }
        let shift = Shift::new(edits, |new| new_size(self, new));
        let mut order = Runs::default();
        self.visit_edited(edits, |part| match part {
            EditedPart::Kept(run) => {
                let moved = shift.range_or_empty(&run);
                order.push(moved.start as usize..moved.end as usize);
            }
            EditedPart::New(number, new) => {
                let start = shift.start(edits.as_slice()[number].range.start) as usize;
                match new {
                    Replacement::Nothing => {}
                    Replacement::Subtree(by) => {
                        let from = by.index();
                        let runs = self.printed(self.range(*by));
                        runs.for_each(|run| order.push(run.start - from + start..run.end - from + start));
                    }
                    Replacement::Tree(tree) => {
                        let runs = tree.printed(0..tree.len());
                        runs.for_each(|run| order.push(run.start + start..run.end + start));
                    }
                }
            }
        });
        order.finish(shift.start(self.len() as u32) as usize)
    }

    /// The print order of a subtree as a tree of its own.
    pub(crate) fn extracted_order(&self, node: NodeId) -> Order {
        self.order.as_ref()?;
        let mut order = Runs::default();
        let from = node.index();
        self.printed(self.range(node)).for_each(|run| order.push(run.start - from..run.end - from));
        order.finish(self.size(node))
    }
}

fn new_size(base: &Tree, new: &Replacement<'_>) -> usize {
    match new {
        Replacement::Nothing => 0,
        Replacement::Subtree(by) => base.size(*by),
        Replacement::Tree(tree) => tree.len(),
    }
}

/// Runs as they are found; neighbours become one.
#[derive(Default)]
struct Runs(Vec<Run>);

impl Runs {
    fn push(&mut self, run: Run) {
        match self.0.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            _ if run.is_empty() => {}
            _ => self.0.push(run),
        }
    }

    /// The order of a tree with `len` nodes.
    fn finish(self, len: usize) -> Order {
        let is_preorder = matches!(self.0[..], [Run { start: 0, end }] if end == len);
        (!is_preorder).then(|| self.0.into())
    }
}
