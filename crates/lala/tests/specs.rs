//! Small specifications and their diagnostics: one file each, with the expected output beside it.
//!
//! `tests/data/err` has erroneous ones, `tests/data/ok` those that load, some with warnings.
//! `UPDATE=1 cargo test -p polysmith-lala` writes the expectations; review the difference.

#![allow(clippy::unwrap_used, reason = "a test may")]

use polysmith_lala::{Read, read};
use polysmith_source::{Disk, Label, LineCol, Span};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn wrong_specs_get_their_diagnostics() {
    let n_specs = check_folder("err", true);
    assert!(n_specs >= 80, "only {n_specs} specs");
}

#[test]
fn right_specs_load() {
    check_folder("ok", false);
}

/// Checks every specification of a folder and returns their number. Files that start with an underscore are only
/// imported.
fn check_folder(folder: &str, wrong: bool) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let mut specs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "lala" || extension == "ls"))
        .filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('_'))
        .collect();
    specs.sort();
    let mut failed = Vec::new();
    for spec in &specs {
        let loaded = read(&Disk, spec);
        let shown = show(&loaded);
        let expected = spec.with_extension("diag");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &shown).unwrap();
        }
        let known = std::fs::read_to_string(&expected).unwrap_or_default();
        let name = spec.file_name().unwrap().to_string_lossy().into_owned();
        if known != shown || loaded.spec.is_none() != wrong {
            failed.push(format!("{name}: expected\n{known}found\n{shown}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    specs.len()
}

fn show(loaded: &Read) -> String {
    let place = |span: Span| {
        let LineCol { line, column } = loaded.sources.line_col(span);
        format!("{line}:{}", column + 1)
    };
    let mut out = String::new();
    for found in &loaded.diagnostics {
        let at = found.location.span().map_or("-".to_owned(), place);
        writeln!(out, "{at}: {}[{}]: {}", found.severity, found.code, found.message).unwrap();
        for Label { span, text } in &found.labels {
            writeln!(out, "    {}: {text}", place(*span)).unwrap();
        }
        if let Some(help) = &found.help {
            writeln!(out, "    help: {help}").unwrap();
        }
    }
    out
}
