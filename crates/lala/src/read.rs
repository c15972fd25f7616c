//! Text to syntax: one parser, with recovery, that always yields what it could read.

mod declarations;
mod expressions;
mod lex;
mod parser;
mod strings;
mod types;

pub(crate) use declarations::{Store, file};
