//! Builds a tree from the top: for generators, readers and tests.

use crate::buffers::Buffers;
use crate::node::{Gap, Kind, Node, NodeId};
use crate::tree::Tree;
use polysmith_grammar::{BlockId, RuleId, TokenType};

/// Nodes are opened, filled and closed in the order of the text.
///
/// The builder can be used again after [`TreeBuilder::finish_into`] without new allocations: engines keep one
/// per thread.
#[derive(Debug, Clone, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    text: Vec<u8>,
    open: Vec<u32>,
    has_notes: bool,
}

impl TreeBuilder {
    /// An empty one.
    pub fn new() -> TreeBuilder {
        TreeBuilder::default()
    }

    /// Begins a rule node.
    #[inline]
    pub fn open_rule(&mut self, rule: RuleId, alt: u32) {
        self.open(Kind::Rule { rule, alt });
    }

    /// Begins the node of a group.
    #[inline]
    pub fn open_list(&mut self, block: BlockId) {
        self.open(Kind::List { block });
    }

    /// Begins one repetition of the group that is open.
    #[inline]
    pub fn open_item(&mut self, alt: u32) {
        self.open(Kind::Item { alt });
    }

    /// Begins an inner node.
    #[inline]
    pub fn open(&mut self, kind: Kind) {
        self.open.push(NodeId::new(self.nodes.len()).index() as u32);
        self.nodes.push(Node::inner(kind));
    }

    /// Ends the node opened last.
    #[inline]
    pub fn close(&mut self) {
        let at = self.open.pop().expect("something is open") as usize;
        let size = self.nodes.len() - at;
        self.nodes[at].set_size(size);
    }

    /// Adds an inner node without children.
    #[inline]
    pub fn childless(&mut self, kind: Kind) {
        self.nodes.push(Node::inner(kind));
    }

    /// Adds inner nodes of another tree as they are: their sizes say what the caller will add below them.
    #[inline]
    pub fn inner_nodes(&mut self, nodes: impl ExactSizeIterator<Item = Node>) {
        self.nodes.extend(nodes.inspect(|node| debug_assert!(!node.is_leaf())));
    }

    /// One node more than its size says will be below a node of [`TreeBuilder::inner_nodes`].
    #[inline]
    pub fn widen(&mut self, at: usize) {
        let size = self.nodes[at].size();
        self.nodes[at].set_size(size + 1);
    }

    /// Adds a token.
    #[inline]
    pub fn token(&mut self, token: TokenType, text: &[u8]) {
        self.leaf(Kind::Token(token), text);
    }

    /// Adds a leaf.
    #[inline]
    pub fn leaf(&mut self, kind: Kind, text: &[u8]) {
        self.has_notes |= kind == Kind::Gap(Gap::Note);
        self.nodes.push(Node::leaf(kind, self.text.len(), text.len()));
        self.text.extend_from_slice(text);
    }

    /// Adds a copy of a subtree.
    pub fn subtree(&mut self, tree: &Tree, node: NodeId) {
        for id in tree.subtree(node) {
            let kind = tree.kind(id);
            if kind.is_leaf() {
                self.leaf(kind, tree.leaf_text(id));
            } else {
                self.nodes.push(tree.nodes[id.index()]);
            }
        }
    }

    /// How many nodes there are so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Takes back everything after the first `len` nodes (as [`TreeBuilder::len`] told earlier, with the same
    /// nodes open): an engine gives a choice up.
    pub fn truncate(&mut self, len: usize) {
        let cut = self.nodes[len..].iter().find(|node| node.is_leaf()).map(|leaf| leaf.text_range().start);
        if let Some(start) = cut {
            self.text.truncate(start);
        }
        self.nodes.truncate(len);
        while self.open.last().is_some_and(|at| *at as usize >= len) {
            self.open.pop();
        }
    }

    /// Takes back everything after the first `len` nodes and `bytes` bytes, also where nodes that were open then
    /// have been closed since: `open` are those that were, the innermost first.
    pub fn rewind(&mut self, len: usize, bytes: usize, open: impl Iterator<Item = usize>) {
        self.nodes.truncate(len);
        self.text.truncate(bytes);
        self.open.clear();
        self.open.extend(open.map(|at| at as u32));
        self.open.reverse();
    }

    /// How many bytes the leaves have so far.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// The tree. Exactly one node must have been opened outermost, and all must be closed.
    pub fn finish(mut self) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), buffers: Buffers::default(), order: None };
        self.finish_into(&mut tree);
        tree
    }

    /// As [`TreeBuilder::finish_into`]; `text` becomes the tree's text.
    pub fn finish_with_text(&mut self, tree: &mut Tree, text: &mut Vec<u8>) {
        let has_notes = std::mem::take(&mut self.has_notes);
        self.finish_into(tree);
        text.clear();
        if has_notes {
            tree.write_text(NodeId::ROOT, text);
        } else {
            // Leaves were added in the order of the text, and all of them are printed.
            text.extend_from_slice(&tree.buffers.bytes);
        }
    }

    /// Moves the tree into `tree` and keeps that one's memory for the next.
    pub fn finish_into(&mut self, tree: &mut Tree) {
        assert!(self.open.is_empty(), "every node is closed");
        assert_eq!(self.nodes.first().map(|root| root.size()), Some(self.nodes.len()), "there is one root");
        std::mem::swap(&mut self.nodes, &mut tree.nodes);
        tree.buffers.clear();
        std::mem::swap(&mut self.text, &mut tree.buffers.bytes);
        tree.order = None;
        self.nodes.clear();
        self.text.clear();
    }
}
