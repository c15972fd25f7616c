//! Builds a tree while a text is read: for parsers.
//!
//! Nodes are appended as they are opened, so they are in preorder at once. One thing comes too late for that:
//! with left recursion, `a` becomes the first operand of `a + b` only when the `+` arrives. Such a wrapper is kept
//! aside with its place, and one pass at the end moves all of them in; a tree without wrappers needs no pass.
//!
//! *Invariant:* an open node holds, where its size will be, the number of nodes that came before it, wrappers
//! counted. All wrappers added since then lie inside it, so its size is the difference when it is closed.

use crate::buffers::Buffers;
use crate::node::{Kind, Node};
use crate::tree::Tree;

/// Nodes in preorder, over a text that is there from the start.
#[derive(Debug, Clone, Default)]
pub struct Preorder {
    nodes: Vec<Node>,
    wrappers: Vec<Wrapper>,
    /// Memory for the text.
    text: Vec<u8>,
}

/// A node that belongs before another one.
#[derive(Debug, Clone, Copy)]
struct Wrapper {
    before: u32,
    node: Node,
}

/// An inner node that is not closed yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open(u32);

/// Marks a wrapper.
const WRAPPER: u32 = 1 << 31;

impl Preorder {
    /// An empty one.
    pub fn new() -> Preorder {
        Preorder::default()
    }

    /// An empty one in the memory of a tree that is no longer needed.
    pub fn reusing(tree: Tree) -> Preorder {
        let Tree { mut nodes, buffers: Buffers { bytes: mut text, .. }, .. } = tree;
        nodes.clear();
        text.clear();
        Preorder { nodes, wrappers: Vec::new(), text }
    }

    /// Makes room for `nodes` more nodes.
    pub fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
    }

    /// How many nodes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len() + self.wrappers.len()
    }

    /// Whether there is no node yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds a leaf whose text is `len` bytes from the address `start`: an offset of the input, where that is the only
    /// buffer.
    #[inline(always)]
    pub fn leaf(&mut self, kind: Kind, start: usize, len: usize) {
        self.nodes.push(Node::leaf(kind, start, len));
    }

    /// Begins an inner node: what is added from now on is below it.
    #[inline(always)]
    pub fn open(&mut self, kind: Kind) -> Open {
        let at = self.nodes.len();
        assert!(at < WRAPPER as usize, "a tree that is read has fewer than 2^31 nodes");
        let mut node = Node::inner(kind);
        node.set_size(self.len());
        self.nodes.push(node);
        Open(at as u32)
    }

    /// Begins inner nodes, each inside the one before.
    #[inline(always)]
    pub fn open_each(&mut self, kinds: impl ExactSizeIterator<Item = Kind>) -> impl Iterator<Item = Open> {
        let (first, len) = (self.nodes.len(), self.len());
        let end = first + kinds.len();
        assert!(end <= WRAPPER as usize, "a tree that is read has fewer than 2^31 nodes");
        self.nodes.extend(kinds.enumerate().map(|(at, kind)| {
            let mut node = Node::inner(kind);
            node.set_size(len + at);
            node
        }));
        (first as u32..end as u32).map(Open)
    }

    /// Adds an inner node without children.
    #[inline]
    pub fn childless(&mut self, kind: Kind) {
        self.nodes.push(Node::inner(kind));
    }

    /// Says which alternative an open node is.
    #[inline]
    pub fn set_alt(&mut self, open: Open, alt: u32) {
        self.node(open).set_alt(alt);
    }

    /// Ends a node.
    #[inline(always)]
    pub fn close(&mut self, open: Open) {
        let len = self.len();
        let node = self.node(open);
        node.set_size(len - node.size());
    }

    /// Ends nodes, the innermost first, each with a last child that has no children.
    #[inline(always)]
    pub fn close_each(
        &mut self,
        last: impl ExactSizeIterator<Item = Kind>,
        opens: impl Iterator<Item = Open>,
    ) {
        let len = self.len();
        self.nodes.extend(last.map(Node::inner));
        for (at, open) in opens.enumerate() {
            let node = self.node(open);
            node.set_size(len + at + 1 - node.size());
        }
    }

    /// Ends a node and begins another one, of the same kind but for its alternative, which contains it.
    pub fn wrap(&mut self, open: Open, alt: u32) -> Open {
        let first = self.len();
        self.close(open);
        let before = if open.0 & WRAPPER == 0 { open.0 } else { self.wrappers[open.index()].before };
        let mut node = *self.node(open);
        node.set_size(first - node.size());
        node.set_alt(alt);
        self.wrappers.push(Wrapper { before, node });
        Open((self.wrappers.len() - 1) as u32 | WRAPPER)
    }

    /// Takes an open node back if its alternative is not known (0) and nothing was added since; says whether it did.
    pub fn take_back(&mut self, open: Open) -> bool {
        let is_last = open.0 as usize + 1 == self.nodes.len();
        let back =
            is_last && matches!(self.node(open).kind(), Kind::Rule { alt: 0, .. } | Kind::Item { alt: 0 });
        if back {
            self.nodes.pop();
        }
        back
    }

    #[inline(always)]
    fn node(&mut self, open: Open) -> &mut Node {
        if open.0 & WRAPPER == 0 {
            &mut self.nodes[open.index()]
        } else {
            &mut self.wrappers[open.index()].node
        }
    }

    /// Bytes allocated.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.wrappers.capacity() * size_of::<Wrapper>()
            + self.text.capacity()
    }

    /// The tree over the input. The node opened first must contain all others, and all must be closed.
    pub fn finish(mut self, text: &[u8]) -> Tree {
        let mut bytes = std::mem::take(&mut self.text);
        bytes.extend_from_slice(text);
        self.finish_over(Buffers::new(bytes))
    }

    /// The tree over several buffers; leaves have their addresses. Printed in preorder.
    pub fn finish_over(mut self, buffers: Buffers) -> Tree {
        self.insert_wrappers();
        assert_eq!(self.nodes.first().map(|root| root.size()), Some(self.nodes.len()), "there is one root");
        Tree { nodes: self.nodes, buffers, order: None }
    }

    /// Moves the nodes apart from the back, each piece to where it belongs.
    fn insert_wrappers(&mut self) {
        let Some(any) = self.wrappers.first().map(|wrapper| wrapper.node) else { return };
        // Of several at one place, the last one added is the outermost and comes first.
        self.wrappers.reverse();
        self.wrappers.sort_by_key(|wrapper| wrapper.before);
        let mut end = self.nodes.len();
        self.nodes.resize(end + self.wrappers.len(), any);
        for (at, wrapper) in self.wrappers.iter().enumerate().rev() {
            let before = wrapper.before as usize;
            self.nodes.copy_within(before..end, before + at + 1);
            self.nodes[before + at] = wrapper.node;
            end = before;
        }
    }
}

impl Open {
    #[inline]
    fn index(self) -> usize {
        (self.0 & !WRAPPER) as usize
    }
}
