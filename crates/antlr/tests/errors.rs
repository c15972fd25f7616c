//! Small erroneous grammars, one file each in `data/err`.
//!
//! `data/antlr.txt` has the messages of ANTLR's tool for each, generated with its jar; codes, lines and columns must
//! be the same. The `.diag` file beside the grammar has what a person sees: `UPDATE=1 cargo test` writes it.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use polysmith_antlr::{Read, ReadOptions, read};
use polysmith_source::{Code, Location, Memory, render};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn cases() -> Vec<(String, String)> {
    let mut cases: Vec<(String, String)> = std::fs::read_dir(data().join("err"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "g4"))
        .map(|path| {
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    cases.sort();
    cases
}

/// The files are named after what they show; their grammars are in `T.g4`.
fn read_case(text: &str) -> Read {
    read(&Memory::default().with("T.g4", text), Path::new("T.g4"), &ReadOptions::default())
}

/// `severity(code)@line:column` of what ANTLR's tool would report; only the first of several syntax errors.
fn messages(read: &Read) -> Vec<String> {
    let mut has_syntax_error = false;
    let mut found = Vec::new();
    for problem in read.diagnostics.iter().filter(|problem| !problem.later) {
        let Code::Tool { number, .. } = problem.code else { continue };
        if number == 50 && std::mem::replace(&mut has_syntax_error, true) {
            continue;
        }
        let place = match problem.location {
            Location::Span(span) => {
                let at = read.sources.line_col(span);
                format!("{}:{}", at.line, at.column)
            }
            _ => "-1:-1".to_owned(),
        };
        found.push(format!("{}({number})@{place}", problem.severity));
    }
    found
}

#[test]
fn antlr_says_the_same() {
    let recorded = std::fs::read_to_string(data().join("antlr.txt")).unwrap();
    let expected: BTreeMap<&str, Vec<&str>> = recorded
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().unwrap(), words.collect())
        })
        .collect();
    let cases = cases();
    assert!(cases.len() >= 100 && cases.len() == expected.len(), "{} cases", cases.len());
    let mut wrong = Vec::new();
    for (name, text) in cases {
        let (mut got, mut wanted) = (messages(&read_case(&text)), expected[name.as_str()].clone());
        got.sort();
        wanted.sort_unstable();
        if got != wanted {
            wrong.push(format!("{name}: we say {got:?}, ANTLR says {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn people_see_this() {
    let mut stale = Vec::new();
    for (name, text) in cases() {
        let read = read_case(&text);
        let mut sorted = read.diagnostics.clone();
        sorted.sort();
        let shown = render::human(&read.sources, sorted.iter(), &render::Style::plain());
        let path = data().join("err").join(format!("{name}.diag"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, shown).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != shown {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "these are stale (UPDATE=1 rewrites them): {}", stale.join(", "));
}

/// Every message has a help.
#[test]
fn every_message_has_a_help() {
    for (name, text) in cases() {
        for problem in
            read_case(&text).diagnostics.iter().filter(|problem| problem.code != Code::tool("antlr", 50))
        {
            assert!(problem.help.is_some(), "{name}: {} has no help", problem.code);
        }
    }
}

fn codes_of(files: &[(&str, &str)]) -> Vec<String> {
    let memory = files.iter().fold(Memory::default(), |memory, (name, text)| memory.with(*name, *text));
    messages(&read(&memory, Path::new(files[0].0), &ReadOptions::default()))
}

/// Also generated with ANTLR's jar.
#[test]
fn imports_are_checked() {
    let lexer = ("P.g4", "lexer grammar P;\nA : 'a' ;\n");
    assert_eq!(
        codes_of(&[("M.g4", "parser grammar M;\nimport P;\nx : A ;\n"), lexer]),
        ["error(111)@2:7", "error(52)@2:0"]
    );
    let half = ("MLexer.g4", "lexer grammar MLexer;\nA : 'a' ;\n");
    assert_eq!(codes_of(&[("M.g4", "grammar M;\nimport MLexer;\nx : A ;\n"), half]), ["error(113)@2:7"]);
    let options = ("P.g4", "lexer grammar P;\noptions { superClass = B; }\nA : 'a' ;\n");
    assert_eq!(codes_of(&[("M.g4", "grammar M;\nimport P;\nx : A EOF ;\n"), options]), ["warning(109)@2:0"]);
}
