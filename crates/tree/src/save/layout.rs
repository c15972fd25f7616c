//! What format 2 stores beyond format 1: the buffer of each leaf, and the print order.
//!
//! A tree over one buffer that is printed in preorder is saved in format 1. Buffers are saved as the texts of their leaves,
//! in preorder; bytes that no leaf names are not saved.

use crate::buffers::BufferId;
use crate::node::NodeId;
use crate::order::Run;
use crate::tree::Tree;

/// Buffers and print order of a saved tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// By leaf, in preorder: the number of its buffer.
    pub(super) buffers: Vec<usize>,
    /// `None` is preorder.
    pub(super) order: Option<Vec<Run>>,
}

impl Layout {
    /// The layout of a tree that needs format 2.
    pub(super) fn of(tree: &Tree) -> Option<Layout> {
        if tree.buffers().count() == 1 && tree.print_order().is_none() {
            return None;
        }
        let buffers = leaves(tree).map(|leaf| tree.leaf_span(leaf).buffer.index()).collect();
        Some(Layout { buffers, order: tree.print_order().map(<[Run]>::to_vec) })
    }

    /// The tree with this layout; what was expected if it does not fit.
    pub(super) fn apply(self, tree: Tree) -> Result<Tree, String> {
        let leaves: Vec<NodeId> = leaves(&tree).collect();
        // A buffer without leaves is possible, but not more buffers than leaves: a number that was read is not trusted.
        let n_buffers = self.buffers.iter().max().map_or(1, |last| last + 1);
        if self.buffers.len() != leaves.len() || n_buffers > leaves.len().max(1) {
            return Err("a buffer for each leaf".into());
        }
        let mut by_node = vec![BufferId::MAIN; tree.len()];
        for (leaf, buffer) in leaves.into_iter().zip(self.buffers) {
            by_node[leaf.index()] = BufferId::new(buffer);
        }
        let tree = tree.regrouped(n_buffers, |leaf| by_node[leaf.index()]);
        match self.order {
            Some(runs) => tree.with_print_order(runs).map_err(|error| format!("a print order: {error}")),
            None => Ok(tree),
        }
    }
}

fn leaves(tree: &Tree) -> impl Iterator<Item = NodeId> {
    tree.subtree(NodeId::ROOT).filter(|id| tree.kind(*id).is_leaf())
}
