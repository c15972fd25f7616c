//! Renders diagnostics: for people ([`human`]) and, in several formats, for programs ([`FORMATS`]).
//!
//! To add a format for programs: a file here with a [`Format`], its `mod` line, and a line of [`FORMATS`]. Commands
//! that print diagnostics offer every format of the table.

mod human;
mod json;
mod short;

use crate::{Diagnostic, SourceMap};

pub use human::{Style, human};
pub use json::{SCHEMA_VERSION, json};

/// A format of diagnostics for programs. Each diagnostic is one line.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name by which users select it.
    pub name: &'static str,
    /// What it looks like, in a few words.
    pub about: &'static str,
    /// Writes one diagnostic, without a line break.
    pub line: fn(&SourceMap, &Diagnostic) -> String,
}

/// The formats for programs.
pub const FORMATS: &[Format] = &[json::FORMAT, short::FORMAT];

/// Finds a format by its name.
#[must_use]
pub fn format(name: &str) -> Option<Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}
