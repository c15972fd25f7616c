//! The interface of generating engines, and the driver that runs an engine on any number of threads.
//!
//! An [`Engine`] is a compiled description; a [`Worker`] is the state of one thread: the arenas that it reuses from
//! test to test. A worker makes the [`Test`] of a [`Draw`], and that test depends on the engine and the draw only.
//! Therefore [`drive`] may distribute indices over any number of threads and still deliver the same tests in the
//! same order. This crate writes no files and draws no random numbers of its own.
//!
//! ```
//! use polysmith_engine::{Draw, Engine, Plan, Test, GenerateError, Worker, drive};
//! use polysmith_grammar::{Alt, Builder, Grammar};
//! use polysmith_tree::TreeBuilder;
//! use std::ops::ControlFlow;
//! use std::sync::atomic::AtomicBool;
//!
//! /// `s : N ;`, where N is a number.
//! struct Numbers(Grammar);
//!
//! impl Engine for Numbers {
//!     fn grammar(&self) -> &Grammar {
//!         &self.0
//!     }
//!     fn worker(&self) -> Box<dyn Worker + '_> {
//!         Box::new(NumberWorker { engine: self, builder: TreeBuilder::new() })
//!     }
//! }
//!
//! struct NumberWorker<'a> {
//!     engine: &'a Numbers,
//!     builder: TreeBuilder,
//! }
//!
//! impl Worker for NumberWorker<'_> {
//!     fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
//!         let number = draw.stream(polysmith_random::Purpose::Text).below(100).to_string();
//!         let grammar = &self.engine.0;
//!         self.builder.open_rule(grammar.start().unwrap(), 1);
//!         self.builder.token(grammar.tokens().named("N").unwrap(), number.as_bytes());
//!         self.builder.close();
//!         test.take(&mut self.builder);
//!         Ok(())
//!     }
//! }
//!
//! let mut b = Builder::new("Numbers");
//! let n = b.token("N");
//! let s = b.rule("s");
//! b.body(s, [Alt::of([n.into()])]);
//! let engine = Numbers(b.finish());
//!
//! let mut made = Vec::new();
//! drive(&engine, &Plan::new(7, 0..3).jobs(2), &AtomicBool::new(false), |_| (), |delivery| {
//!     made.push(String::from_utf8(delivery.result.unwrap().0.text.clone()).unwrap());
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(made.len(), 3);
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod batches;
mod drive;
mod engine;

pub use drive::{Delivery, Finished, Plan, drive};
pub use engine::{Engine, GenerateError, Test, Worker};
pub use polysmith_random::Draw;
