//! The work of `polysmith parse`: finds files, parses them in parallel, prints the results in order.

mod ambiguity;
mod files;
mod json;
mod one;
mod profile;
mod run;

pub use one::Format;
pub use run::{Plan, run};
