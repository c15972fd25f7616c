//! Hooks as scripts: what a base class does in Java, said beside the grammar in LALA's typed expressions.
//!
//! A script is a file of types and functions. `start` is the first state; every other function that a grammar calls takes
//! the state first and returns a `Bool` (a predicate) or the next state (an action). `token` and `stream` are called for
//! tokens, see [`polysmith_parse::hooks`]. What a function asks of the lexer and the parser, and what it does, are calls
//! of the modules `Lexer`, `Stream` and `Parser` (`library/*.lala`); what does something takes the state and returns it.
//!
//! ```
//! use polysmith_hooks::Script;
//! use polysmith_parse::{Limits, Parser};
//! use polysmith_source::{Diagnostics, SourceMap};
//! use std::sync::Arc;
//!
//! let text = "grammar G; s : (word | ID)+ EOF; word : {is(\"let\")}? ID; ID : [a-z]+; WS : ' ' -> skip;";
//! let grammar = Arc::new(polysmith_antlr::read_str("G", text).grammar);
//! let script = "fn is(s, text : String) : Bool = (Parser:text 1) == text;";
//! let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
//! let script = Script::read(&grammar, ("G.hooks", script), &mut sources, &mut found).expect("no errors");
//! let mut parser = Parser::with_hooks(grammar.clone(), Arc::new(script)).unwrap();
//! let parsed = parser.parse(grammar.start().unwrap(), "let x", &Limits::default()).unwrap();
//! assert_eq!(polysmith_tree::show::sexpr(&parsed.tree, &grammar), "(s (word let) x <EOF>)");
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod built_in;
mod calls;
pub mod codes;
mod host;
mod script;

pub use script::{Coverage, Script};
