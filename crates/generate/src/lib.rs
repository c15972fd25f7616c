//! Texts of a context-free grammar, each with the tree that a parser would build for it.
//!
//! A [`Generator`] is a grammar compiled for generation. Its worker derives a tree from the start rule within limits that
//! always hold, gives each token a text that the lexer reads as that token, writes separators only where the lexer needs
//! one, and ensures that the parser builds the derived tree. The stages, one folder each:
//!
//! | stage | module |
//! |---|---|
//! | options to numbers: weights, limits, goals | `setup` |
//! | all that is computed once for a grammar | `compiled` |
//! | the grammar as flat tables: steps, least tokens by height, sums of weights | `tables` |
//! | tokens as text: how each type is written, what may follow what | `lexical` |
//! | which decisions one token settles, which the parser must be asked about, and how often it agreed | `decisions` |
//! | deriving one tree | `draft` |
//! | one test after the other; whole texts parsed back | `generator`, `reparse` |
//! | tests that cover what is not covered yet | `cover` |
//! | every tree of a size with the same probability | `uniform` |
//! | what embedders can plug in | `extend` |
//! | errors | `error` |
//! | tuning constants | `tuning` |
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
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod compiled;
mod cover;
mod decisions;
mod draft;
mod error;
mod extend;
mod generator;
mod lexical;
mod reparse;
mod setup;
mod tables;
mod tuning;
mod uniform;

pub use cover::{Cover, Reason, Unreached};
pub use error::{CoverError, InfiniteCause, SetupError, UniformError, WeightsError};
pub use extend::{Listener, Model, PlainText, Serializer, Transformer};
pub use generator::{Generator, GeneratorWorker, MOST_DRAFTS, TestOrigin};
pub use lexical::charset::Charset;
pub use lexical::writer::Style;
pub use setup::Options;
pub use uniform::Uniform;

/// The book's page about embedding: its example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/embedding.md")]
struct Embedding;
