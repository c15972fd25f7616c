//! The parser: text to syntax, with error recovery. It returns everything that it could read.

mod declarations;
mod expressions;
mod lex;
mod parser;
mod strings;
mod types;

pub(crate) use declarations::{Store, file};
