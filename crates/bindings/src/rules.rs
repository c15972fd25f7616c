//! What a language says about its names.

use crate::builtins::Builtins;
use crate::path::Path;

/// All rules about the names of a language.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// What is a name: a token, or a rule.
    pub identifier: Option<Path>,
    /// What opens a scope. If several match a node, the first one counts.
    pub scopes: Vec<ScopeRule>,
    /// Nodes that are no definition and no use, whatever else matches them.
    pub ignored: Vec<Path>,
    /// What defines a name. If several match a node, the first one counts.
    pub definitions: Vec<DefinitionRule>,
    /// What uses a name. If several match a node that defines none, the first one counts.
    pub uses: Vec<UseRule>,
    /// What needs something around it.
    pub needs: Vec<NeedRule>,
    /// Names that are always there.
    pub builtins: Builtins,
    /// Names that the surroundings of a program may define. They are no problem, but a new text must not use them.
    pub environment: Builtins,
}

/// A node that opens a scope.
#[derive(Debug, Clone)]
pub struct ScopeRule {
    /// The node.
    pub at: Path,
    /// The kind of scope, for definitions that skip inner scopes.
    pub kind: String,
}

/// A node that defines a name.
#[derive(Debug, Clone)]
pub struct DefinitionRule {
    /// The node of the name: a token, or a rule whose first token is the name.
    pub at: Path,
    /// What is defined: a variable, a label.
    pub kind: String,
    /// The kinds of scopes that it can belong to: the nearest one around it, else the whole text. Without any, the
    /// innermost scope.
    pub scopes: Vec<String>,
    /// Where it can be used.
    pub visibility: Visibility,
    /// The rule holds only after a node of one of these paths, up to the end of the node of the path's first step. Without
    /// any, it always holds.
    pub conditions: Vec<Path>,
    /// Kinds of definitions that must not have the same name in the same scope.
    pub unique_among: Vec<String>,
}

/// Where a definition can be used in its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibility {
    /// After the name.
    #[default]
    AfterName,
    /// After the node of the first step of the path.
    AfterNode,
    /// In the whole scope, also before.
    Scope,
}

/// A node that uses a name.
#[derive(Debug, Clone)]
pub struct UseRule {
    /// The node of the name.
    pub at: Path,
    /// The kinds of definitions that it can refer to, the most usual first.
    pub kinds: Vec<String>,
    /// Definitions outside of the nearest scope of this kind cannot be used.
    pub until: Option<String>,
    /// The name need not be defined.
    pub is_optional: bool,
    /// A name without a definition may come from the surroundings of the program, so it is only a warning.
    pub is_open: bool,
}

/// A node that needs another one around it.
#[derive(Debug, Clone)]
pub struct NeedRule {
    /// The node.
    pub at: Path,
    /// What must be around it: below a node of a path, if the path has one step; else between a node of the path and the
    /// end of the node of its first step.
    pub inside: Vec<Path>,
    /// Nodes that end what is around them: the body of a function is in no loop.
    pub until: Vec<Path>,
    /// What is needed, for people.
    pub message: String,
}

impl DefinitionRule {
    /// A definition in the innermost scope, visible after the name.
    pub fn new(at: Path, kind: impl Into<String>) -> DefinitionRule {
        DefinitionRule {
            at,
            kind: kind.into(),
            scopes: Vec::new(),
            visibility: Visibility::default(),
            conditions: Vec::new(),
            unique_among: Vec::new(),
        }
    }
}

impl UseRule {
    /// A use that must have a definition.
    pub fn new(at: Path, kinds: impl IntoIterator<Item = impl Into<String>>) -> UseRule {
        let kinds = kinds.into_iter().map(Into::into).collect();
        UseRule { at, kinds, until: None, is_optional: false, is_open: false }
    }
}
