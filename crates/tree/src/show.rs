//! Trees as text for people and other tools.
//!
//! Each form has a function that writes it piece by piece, so that a large tree is never held as text as well, and one that
//! returns a string.

mod dot;
mod outline;
mod sexpr;

pub use dot::{dot, write_dot};
pub use outline::{outline, write_outline};
pub use sexpr::{sexpr, sexpr_with, write_sexpr};

/// What a writer writes, as a string.
pub(crate) fn collected(write: impl FnOnce(&mut dyn std::fmt::Write) -> std::fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).expect("a string takes any text");
    out
}
