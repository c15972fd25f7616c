//! Names and scopes of a text: what each name refers to, by rules that are data.
//!
//! A language says in its side file which nodes of its trees open scopes, define names and use names, and what needs
//! something around it (a `break` needs a loop). Nodes are named by [`Path`]s: `variable.Identifier` is the token
//! `Identifier` as a child of the rule `variable`. [`Names::new`] compiles these [`Rules`] against a grammar;
//! [`Names::resolve`] finds the [`Bindings`] of a tree in time that is linear in the tree.
//!
//! ```
//! use polysmith_bindings::{DefinitionRule, Names, Path, Rules, Target, UseRule};
//! use polysmith_grammar::{Alt, Builder};
//! use polysmith_tree::TreeBuilder;
//!
//! // s : 'let' variable value ;   variable : ID ;   value : ID ;
//! let mut b = Builder::new("T");
//! let (keyword, id) = (b.literal("'let'", "let"), b.token("ID"));
//! let (s, variable, value) = (b.rule("s"), b.rule("variable"), b.rule("value"));
//! b.body(s, [Alt::of([keyword.into(), variable.into(), value.into()])]);
//! b.body(variable, [Alt::of([id.into()])]);
//! b.body(value, [Alt::of([id.into()])]);
//! let grammar = b.finish();
//!
//! let mut rules = Rules::default();
//! rules.definitions.push(DefinitionRule::new(Path::read("variable.ID", &grammar)?, "variable"));
//! rules.uses.push(UseRule::new(Path::read("value.ID", &grammar)?, ["variable"]));
//! let names = Names::new(&grammar, rules)?;
//!
//! let mut tree = TreeBuilder::new();
//! tree.open_rule(s, 1);
//! tree.token(keyword, b"let");
//! for rule in [variable, value] {
//!     tree.open_rule(rule, 1);
//!     tree.token(id, b"x");
//!     tree.close();
//! }
//! tree.close();
//! let bindings = names.resolve(&tree.finish());
//! assert_eq!(bindings.uses[0].target, Target::Definition(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate knows no concrete language.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod automaton;
mod bindings;
mod builtins;
pub mod codes;
mod names;
mod path;
mod report;
mod resolve;
mod rules;
mod walk;

pub use bindings::{Bindings, Definition, Repeated, Scope, Target, Use, Violation};
pub use builtins::Builtins;
pub use names::{KindId, Names, RulesError};
pub use path::{Path, PathError};
pub use report::report;
pub use rules::{DefinitionRule, NeedRule, Rules, ScopeRule, UseRule, Visibility};
