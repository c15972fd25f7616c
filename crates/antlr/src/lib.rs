//! Reads and checks ANTLR v4 grammars.
//!
//! [`read`] takes a `.g4` file through all stages (syntax, imports, checks, lowering) and always returns a grammar
//! together with all problems. The lexer grammar of a parser grammar is read too, so the result is complete: tokens
//! are numbered as ANTLR's tool numbers them, and both halves are in one [`Grammar`](polysmith_grammar::Grammar).
//!
//! ```
//! let read = polysmith_antlr::read_str("Calc", "grammar Calc; s : e EOF ; e : e '+' e | INT ; INT : [0-9]+ ;");
//! assert!(!read.diagnostics.has_errors());
//! let e = read.grammar.rule_named("e").unwrap();
//! assert_eq!(read.grammar.rule(e).recursion.as_ref().unwrap().operators.len(), 2);
//! assert_eq!(read.tokens, "T__0=1\nINT=2\n'+'=1\n");
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod aliases;
mod chars;
mod check;
pub mod codes;
mod cycles;
pub mod explain;
mod extra_checks;
mod files;
mod import;
mod load;
mod lower;
mod print;
mod recursion;
mod report;
mod sets;
mod split;
mod syntax;
mod unicode;
mod vocabulary;

mod read;

pub use files::{Printed, print_files};
pub use print::{is_grammar_name, print, print_as};
pub use read::{ExtraChecks, Read, ReadOptions, read, read_str};

/// How deep groups may be nested.
pub const MAX_NESTING: usize = 256;
