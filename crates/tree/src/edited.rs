//! Trees after edits, printed without being built.
//!
//! Nobody clones a million nodes to ask one question: [`Tree::write_edited`] prints the text that the edits
//! would give by a scan that skips and splices; [`Tree::edited`] builds the tree when it is wanted. Both cost
//! one pass over the base.

use crate::buffers::{BufferId, Buffers};
use crate::edit::{Edit, EditedPart, Edits};
use crate::node::{Kind, Node, NodeId};
use crate::tree::Tree;

/// An edit of a tree. Its range is nodes in preorder: whole subtrees side by side, mostly one ([`Tree::replace`]).
pub type TreeEdit<'a> = Edit<Replacement<'a>>;

/// What comes in the place of a subtree.
#[derive(Debug, Clone, Copy, Default)]
pub enum Replacement<'a> {
    /// Nothing: the subtree is deleted.
    #[default]
    Nothing,
    /// A copy of a subtree of the base tree (as it is before any edit).
    Subtree(NodeId),
    /// Another tree.
    Tree(&'a Tree),
}

impl Tree {
    /// The edit that deletes a subtree.
    pub fn delete<'a>(&self, node: NodeId) -> TreeEdit<'a> {
        self.replace(node, Replacement::Nothing)
    }

    /// The edit that replaces a subtree.
    pub fn replace<'a>(&self, node: NodeId, new: Replacement<'a>) -> TreeEdit<'a> {
        let range = self.range(node);
        Edit { range: range.start as u32..range.end as u32, new }
    }

    /// Appends the text after the edits.
    pub fn write_edited(&self, edits: &Edits<Replacement<'_>>, out: &mut Vec<u8>) {
        self.visit_edited(edits, |part| match part {
            EditedPart::Kept(nodes) => self.write_nodes(nodes.start as usize..nodes.end as usize, out),
            EditedPart::New(_, Replacement::Nothing) => {}
            EditedPart::New(_, Replacement::Subtree(by)) => self.write_text(*by, out),
            EditedPart::New(_, Replacement::Tree(tree)) => tree.write_text(NodeId::ROOT, out),
        });
    }

    /// The tree after the edits. The root cannot be deleted.
    pub fn edited(&self, edits: &Edits<Replacement<'_>>) -> Tree {
        let mut folder =
            Folder { out: Vec::with_capacity(self.len()), open: Vec::new(), buffers: self.buffers.clone() };
        for part in edits.parts(0..self.len() as u32) {
            match part {
                EditedPart::Kept(nodes) => {
                    folder.copy(&self.nodes, nodes.start as usize, nodes.end as usize);
                }
                EditedPart::New(_, Replacement::Nothing) => {}
                EditedPart::New(_, Replacement::Subtree(by)) => {
                    folder.out.extend_from_slice(&self.nodes[self.range(*by)]);
                }
                EditedPart::New(_, Replacement::Tree(tree)) => folder.splice(tree),
            }
        }
        assert!(!folder.out.is_empty(), "the root cannot be deleted");
        folder.close_before(usize::MAX);
        Tree { nodes: folder.out, buffers: folder.buffers, order: self.edited_order(edits) }
    }

    /// The same tree with a buffer that holds nothing but its own text, in order. After many edits the buffer
    /// has dead parts.
    pub fn compacted(&self) -> Tree {
        self.regrouped(self.buffers.count(), |leaf| self.leaf_span(leaf).buffer)
    }

    /// The same tree over `n_buffers` new buffers, which have the texts of their leaves one after the other in preorder.
    pub(crate) fn regrouped(&self, n_buffers: usize, buffer_of: impl Fn(NodeId) -> BufferId) -> Tree {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new(); n_buffers];
        let leaves = || self.subtree(NodeId::ROOT).filter(|id| self.nodes[id.index()].is_leaf());
        let offsets: Vec<(BufferId, usize)> = leaves()
            .map(|leaf| {
                let buffer = buffer_of(leaf);
                let text = &mut texts[buffer.index()];
                text.extend_from_slice(self.leaf_text(leaf));
                (buffer, text.len() - self.leaf_text(leaf).len())
            })
            .collect();
        let mut texts = texts.into_iter();
        let mut buffers = Buffers::new(texts.next().unwrap_or_default());
        texts.for_each(|text| {
            buffers.add(&text);
        });
        let mut nodes = self.nodes.clone();
        for (leaf, (buffer, at)) in leaves().zip(offsets) {
            let len = self.leaf_text(leaf).len();
            nodes[leaf.index()] = Node::leaf(self.kind(leaf), buffers.address(buffer, at), len);
        }
        Tree { nodes, buffers, order: self.order.clone() }
    }

    /// A subtree as a tree of its own.
    pub fn extract(&self, node: NodeId) -> Tree {
        let nodes = self.nodes[self.range(node)].to_vec();
        Tree { nodes, buffers: self.buffers.clone(), order: self.extracted_order(node) }.compacted()
    }

    /// The same tree without hidden text.
    pub fn without_hidden(&self) -> Tree {
        let hidden = |id: &NodeId| matches!(self.kind(*id), Kind::Hidden(_) | Kind::Gap(_));
        let edits = self.subtree(NodeId::ROOT).filter(hidden).map(|node| self.delete(node)).collect();
        self.edited(&Edits::new(edits).unwrap_or_default())
    }
}

/// Copies nodes and sets the sizes of those that are open when something inside them changed.
struct Folder {
    out: Vec<Node>,
    /// Open nodes: place in `out`, and where they end in the base.
    open: Vec<(usize, usize)>,
    buffers: Buffers,
}

impl Folder {
    fn copy(&mut self, nodes: &[Node], from: usize, to: usize) {
        for (at, node) in nodes.iter().enumerate().take(to).skip(from) {
            self.close_before(at);
            if !node.is_leaf() {
                self.open.push((self.out.len(), at + node.size()));
            }
            self.out.push(*node);
        }
        self.close_before(to);
    }

    fn close_before(&mut self, at: usize) {
        while let Some(&(place, end)) = self.open.last() {
            if end > at {
                break;
            }
            let size = self.out.len() - place;
            self.out[place].set_size(size);
            self.open.pop();
        }
    }

    fn splice(&mut self, tree: &Tree) {
        let shift = self.buffers.append(&tree.buffers);
        self.out.extend(tree.nodes.iter().map(|node| node.shifted(shift)));
    }
}
