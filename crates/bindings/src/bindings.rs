//! What was found in a tree.

use crate::names::KindId;
use polysmith_tree::NodeId;

/// The names of a tree. Everything is in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bindings {
    /// All scopes, outer before inner. The first is the whole text.
    pub scopes: Vec<Scope>,
    /// All definitions.
    pub definitions: Vec<Definition>,
    /// All uses.
    pub uses: Vec<Use>,
    /// Definitions whose name is taken in their scope.
    pub repeated: Vec<Repeated>,
    /// Nodes that lack what they need around them.
    pub violations: Vec<Violation>,
}

/// A part of the tree with names of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The node that opens it.
    pub node: NodeId,
    /// The scope around it; the first scope is its own parent.
    pub parent: u32,
    /// The rule that opens it, by its number in [`crate::Rules::scopes`]; none for the whole text.
    pub rule: Option<u16>,
}

/// A name that is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The leaf with the name.
    pub node: NodeId,
    /// The rule, by its number in [`crate::Rules::definitions`].
    pub rule: u16,
    /// What is defined.
    pub kind: KindId,
    /// The scope that it belongs to, by its number.
    pub scope: u32,
}

/// A name that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The leaf with the name.
    pub node: NodeId,
    /// The rule, by its number in [`crate::Rules::uses`].
    pub rule: u16,
    /// The innermost scope around it, by its number.
    pub scope: u32,
    /// What the name refers to.
    pub target: Target,
}

/// What a use refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A definition, by its number.
    Definition(u32),
    /// A name that is always there.
    Builtin,
    /// A name that the surroundings of the program may define.
    Environment,
    /// Nothing, and the use allows that.
    Optional,
    /// Nothing.
    Unresolved,
}

/// Two definitions that exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeated {
    /// The later definition, by its number.
    pub definition: u32,
    /// The earlier one.
    pub earlier: u32,
}

/// A node without what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The node.
    pub node: NodeId,
    /// The rule, by its number in [`crate::Rules::needs`].
    pub need: u16,
}

impl Bindings {
    /// Uses without a definition.
    pub fn unresolved(&self) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(|used| used.target == Target::Unresolved)
    }
}
