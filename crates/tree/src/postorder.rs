//! Builds a tree from the bottom: for parsers.
//!
//! A parser knows what a node is when it has read it: with left recursion, `a` becomes the first operand of
//! `a + b` only when the `+` arrives. In postorder that costs nothing: a node is closed over everything since a
//! mark, and the mark of `a` serves again for `a + b`. One pass at the end brings the nodes into preorder.

use crate::node::{Kind, Node};
use crate::tree::Tree;

/// Nodes in postorder, over a text that is there from the start.
#[derive(Debug, Clone, Default)]
pub struct Postorder {
    nodes: Vec<Node>,
}

/// A place between nodes; what is closed from here contains everything added since.
pub type Mark = usize;

impl Postorder {
    /// An empty one.
    pub fn new() -> Postorder {
        Postorder::default()
    }

    /// The present place.
    pub fn mark(&self) -> Mark {
        self.nodes.len()
    }

    /// Adds a leaf whose text is `len` bytes of the input from `start`.
    pub fn leaf(&mut self, kind: Kind, start: usize, len: usize) {
        self.nodes.push(Node::leaf(kind, start, len));
    }

    /// Makes everything since `mark` the children of a new inner node.
    pub fn close(&mut self, mark: Mark, kind: Kind) {
        let mut node = Node::inner(kind);
        node.set_size(self.nodes.len() - mark + 1);
        self.nodes.push(node);
    }

    /// Takes back everything since `mark`.
    pub fn truncate(&mut self, mark: Mark) {
        self.nodes.truncate(mark);
    }

    /// The tree over the input. The node closed last must contain all others.
    pub fn finish(self, text: Vec<u8>) -> Tree {
        let mut nodes = self.nodes.clone();
        let total = self.nodes.len();
        assert_eq!(self.nodes.last().map(|root| root.size()), Some(total), "there is one root");
        // From the back, each node is the last child of the node before it, or the nearest left neighbour of it
        // or of one of its ancestors. `open` holds, for each ancestor, where its nodes begin in postorder and
        // where it stands in preorder; `end` is where the present node's range ends in preorder.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut end = total;
        for (at, node) in self.nodes.iter().enumerate().rev() {
            while let Some(&(first, place)) = open.last() {
                if at >= first {
                    break;
                }
                open.pop();
                end = place;
            }
            let place = end - node.size();
            nodes[place] = *node;
            if node.size() > 1 {
                open.push((at + 1 - node.size(), place));
            } else {
                end = place;
            }
        }
        Tree { nodes, text }
    }
}
