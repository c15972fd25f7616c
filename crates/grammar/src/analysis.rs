//! What can be known about a grammar before any text is seen.
//!
//! One file a subject, each an array over ids. All of them rest on three facts of the model: an inner group has
//! a higher number than the group around it (so a walk over the blocks from the last to the first is bottom-up
//! and needs no stack), each group stands in one place, and [`Uses`] lists who calls a rule. Parser rules and
//! token rules lie in the same arrays, so every analysis covers both: where a parser rule counts tokens, a token
//! rule counts characters.
//!
//! Target code is empty text, except for a predicate that is `{false}?`: an alternative with it derives nothing.
//!
//! | what | how | cost |
//! |---|---|---|
//! | [`Components`] | Tarjan's algorithm with an explicit stack | linear |
//! | [`Minima`]: heights, sizes; [`Nullable`], [`Productive`] | Knuth's generalization of Dijkstra's algorithm | linear, times log for the heap |
//! | [`Reach`] | depth-first search | linear |
//! | [`First`], [`Follow`], [`FirstChars`] | one union per edge of the condensed graph | edges × tokens / 64 |
//! | [`Subsume`] | the same, over unit steps | edges × symbols / 64 |
//! | [`Shadow`] | charts over short forms | bounded for each alternative asked about |
//! | [`Modes`] | mode stacks along all ways | bounded for each alternative asked about |
//! | [`Shapes`], [`SeparatedLists`] | hash-consing from the inside out | linear |

mod bits;
mod components;
mod first;
mod follow;
mod lists;
mod minimum;
mod modes;
mod nullable;
mod reach;
mod shadow;
mod shape;
mod subsume;
mod uses;

pub use bits::{BitMatrix, Bits};
pub use components::Components;
pub use first::{First, FirstChars};
pub use follow::Follow;
pub use lists::{ListForm, SeparatedList, SeparatedLists};
pub use minimum::{Measure, Minima};
pub use modes::Modes;
pub use nullable::{Nullable, Productive};
pub use reach::{Reach, depth_of_all_alternatives};
pub use shadow::Shadow;
pub use shape::{Shape, Shapes};
pub use subsume::{Subsume, Symbol};
pub use uses::Uses;
