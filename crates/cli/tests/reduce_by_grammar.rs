//! `polysmith reduce` with a grammar: what is asked, what is handed on, what is listed.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const JSON: &str = r#"{"orders": [{"id": 1, "lines": [{"sku": "a", "n": [2]}, {"sku": "needle", "n": 1}]}, {"id": 2}],
    "total": 17.5, "paid": true, "notes": {"de": "x", "en": ["y", null, {"k": {}}]}}"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input.json"), JSON).unwrap();
    folder
}

fn polysmith(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polysmith")).args(arguments).current_dir(folder).output().unwrap()
}

fn reduce(folder: &Path, test: &str, arguments: &[&str]) -> String {
    let output = polysmith(folder, &[&["reduce", test, "input.json", "-j", "1"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(folder.join("input.reduced.json")).unwrap()
}

/// The number of errors of each file, by a parse of its own.
fn errors(folder: &Path, files: &[PathBuf]) -> Vec<usize> {
    let output = Command::new(env!("CARGO_BIN_EXE_polysmith"))
        .args(["parse", "json", "--json", "--format", "none"])
        .args(files)
        .current_dir(folder)
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let count = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        object["errors"].as_array().unwrap().len()
    };
    lines.lines().map(count).collect()
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn no_recorded_candidate_has_more_errors_than_its_base() {
    for input in [JSON.to_owned(), JSON.replace("17.5,", "17.5 oops : ,")] {
        let folder = folder();
        fs::write(folder.path().join("input.json"), &input).unwrap();
        let options = ["--record", "asked", "--beyond-grammar=never", "--stats=stats.json"];
        let result = reduce(folder.path(), "grep -q needle", &options);
        assert!(result.contains("needle"));
        let mut candidates = 0;
        for base in sorted(&folder.path().join("asked")) {
            let files = sorted(&base);
            let found = errors(folder.path(), &files);
            assert_eq!(found.len(), files.len());
            let (asked, most) = (&found[..found.len() - 1], found[found.len() - 1]);
            for (errors, file) in asked.iter().zip(&files) {
                // The empty text is asked once, to see whether the test is any good.
                let is_empty = fs::read(file).unwrap().is_empty();
                assert!(*errors <= most || is_empty, "{}: {errors} errors, {most} before", file.display());
                candidates += 1;
            }
        }
        let stats: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(folder.path().join("stats.json")).unwrap()).unwrap();
        assert!(
            candidates > 20 && stats["grammar"]["built"].as_u64() >= stats["grammar"]["filtered"].as_u64()
        );
        assert_eq!(stats["grammar"]["outside"].as_u64() == Some(0), input == JSON, "{stats}");
    }
}

#[test]
fn a_text_on_which_the_lexer_dies_is_reduced_by_its_tokens() {
    let grammar = "grammar G; s: (ID | CLOSE)* EOF; ID: [a-z]+; CLOSE: '}' -> popMode; WS: [ \\n]+ -> skip;";
    for algorithm in ["perses", "hdd", "full"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("G.g4"), grammar).unwrap();
        fs::write(folder.path().join("input.txt"), "a { b }\nc needle } d {}\n").unwrap();
        let options =
            ["reduce", "grep -q needle", "input.txt", "--language", "G.g4", "--algorithm", algorithm];
        let output = polysmith(folder.path(), &options);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("10 of 10 tokens lie outside the tree: there is none"), "{said}");
        assert!(said.contains("no mode was pushed"), "{said}");
        let result = fs::read_to_string(folder.path().join("input.reduced.txt")).unwrap();
        assert_eq!(result.trim(), "needle", "{algorithm}");
    }
}

#[test]
fn where_most_does_not_parse_the_passes_without_a_grammar_come_first() {
    let grammar = "grammar H; s: '(' ID ')' EOF; ID: [a-z]+; WS: [ \\n]+ -> skip;";
    let first_pass = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("H.g4"), grammar).unwrap();
        fs::write(folder.path().join("input.txt"), text).unwrap();
        let test = "grep -q needle";
        let output =
            polysmith(folder.path(), &["reduce", test, "input.txt", "--language", "H.g4", "--log", "log"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(fs::read_to_string(folder.path().join("input.reduced.txt")).unwrap().trim(), "needle");
        let log = fs::read_to_string(folder.path().join("log")).unwrap();
        let step: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        step["pass"].as_str().unwrap().to_owned()
    };
    assert_eq!(first_pass("a b c d\ne f needle g\nh i j k\n"), "blocks");
    assert_eq!(first_pass("( needle ) a"), "perses");
}

#[test]
fn the_last_clean_up_may_leave_the_grammar() {
    let test = "grep -q '\"needle\",'";
    assert!(reduce(folder().path(), test, &["--beyond-grammar=never"]).starts_with('{'));
    assert_eq!(reduce(folder().path(), test, &[]), "\"needle\",\n");
}

#[test]
fn another_reducer_gets_the_result_and_gives_a_smaller_one_back() {
    let folder = folder();
    // A reducer of one step, which asks the script that it is given as cvise would.
    let then = "echo '\"a\"' > new; cp {} old; cp new {}; {test} || cp old {}";
    let options = ["--algorithm", "perses", "--then", then];
    assert_eq!(reduce(folder.path(), "grep -q '\"'", &options).trim(), "\"a\"");
    // What the test does not like is not taken.
    let kept = reduce(folder.path(), "grep -q needle", &["--algorithm", "perses", "--then", "echo 1 > {}"]);
    assert_eq!(kept.trim(), "\"needle\"");
}

#[test]
fn ask_says_what_the_test_says() {
    let folder = folder();
    for (test, code) in [("grep -q needle", 0), ("grep -q nothing", 1)] {
        let output = polysmith(folder.path(), &["reduce", "--ask", test, "input.json"]);
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn all_passes_are_listed() {
    let output = polysmith(Path::new("."), &["reduce", "--list-passes"]);
    let listed = String::from_utf8(output.stdout).unwrap();
    for pass in ["hdd", "perses", "declarations", "wrap", "siblings", "identifiers", "rewrites", "windows"] {
        assert!(listed.lines().any(|line| line == pass), "{pass} is missing");
    }
}
