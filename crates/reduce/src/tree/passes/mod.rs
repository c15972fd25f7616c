//! The passes by tree: one file each. What they share (sessions, cuts, names, smallest texts) is in [`crate::tree`].
//!
//! To add one: a file here with `define_pass!` and `Tree(…)`, its `mod` line, and a line of [`crate::passes::PASSES`].
//! Most passes implement [`super::sweep::Ideas`]: places in an order, and changes to try at each.

pub(crate) mod declarations;
pub(crate) mod hdd;
pub(crate) mod identifiers;
pub(crate) mod operands;
pub(crate) mod perses;
pub(crate) mod replace;
pub(crate) mod rewrites;
pub(crate) mod siblings;
pub(crate) mod smallest;
pub(crate) mod wrap;
