//! From text to syntax tree: tokens, the tree's types, the parser.
//!
//! Reading never fails: it yields a tree of whatever could be understood and reports the rest.

mod lex;
pub(crate) mod names;
mod parse;
mod recover;
mod rules;
pub(crate) mod token;
pub(crate) mod tree;

pub(crate) use parse::parse;
