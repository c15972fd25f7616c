//! The tree under construction: nodes in one vector, the values of their attributes in another.
//!
//! The children of a production are contiguous and are created when it is chosen; so are their values. Decisions are
//! made in the order of evaluation and recorded in a log, so that everything decided after a node follows it in both
//! vectors: undoing a decision truncates the vectors and the log. Values that earlier nodes computed since then stay:
//! the order of evaluation recomputes them before they are read.

use crate::tables::{NONE, NodeKind, Ref, Tables};
use polysmith_attributes::Value;

/// The index of a node.
pub(crate) type NodeId = u32;

/// A node of the tree.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub class: u32,
    /// [`NONE`] while it is undecided.
    pub production: u32,
    /// The index of the text in the pool or of the value in the list; for an inner node, the production.
    pub choice: u32,
    pub parent: NodeId,
    pub child_no: u32,
    pub first_child: NodeId,
    /// The index of its first value.
    pub attributes: u32,
    /// The number of nodes when it was decided.
    pub mark: u32,
    /// Its index in the log.
    pub when: u32,
    /// The nearest ancestor whose class is built by a nested search.
    pub unit: NodeId,
    /// The number of its path for fail patterns; 0 if no pattern tests it.
    pub path: u32,
    /// The height that a recursive production may still reach; [`NONE`] if there is no limit yet.
    pub height: u32,
    /// The number of elements that a list may still have.
    pub width: u32,
    /// Whether it belongs to a region: below a production without a plan, and outside of nested searches.
    pub in_region: bool,
}

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    pub nodes: Vec<Node>,
    pub values: Vec<Value>,
    /// The keys of the random sources of nodes, kept only if the specification reads them.
    pub keys: Vec<u64>,
    /// Decided nodes, in the order of their decisions.
    pub log: Vec<NodeId>,
}

impl Arena {
    /// Resets the tree to an undecided root.
    pub(crate) fn start(&mut self, tables: &Tables, key: u64) {
        self.nodes.clear();
        self.values.clear();
        self.keys.clear();
        self.log.clear();
        let class = &tables.classes[0];
        self.values.resize(class.n_attributes as usize, Value::Nil);
        self.nodes.push(Node {
            class: 0,
            production: NONE,
            choice: NONE,
            parent: NONE,
            child_no: 0,
            first_child: NONE,
            attributes: 0,
            mark: 0,
            when: NONE,
            unit: NONE,
            path: 0,
            height: class.max_height,
            width: class.max_width,
            in_region: false,
        });
        if tables.reads_nodes {
            self.keys.push(key);
        }
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Records the decision of a node and creates its undecided children.
    pub(crate) fn decide(&mut self, id: NodeId, production: u32, choice: u32, tables: &Tables, limit: u32) {
        let first = self.nodes.len() as u32;
        let when = self.log.len() as u32;
        self.log.push(id);
        let node = &mut self.nodes[id as usize];
        node.production = production;
        node.choice = choice;
        node.mark = first;
        node.when = when;
        node.first_child = first;
        let (height, width) = (node.height, node.width);
        let is_root = tables.classes[node.class as usize].unit || node.parent == NONE;
        let unit = if is_root { id } else { node.unit };
        let was_in_region = node.in_region && !is_root;
        let written = &tables.productions[production as usize];
        let in_region = written.steps.is_none() || was_in_region;
        let values = self.values.len() as u32;
        self.values.resize_with((values + written.n_values) as usize, Value::default);
        for (child_no, child) in (0..).zip(&written.children) {
            let class = &tables.classes[child.class as usize];
            let below = match height {
                _ if child.is_tail => height,
                _ if !written.recursive => NONE,
                NONE => limit,
                height => height.saturating_sub(1),
            };
            self.nodes.push(Node {
                class: child.class,
                production: NONE,
                choice: NONE,
                parent: id,
                child_no,
                first_child: NONE,
                attributes: values + child.offset,
                mark: 0,
                when: NONE,
                unit,
                path: 0,
                height: below.min(class.max_height),
                in_region,
                width: if child.is_tail && width != NONE { width.saturating_sub(1) } else { class.max_width },
            });
        }
        if tables.reads_nodes {
            let key = self.keys[id as usize];
            self.keys.extend(
                (0..written.children.len() as u32).map(|child| polysmith_attributes::child_key(key, child)),
            );
        }
    }

    /// Undoes the decision of a node and all later decisions.
    pub(crate) fn undo(&mut self, id: NodeId) {
        let (when, mark) = (self.node(id).when as usize, self.node(id).mark as usize);
        for decided in self.log.drain(when..) {
            self.nodes[decided as usize].production = NONE;
        }
        if mark < self.nodes.len() {
            self.values.truncate(self.nodes[mark].attributes as usize);
            self.nodes.truncate(mark);
            self.keys.truncate(mark.min(self.keys.len()));
        }
    }

    #[inline]
    pub(crate) fn is_decided(&self, id: NodeId) -> bool {
        self.node(id).production != NONE
    }

    /// The node that a rule of a production refers to.
    #[inline]
    pub(crate) fn owner(&self, id: NodeId, owner: u16) -> NodeId {
        if owner == Ref::THIS { id } else { self.node(id).first_child + u32::from(owner) }
    }

    /// The index of the value of an attribute.
    #[inline]
    pub(crate) fn slot(&self, id: NodeId, source: Ref) -> usize {
        (self.node(self.owner(id, source.owner)).attributes + u32::from(source.attribute)) as usize
    }

    /// The text or value of a leaf.
    pub(crate) fn intrinsic(&self, id: NodeId, tables: &Tables) -> &Value {
        let node = self.node(id);
        debug_assert_ne!(tables.classes[node.class as usize].kind, NodeKind::Tree);
        &self.values[(node.attributes + tables.classes[node.class as usize].intrinsic) as usize]
    }
}
