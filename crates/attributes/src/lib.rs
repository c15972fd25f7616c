//! An attribute grammar as tables, and its plain evaluation.
//!
//! A front end (LALA) lowers a checked description into a [`Spec`]: classes, productions, attributes, equations,
//! guards and templates, all numbered. Engines build a [`Derivation`], a tree of productions, over it;
//! [`evaluate`] computes every attribute and guard of one from scratch, and [`print`] makes text of it. The
//! search for derivations that satisfy all guards is not here (`guarded`), nor is any syntax (`lala`).
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod derivation;
mod evaluate;
pub mod layout;
mod print;
mod select;
mod spec;

pub use derivation::{Derivation, Instance, Leaf, Misfit, child_key};
pub use evaluate::{Chooser, Evaluation, Evaluator, Failure, FailureKind, evaluate, run};
pub use polysmith_value::syntax::ExternalId;
pub use polysmith_value::{Failure as RunFailure, Limits, Machine, Node, SimpleExpr, Value};
pub use print::{Printed, print};
pub use select::{Features, Heights, INFINITE, Selection};
pub use spec::*;
