//! Programs of an attribute grammar.
//!
//! [`Skeletons`] draws trees of productions within height limits, as if there were no guards; [`Pools`] draws the
//! literals of a program. [`Unguarded`] is the engine for `--guards off`: skeletons, attributes evaluated as far
//! as they go, printed.

mod pools;
mod skeleton;
mod unguarded;

pub use pools::Pools;
pub use skeleton::{Budget, Limits, Skeletons};
pub use unguarded::Unguarded;
