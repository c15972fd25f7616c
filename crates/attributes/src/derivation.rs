//! A program as attribute grammars see it: which production at which node, and what the leaves bring.
//!
//! Nodes stand in preorder in one array, as in a [`Tree`], but only instances of classes do: no tokens, no
//! layout. A leaf of a literal class has its text, one of a generator its value. This is what engines build,
//! what is evaluated and what is printed; [`Derivation::from_tree`] gets it back from a saved tree.

use crate::spec::{ClassId, ClassKind, ProductionId, Spec};
use polysmith_tree::{Gap, Kind, NodeId, Tree};
use polysmith_value::Value;

/// One instance of a class.
#[derive(Debug, Clone)]
pub struct Instance {
    /// How it was built.
    pub production: ProductionId,
    /// The number of instances of its subtree, itself included.
    pub size: u32,
    /// What a leaf brings.
    pub leaf: Leaf,
}

/// What a leaf brings.
#[derive(Debug, Clone, Default)]
pub enum Leaf {
    /// Nothing: it is no leaf.
    #[default]
    None,
    /// The text of a literal.
    Text(Value),
    /// The value of a generator.
    Value(Value),
    /// A generated value that is known by its printed text only, as in a saved tree.
    Printed(Box<str>),
}

/// A program.
#[derive(Debug, Clone, Default)]
pub struct Derivation {
    /// The instances in preorder.
    pub nodes: Vec<Instance>,
    /// The key of the root's random source; those of other nodes are made from it ([`child_key`]).
    pub key: u64,
}

/// Why a tree is no program of a spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the tree does not fit the specification: {0}")]
pub struct Misfit(String);

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

    /// The keys of the random sources of all nodes: each follows from the path to the node.
    pub fn random_keys(&self) -> Vec<u64> {
        let mut keys = vec![self.key; self.nodes.len()];
        for node in 0..self.nodes.len() {
            for (child, at) in self.children(node).zip(0..) {
                keys[child] = child_key(keys[node], at);
            }
        }
        keys
    }

    /// Reads a tree whose rules are the classes of the spec.
    ///
    /// # Errors
    /// A tree of another grammar, or one that was cut, is a [`Misfit`].
    pub fn from_tree(spec: &Spec, tree: &Tree) -> Result<Derivation, Misfit> {
        let mut derivation = Derivation::default();
        let draws = spec.draws();
        // Open instances: their place here, and where they end in the tree.
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
                // The key of the program stands first, if there is one.
                Kind::Gap(Gap::Note) if id.index() == 1 && draws => {
                    let key = std::str::from_utf8(tree.leaf_text(id)).ok().and_then(|key| key.parse().ok());
                    derivation.key = key.ok_or_else(|| Misfit("its key is not a number".to_owned()))?;
                }
                Kind::Token(_) | Kind::Gap(Gap::Note) => {
                    let (at, _) = open.last().ok_or_else(|| Misfit("it starts with a token".to_owned()))?;
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

    /// Whether each node has the children and the leaf that its production asks for.
    fn check(&self, spec: &Spec) -> Result<(), Misfit> {
        if self.nodes.is_empty() {
            return Err(Misfit("it has no node of a class".to_owned()));
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let production = spec.production(node.production);
            let classes: Vec<ClassId> =
                self.children(at).map(|child| spec.production(self.nodes[child].production).class).collect();
            if !classes.iter().eq(production.children.iter().map(|child| &child.class)) {
                let name = spec.production_name(node.production);
                return Err(Misfit(format!(
                    "an instance of `{name}` has other children than the production"
                )));
            }
            let leaf = !matches!(node.leaf, Leaf::None);
            if leaf == matches!(spec.class(production.class).kind, ClassKind::Tree) {
                let name = &spec.class(production.class).name;
                return Err(Misfit(format!("the text of a node of class `{name}` is not in the tree")));
            }
        }
        Ok(())
    }
}

/// The key of the random source of a child, from that of its parent.
#[inline]
pub fn child_key(parent: u64, child: u32) -> u64 {
    polysmith_random::Stream::keyed(&[parent, u64::from(child)]).next_u64()
}

fn close(derivation: &mut Derivation, open: &mut Vec<(usize, usize)>) {
    if let Some((at, _)) = open.pop() {
        derivation.nodes[at].size = (derivation.nodes.len() - at) as u32;
    }
}

fn production(spec: &Spec, class: Option<ClassId>, alt: u32) -> Result<ProductionId, Misfit> {
    let found = class.and_then(|class| {
        let productions = &spec.class(class).productions;
        let id = productions.start + alt.checked_sub(1)?;
        productions.contains(&id).then_some(ProductionId(id))
    });
    found.ok_or_else(|| {
        Misfit("it has rules that are no classes, or alternatives that are no productions".to_owned())
    })
}
