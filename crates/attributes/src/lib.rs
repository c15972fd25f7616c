//! An attribute grammar as tables, and its plain evaluation.
//!
//! A front end (LALA) lowers a checked description into a [`Spec`]: classes, productions, attributes, equations,
//! guards and templates, all numbered. Engines build a [`Derivation`], a tree of productions, over it;
//! [`evaluate`] computes every attribute and guard of one from scratch, and [`print`] makes text of it. The
//! search for derivations that satisfy all guards is not here (`guarded`), nor is any syntax (`lala`).

mod derivation;
mod evaluate;
pub mod layout;
mod print;
mod select;
mod spec;

pub use derivation::{Derivation, Instance, Leaf, Misfit};
pub use evaluate::{Chooser, Evaluation, Evaluator, Failure, FailureKind, evaluate, run};
pub use polysmith_value::{Limits, Machine, Value};
pub use print::{Printed, print};
pub use select::{Features, Heights, INFINITE, Selection};
pub use spec::*;
