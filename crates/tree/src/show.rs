//! Trees as text for people and other tools.

mod dot;
mod outline;
mod sexpr;

pub use dot::dot;
pub use outline::outline;
pub use sexpr::{sexpr, sexpr_with};
