//! Source files, spans and diagnostics: one type, one renderer, one JSON form.
//!
//! Every front end reads its texts from here and reports its problems here. The crate knows no description language
//! and prints nothing itself: [`render::human`] and [`render::json`] turn diagnostics into text, and the caller
//! decides where it goes.
//!
//! ```
//! use polysmith_source::{Code, Diagnostics, Span, SourceMap, render};
//!
//! let mut sources = SourceMap::default();
//! let id = sources.add("T.g4", "grammar T;\ns : exprr ;\n");
//! let mut found = Diagnostics::default();
//! found
//!     .error(Code::tool("antlr", 56), Span::new(id, 15, 20), "rule `exprr` is not defined")
//!     .help("write `expr`");
//! let text = render::human(&sources, found.iter(), &render::Style::plain());
//! assert!(text.contains("T.g4:2:5"));
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod codes;
mod diagnostic;
mod files;
mod map;
mod nearest;
pub mod render;
mod text;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Explanation, Label, Location, Severity};
pub use files::{Disk, Entry, Files, Memory, STDIN};
pub use map::{LineCol, Source, SourceId, SourceMap, Span};
pub use nearest::nearest;
pub use text::{DecodeError, Encoding, Shown, decode};
