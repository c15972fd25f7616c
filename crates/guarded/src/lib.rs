//! Programs of an attribute grammar.
//!
//! [`Guarded`] is the engine: it searches for programs that satisfy every guard, learning from failures.
//! [`Skeletons`] draws trees of productions within height limits, as if there were no guards; [`Pools`] draws the
//! literals of a program. [`Unguarded`] is the engine for `--guards off`: skeletons, attributes evaluated as far
//! as they go, printed.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod answer;
mod arena;
mod choose;
mod fault;
mod finish;
mod guarded;
mod lists;
mod memory;
mod odds;
mod options;
mod patterns;
mod pools;
mod profile;
mod reason;
mod region;
mod shrink;
mod skeleton;
mod solve;
mod swarm;
mod tables;
mod unguarded;
mod work;

pub use answer::{Answer, Blame, Broken, Counters, Limit};
pub use fault::Fault;
pub use guarded::Guarded;
pub use options::{FailPatterns, Search};
pub use pools::Pools;
pub use profile::Profile;
pub use skeleton::{Budget, Limits, Skeletons};
pub use solve::Solver;
pub use unguarded::Unguarded;
