//! Texts of a context-free grammar, each with the tree that a parser would build for it.
//!
//! A [`Generator`] is a grammar compiled for generation. Its worker draws a tree from the top within limits that
//! always hold, gives each token a text that the lexer reads as that token, puts separators only where the lexer
//! needs one, and makes sure that the parser builds the tree that was drawn. The stages, one file each:
//!
//! | stage | file |
//! |---|---|
//! | options to numbers | `setup`, `weights` |
//! | the grammar as flat tables; least tokens by height; sums of weights | `tables`, `curves`, `quick` |
//! | which decisions one token settles; what the parser is asked about the others | `sure`, `asks` |
//! | what the parser was seen to do with them | `habits`, `learn` |
//! | how tokens are made: rules, modes, tried texts | `makers`, `lexicon`, `shelf`, `text`, `chars` |
//! | drawing a tree | `draft` (towards a `goal`, with a `cooldown`) |
//! | writing tokens, borders, modes | `write`, `scan` |
//! | one test after the other; whole texts asked | `engine`, `replay` |
//! | going for what is not covered yet | `cover` |
//! | every tree of a size as likely | `uniform` |
//!
//! ```
//! use polysmith_engine::{Engine, Test};
//! use polysmith_generate::{Generator, Options};
//! use polysmith_random::Draw;
//!
//! let read = polysmith_antlr::read_str("Calc", "grammar Calc; s : e EOF ; e : e '*' e | e '+' e | INT ; INT : [0-9]+ ;");
//! let generator = Generator::new(read.grammar, &Options::default()).unwrap();
//! let mut test = Test::default();
//! generator.worker().make(Draw::new(7, 0), &mut test).unwrap();
//! assert!(test.text.iter().all(|byte| b"0123456789*+".contains(byte)));
//! ```

mod asks;
mod chars;
mod cooldown;
mod cover;
mod curves;
mod draft;
mod engine;
mod goal;
mod habits;
mod learn;
mod lexicon;
mod makers;
mod options;
mod quick;
mod replay;
mod scan;
mod setup;
mod shelf;
mod sure;
mod tables;
mod text;
mod traits;
mod uniform;
mod weights;
mod write;

pub use chars::Charset;
pub use cover::{Cover, Reason, Unreached};
pub use engine::{Fate, Generator, Hands, MOST_DRAFTS};
pub use options::{Options, SetupError};
pub use traits::{Listener, Model, PlainText, Serializer, Transformer};
pub use uniform::Uniform;
pub use write::Style;

/// The book's page about embedding: its example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/embedding.md")]
struct Embedding;
