//! The specifications in the book load without diagnostics.

use polysmith_lala::read;
use polysmith_source::{Memory, render};
use std::path::Path;

#[track_caller]
fn check(page: &str, at_least: usize) {
    let blocks: Vec<&str> =
        page.split("```lala\n").skip(1).map(|block| block.split("```").next().unwrap_or("")).collect();
    assert!(blocks.len() >= at_least, "only {} blocks", blocks.len());
    for block in blocks {
        let files = Memory::default().with("page.lala", block);
        let loaded = read(&files, Path::new("page.lala"));
        let shown = render::human(&loaded.sources, &loaded.diagnostics, &render::Style::plain());
        assert!(loaded.spec.is_some(), "{shown}\n{block}");
        assert!(!loaded.diagnostics.has_errors(), "{shown}");
    }
}

#[test]
fn the_reference_is_true() {
    check(include_str!("../../../docs/book/lala/reference.md"), 8);
}

#[test]
fn the_tutorial_is_true() {
    check(include_str!("../../../docs/book/lala/tutorial.md"), 4);
}
