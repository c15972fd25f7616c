//! Reading any bytes as a grammar.

use polysmith_antlr::{ReadOptions, print_files, read};
use polysmith_source::{Memory, render};
use std::path::Path;

/// Reads, draws what is wrong, and prints what was accepted.
pub fn antlr(bytes: &[u8]) {
    let files = Memory::default().with("T.g4", bytes);
    let read = read(&files, Path::new("T.g4"), &ReadOptions::default());
    let _ = render::human(&read.sources, &read.diagnostics, &render::Style::plain());
    if !read.diagnostics.has_errors() {
        let printed = print_files(&read.grammar);
        assert!(!printed.files.is_empty());
    }
}
