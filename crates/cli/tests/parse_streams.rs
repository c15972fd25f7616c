//! `polysmith parse` on a large file: results are written piece by piece, and a closed pipe ends the run.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Kilobytes of address space that a run may take. A parse that writes as it goes takes a third of it; one that
/// collects the text of a tree, or a JSON value, takes several times as much.
const ADDRESS_SPACE: u32 = 300_000;

/// A folder with `big.json`: 0.8 MB, all on one line.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "[".to_owned();
    for number in 0..20_000 {
        let comma = if number > 0 { "," } else { "" };
        write!(text, r#"{comma}{{"name": "n{number}", "values": [1, 2, true]}}"#).unwrap();
    }
    text.push(']');
    std::fs::write(folder.path().join("big.json"), text).unwrap();
    folder
}

/// Runs a shell line with little memory; `$P` is the binary.
fn run(folder: &TempDir, line: &str) -> Output {
    let line = format!("ulimit -v {ADDRESS_SPACE}; {line}");
    let binary = env!("CARGO_BIN_EXE_polysmith");
    Command::new("sh").args(["-c", &line]).env("P", binary).current_dir(folder).output().unwrap()
}

#[test]
fn every_form_is_written_piece_by_piece() {
    let folder = folder();
    for options in
        ["--format json", "--format sexpr --json", "--format json --json", "--format tokens --json"]
    {
        let output = run(&folder, &format!("\"$P\" parse json big.json --jobs 1 {options} | wc -l"));
        assert!(output.stderr.is_empty(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
        let lines: usize = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
        let header = usize::from(options == "--format json");
        assert_eq!(lines, 1 + header, "{options}");
    }
}

#[test]
fn a_closed_pipe_ends_a_parse() {
    let folder = folder();
    for options in ["", "--format json", "--format json --json", "--format tokens", "--format tokens --json"]
    {
        // With `-v` a run that goes on to its end says so.
        let line =
            format!("(\"$P\" parse json big.json -v --jobs 1 {options}; echo \"exit $?\" >&2) | head -c 20");
        let output = run(&folder, &line);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.stdout.len(), 20, "{errors}");
        assert!(errors.ends_with("exit 0\n"), "{options}: {errors}");
        assert!(!errors.contains("parsed 1 file"), "{options}: the run went on: {errors}");
    }
}
