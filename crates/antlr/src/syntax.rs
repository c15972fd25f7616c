//! Syntax of `.g4` files: tokens, the types of the tree, the parser.
//!
//! Parsing never fails: it returns a tree of everything that could be parsed and reports the rest.

mod lex;
pub(crate) mod names;
mod parse;
mod recover;
mod rules;
pub(crate) mod token;
pub(crate) mod tree;

pub(crate) use parse::parse;
