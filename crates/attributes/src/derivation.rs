//! A program as a tree of productions, with the texts and values of its leaves.
//!
//! Nodes are stored in preorder in one array, as in a [`Tree`], but only instances of classes: no tokens, no layout. A
//! leaf of a literal class has its text, one of a generator class its value. Engines build derivations,
//! [`crate::evaluate`] evaluates them and [`crate::print`] prints them; [`Derivation::from_tree`] recovers one from a
//! saved tree.

use crate::spec::{ClassId, ClassKind, ProductionId, Spec};
use polysmith_tree::{Gap, Kind, NodeId, Tree};
use polysmith_value::Value;

/// One instance of a class.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The production that it is an instance of.
    pub production: ProductionId,
    /// The number of instances in its subtree, including itself.
    pub size: u32,
    /// The text or value of a leaf.
    pub leaf: Leaf,
}

/// The text or value of a leaf.
#[derive(Debug, Clone, Default)]
pub enum Leaf {
    /// Not a leaf.
    #[default]
    None,
    /// The text of a literal.
    Text(Value),
    /// The value of a generator.
    Value(Value),
    /// A generated value of which only the printed text is known, as in a saved tree.
    Printed(Box<str>),
}

/// A program.
#[derive(Debug, Clone, Default)]
pub struct Derivation {
    /// The instances in preorder.
    pub nodes: Vec<Instance>,
    /// The key of the root's random source. The keys of other nodes derive from it ([`child_key`]).
    pub key: u64,
}

/// Why a tree is not a program of a specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the tree does not fit the specification: {kind}")]
pub struct TreeMismatch {
    /// The difference between the tree and the specification.
    pub kind: TreeMismatchKind,
}

/// How a tree differs from the programs of a specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeMismatchKind {
    /// The key of the random source cannot be read.
    #[error("its key is not a number")]
    Key,
    /// The root is a token.
    #[error("it starts with a token")]
    Token,
    /// The tree is empty.
    #[error("it has no node of a class")]
    Empty,
    /// A rule or alternative is unknown: the tree belongs to another grammar.
    #[error("it has rules that are no classes, or alternatives that are no productions")]
    Production,
    /// An instance of the named production has children of other classes.
    #[error("an instance of `{0}` has other children than the production")]
    Children(String),
    /// A leaf of the named class has no text.
    #[error("the text of a node of class `{0}` is not in the tree")]
    Leaf(String),
}

impl From<TreeMismatchKind> for TreeMismatch {
    fn from(kind: TreeMismatchKind) -> TreeMismatch {
        TreeMismatch { kind }
    }
}

impl Derivation {
    /// The children of a node, in order.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = node + self.nodes[node].size as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next += self.nodes[child].size as usize;
            Some(child)
        })
    }

    /// The keys of the random sources of all nodes. Each is determined by the path to the node.
    pub(crate) fn random_keys(&self) -> Vec<u64> {
        let mut keys = vec![self.key; self.nodes.len()];
        for node in 0..self.nodes.len() {
            for (child, at) in self.children(node).zip(0..) {
                keys[child] = child_key(keys[node], at);
            }
        }
        keys
    }

    /// Reads a tree whose rules are the classes of the specification.
    ///
    /// # Errors
    /// Returns a [`TreeMismatch`] for a tree of another grammar or an incomplete tree.
    pub fn from_tree(spec: &Spec, tree: &Tree) -> Result<Derivation, TreeMismatch> {
        let mut derivation = Derivation::default();
        let draws = spec.draws();
        // Open instances: their index here, and where they end in the tree.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for id in tree.subtree(NodeId::ROOT) {
            while open.last().is_some_and(|(_, end)| *end <= id.index()) {
                close(&mut derivation, &mut open);
            }
            match tree.kind(id) {
                Kind::Rule { rule, alt } => {
                    let production = production(spec, spec.class_of_rule(rule), alt)?;
                    open.push((derivation.nodes.len(), tree.after(id).index()));
                    derivation.nodes.push(Instance { production, size: 1, leaf: Leaf::None });
                }
                // The key of the program, if there is one, is the first leaf.
                Kind::Gap(Gap::Note) if id.index() == 1 && draws => {
                    let key = std::str::from_utf8(tree.leaf_text(id)).ok().and_then(|key| key.parse().ok());
                    derivation.key = key.ok_or(TreeMismatchKind::Key)?;
                }
                Kind::Token(_) | Kind::Gap(Gap::Note) => {
                    let (at, _) = open.last().ok_or(TreeMismatchKind::Token)?;
                    let node = &mut derivation.nodes[*at];
                    let text = String::from_utf8_lossy(tree.leaf_text(id));
                    match &spec.class(spec.production(node.production).class).kind {
                        ClassKind::Tree => {}
                        ClassKind::Literal(_) => node.leaf = Leaf::Text(Value::from(&*text)),
                        ClassKind::Generator => node.leaf = Leaf::Printed(text.into()),
                    }
                }
                _ => {}
            }
        }
        while !open.is_empty() {
            close(&mut derivation, &mut open);
        }
        derivation.check(spec)?;
        Ok(derivation)
    }

    /// Checks that each node has the children and the leaf that its production requires.
    fn check(&self, spec: &Spec) -> Result<(), TreeMismatch> {
        if self.nodes.is_empty() {
            return Err(TreeMismatchKind::Empty.into());
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let production = spec.production(node.production);
            let classes: Vec<ClassId> =
                self.children(at).map(|child| spec.production(self.nodes[child].production).class).collect();
            if !classes.iter().eq(production.children.iter().map(|child| &child.class)) {
                let name = spec.production_name(node.production);
                return Err(TreeMismatchKind::Children(name).into());
            }
            let leaf = !matches!(node.leaf, Leaf::None);
            if leaf == matches!(spec.class(production.class).kind, ClassKind::Tree) {
                let name = &spec.class(production.class).name;
                return Err(TreeMismatchKind::Leaf(name.to_string()).into());
            }
        }
        Ok(())
    }
}

/// Derives the key of a child's random source from that of its parent.
#[inline]
pub fn child_key(parent: u64, child: u32) -> u64 {
    polysmith_random::Stream::keyed(&[parent, u64::from(child)]).next_u64()
}

fn close(derivation: &mut Derivation, open: &mut Vec<(usize, usize)>) {
    if let Some((at, _)) = open.pop() {
        derivation.nodes[at].size = (derivation.nodes.len() - at) as u32;
    }
}

fn production(spec: &Spec, class: Option<ClassId>, alt: u32) -> Result<ProductionId, TreeMismatch> {
    let found = class.and_then(|class| {
        let productions = &spec.class(class).productions;
        let id = productions.start + alt.checked_sub(1)?;
        productions.contains(&id).then_some(ProductionId(id))
    });
    found.ok_or(TreeMismatchKind::Production.into())
}
