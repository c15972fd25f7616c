//! `Tree`: looking at nodes, walking, text, digests.

use crate::buffers::{BufferSpan, Buffers};
use crate::node::{Kind, Node, NodeId};
use crate::order::Order;
use std::ops::Range;

/// A derivation tree. Made by [`crate::TreeBuilder`], [`crate::Preorder`], [`crate::save`] or an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) buffers: Buffers,
    pub(crate) order: Order,
}

impl Tree {
    /// How many nodes it has. Never 0.
    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in preorder, to scan.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What a node is.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node.index()].kind()
    }

    /// The number of nodes of a subtree, its root included.
    #[inline]
    pub fn size(&self, node: NodeId) -> usize {
        self.nodes[node.index()].size()
    }

    /// The place after a subtree: the next sibling, if the parent has one.
    #[inline]
    pub fn after(&self, node: NodeId) -> NodeId {
        NodeId::new(node.index() + self.size(node))
    }

    /// The places of a subtree's nodes.
    pub fn range(&self, node: NodeId) -> Range<usize> {
        node.index()..node.index() + self.size(node)
    }

    /// The children of a node, hidden ones too.
    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children { tree: self, next: node.index() + 1, end: node.index() + self.size(node) }
    }

    /// All nodes of a subtree in preorder.
    pub fn subtree(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.range(node).map(NodeId::new)
    }

    /// The text of a leaf; empty for an inner node.
    #[inline]
    pub fn leaf_text(&self, node: NodeId) -> &[u8] {
        &self.buffers.bytes[self.nodes[node.index()].text_range()]
    }

    /// The buffers that the leaves point into.
    pub fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// The buffer of a leaf's text, and where it is in it.
    pub fn leaf_span(&self, node: NodeId) -> BufferSpan {
        self.buffers.span(self.nodes[node.index()].text_range())
    }

    /// The addresses of a leaf's text. In a tree over one buffer, as of a parsed text, these are its offsets.
    pub fn leaf_range(&self, node: NodeId) -> Range<usize> {
        self.nodes[node.index()].text_range()
    }

    /// Appends the text of a subtree, in print order.
    pub fn write_text(&self, node: NodeId, out: &mut Vec<u8>) {
        self.printed(self.range(node)).for_each(|nodes| self.write_nodes(nodes, out));
    }

    /// Appends the texts of a range of nodes, in preorder. Leaves that follow each other in a buffer are copied at once.
    pub(crate) fn write_nodes(&self, nodes: Range<usize>, out: &mut Vec<u8>) {
        let mut run = 0..0;
        for node in &self.nodes[nodes] {
            let text = node.text_range();
            if text.is_empty() || node.is_note() {
                continue;
            }
            if text.start == run.end {
                run.end = text.end;
            } else {
                out.extend_from_slice(&self.buffers.bytes[run]);
                run = text;
            }
        }
        out.extend_from_slice(&self.buffers.bytes[run]);
    }

    /// The whole text.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.buffers.bytes.len());
        self.write_text(NodeId::ROOT, &mut out);
        out
    }

    /// The parent of each node, by place; the root is its own.
    pub fn parents(&self) -> Vec<NodeId> {
        let mut parents = Vec::with_capacity(self.nodes.len());
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|(_, end)| *end <= at) {
                open.pop();
            }
            parents.push(NodeId::new(open.last().map_or(0, |(parent, _)| *parent)));
            if !node.is_leaf() {
                open.push((at, at + node.size()));
            }
        }
        parents
    }

    /// How many nodes lie on the longest way from the root to a leaf.
    pub fn height(&self) -> usize {
        let mut open: Vec<usize> = Vec::new();
        let mut height = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|end| *end <= at) {
                open.pop();
            }
            height = height.max(open.len() + 1);
            if !node.is_leaf() {
                open.push(at + node.size());
            }
        }
        height
    }

    /// How many tokens a parser would see below a node: no hidden ones, no missing ones, no end of input.
    pub fn n_tokens(&self, node: NodeId) -> usize {
        self.nodes[self.range(node)].iter().filter(|node| node.is_read_token()).count()
    }

    /// A number for the content of a subtree: shape and texts. Stable between versions and machines.
    pub fn digest(&self, node: NodeId) -> u128 {
        let mut hasher = blake3::Hasher::new();
        for id in self.subtree(node) {
            let node = self.nodes[id.index()];
            let text = &self.buffers.bytes[node.text_range()];
            let (tag, number) = match node.kind() {
                Kind::Rule { rule, alt } => (u64::from(alt) << 8, rule.index()),
                Kind::List { block } => (1, block.index()),
                Kind::Item { alt } => (u64::from(alt) << 8 | 2, 0),
                Kind::Token(token) => (3, token.index()),
                Kind::Error(token) => (4, token.index()),
                Kind::Missing(token) => (5, token.index()),
                Kind::Hidden(token) => (6, token.index()),
                Kind::Gap(gap) => (7, gap as usize),
            };
            let size = if node.is_leaf() { text.len() } else { node.size() };
            hasher.update(&tag.to_le_bytes());
            hasher.update(&(number as u64).to_le_bytes());
            hasher.update(&(size as u64).to_le_bytes());
            hasher.update(text);
        }
        if self.order.is_some() {
            for run in self.printed(self.range(node)) {
                hasher.update(&((run.start - node.index()) as u64).to_le_bytes());
                hasher.update(&(run.len() as u64).to_le_bytes());
            }
        }
        let bytes = hasher.finalize();
        u128::from_le_bytes(bytes.as_bytes()[..16].try_into().expect("a digest has 32 bytes"))
    }
}

/// The children of a node, from the left.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    tree: &'a Tree,
    next: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let node = NodeId::new(self.next);
        self.next += self.tree.size(node);
        Some(node)
    }
}
