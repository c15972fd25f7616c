//! Generates programs of an attribute grammar.
//!
//! [`Guarded`] is the engine: it searches for programs that satisfy every guard, and learns from conflicts.
//! [`Unguarded`] is the engine that ignores guards: it draws trees of productions within height limits and evaluates
//! their attributes as far as possible.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod answer;
mod arena;
mod choose;
mod finish;
mod guarded;
mod lists;
mod memory;
mod options;
mod patterns;
mod pools;
mod profile;
mod reason;
mod region;
mod rule_failure;
mod shrink;
mod skeleton;
mod solve;
mod swarm;
mod tables;
mod unguarded;
mod weights;
mod work;

pub use answer::{Answer, Blame, BlamedPart, Counters, Limit};
pub use guarded::Guarded;
pub use options::{FailPatterns, Search};
pub use profile::Profile;
pub use skeleton::Limits;
pub use solve::Solver;
pub use unguarded::Unguarded;
