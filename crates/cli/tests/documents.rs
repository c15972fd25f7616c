//! README and book say what is true: their `console` blocks are run, and their links lead somewhere. The cases
//! of `tests/cli/` have the same form: a new case is a new block there.
//!
//! In a block, a line that starts with `$ ` is run by a shell, all of a document in one folder that is empty at
//! first; the lines below it are what it prints, stderr included. A line `…` stands for any lines.
//! `UPDATE=1 cargo test -p polysmith` writes what is printed now, except where a `…` stands.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn console_blocks_print_what_they_show() {
    let mut wrong = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let actual = replay(&text, folder.path());
        if actual != text {
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&document, &actual).unwrap();
            } else {
                wrong.push(format!("{}:\n{}", document.display(), difference(&text, &actual)));
            }
        }
    }
    assert!(wrong.is_empty(), "these documents are stale (UPDATE=1 rewrites them):\n{}", wrong.join("\n"));
}

#[test]
fn links_lead_to_files() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let is_path = !link.is_empty() && !link.contains("://") && !link.contains(char::is_whitespace);
            let target = document.parent().unwrap().join(link);
            assert!(
                !is_path || target.exists(),
                "{} links to {link}, which is not there",
                document.display()
            );
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README, everything under `docs/`, and the cases of `tests/cli/`.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut open = vec![root().join("docs"), root().join("tests/cli")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The document with what its commands print now.
fn replay(text: &str, folder: &Path) -> String {
    let mut actual = String::new();
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        actual.push_str(line);
        actual.push('\n');
        inside = if inside { line != "```" } else { line == "```console" };
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
            expected.push(line);
        }
        let printed = run(command, folder);
        let printed: Vec<&str> = printed.lines().collect();
        let shown = if matches(&expected, &printed) { &expected } else { &printed };
        shown.iter().for_each(|line| {
            actual.push_str(line);
            actual.push('\n');
        });
    }
    actual
}

/// Whether the printed lines are the expected ones, where `…` stands for any number of lines.
fn matches(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        Some((first, rest)) => printed.first() == Some(first) && matches(rest, &printed[1..]),
    }
}

fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_polysmith")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("exec 2>&1; {command}");
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn difference(old: &str, new: &str) -> String {
    let changed = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    changed.map_or("a different number of lines".to_owned(), |(old, new)| {
        format!("  shown  {old}\n  is     {new}")
    })
}
