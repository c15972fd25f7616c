//! What `polysmith parse` does with files: find them, parse them side by side, show what came out in order.

mod ambiguity;
mod files;
mod json;
mod one;
mod profile;
mod run;

pub use one::Format;
pub use run::{Plan, run};
