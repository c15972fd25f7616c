//! Attribute grammars as tables, with a reference evaluator and a printer.
//!
//! A front end (LALA) lowers a checked description into a [`Spec`]: numbered classes, productions, attributes,
//! equations, guards and templates. Engines build a [`Derivation`], a tree of productions; [`evaluate`] computes every
//! attribute and guard of it from scratch, and [`print`] prints it. The search for derivations that satisfy all guards
//! is in `guarded`, the syntax in `lala`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod derivation;
mod evaluate;
pub mod layout;
mod print;
mod select;
mod spec;

pub use derivation::{Derivation, Instance, Leaf, TreeMismatch, TreeMismatchKind, child_key};
pub use evaluate::{Chooser, Evaluation, Evaluator, Violation, ViolationKind, evaluate, run};
pub use polysmith_value::syntax::ExternalId;
pub use polysmith_value::{Failure, Limits, Machine, Node, SimpleExpr, Value};
pub use print::{PrintFailure, Printed, print};
pub use select::{Features, Heights, INFINITE, Selection};
pub use spec::*;
