//! The frame of `polysmith generate`: everything but the engine.
//!
//! Takes any [`Engine`] and does what the options say: which indices, where the tests go, trees beside them,
//! statistics, progress, Ctrl-C, exit codes. Files are written by the worker threads; the order of indices
//! matters only on stdout and in what is said.

mod coverage;
mod histogram;
mod limits;
mod options;
mod page;
mod pattern;
mod run;
mod sink;
mod stats;
mod table;
mod timed;

pub(crate) use coverage::Coverage;
pub use limits::{as_options, setup_message};
pub use options::{Count, GenerateOptions, TreeForm};
pub use pattern::Pattern;
pub use run::run;
