//! Programs of the languages in `languages/`.

#![allow(dead_code, reason = "each test uses some of it")]

use polysmith_attributes::{Features, Selection, Spec};
use polysmith_engine::{Engine, Test};
use polysmith_guarded::{Guarded, Limits, Search, Unguarded};
use polysmith_random::Draw;
use polysmith_source::{Disk, Files, Memory, render};
use std::path::Path;

/// The number of programs to check: `PROGRAMS=10000` requests more than the default.
pub(crate) fn how_many(by_itself: u64) -> u64 {
    std::env::var("PROGRAMS").map_or(by_itself, |n| n.parse().expect("PROGRAMS is a number"))
}

pub(crate) fn spec(name: &str) -> Spec {
    let path = format!("{}/../../languages/{name}/{name}.lala", env!("CARGO_MANIFEST_DIR"));
    spec_of(Path::new(&path), &Disk)
}

/// Reads a specification from a string.
pub(crate) fn written(text: &str) -> Spec {
    spec_of(Path::new("t.lala"), &Memory::default().with("t.lala", text))
}

fn spec_of(path: &Path, files: &dyn Files) -> Spec {
    let loaded = polysmith_lala::read(files, path);
    let shown = render::human(&loaded.sources, &loaded.diagnostics, &render::Style::plain());
    loaded.spec.unwrap_or_else(|| panic!("{shown}"))
}

/// The first programs without guards.
pub(crate) fn unguarded(name: &str, features: Features<'_>, limits: Limits, n: u64) -> Vec<String> {
    let spec = spec(name);
    let selection = Selection::new(&spec, features);
    let mut programs = Vec::new();
    each(&Unguarded::new(spec, selection, limits), n, |_, program| programs.push(program.to_owned()));
    programs
}

/// The engine for a language without some productions.
pub(crate) fn engine(name: &str, features: Features<'_>, without: &[&str], limits: Limits) -> Guarded {
    let spec = spec(name);
    let mut selection = Selection::new(&spec, features);
    for production in without {
        selection.set(spec.production_named(production).expect("the spec has it"), 0);
    }
    Guarded::new(spec, selection, limits, Search::default())
}

/// The first programs with guards, one after the other.
pub(crate) fn guarded(engine: &Guarded, n: u64, look: impl FnMut(u64, &str)) {
    each(engine, n, look);
}

fn each(engine: &dyn Engine, n: u64, mut look: impl FnMut(u64, &str)) {
    let mut worker = engine.worker();
    let mut test = Test::default();
    for index in 0..n {
        worker
            .make(Draw::new(17, index), &mut test)
            .unwrap_or_else(|trouble| panic!("program {index}: {trouble:?}"));
        look(index, std::str::from_utf8(&test.text).expect("templates are text"));
    }
}
