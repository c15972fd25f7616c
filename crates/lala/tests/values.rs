//! Runs the book's pages on values and the library: each block is a module, each line with `# = …` or `# fails: …` an
//! expression in it.

#![allow(clippy::unwrap_used, reason = "a test may")]

use polysmith_lala::read;
use polysmith_source::{Memory, render};
use polysmith_value::{Machine, NoExternals, Node, Program, Value};
use std::path::Path;

const VALUES: &str = include_str!("../../../docs/book/lala/values.md");
const LIBRARY: &str = include_str!("../../../docs/book/lala/library.md");

/// An expression of the page and its stated result.
struct Example {
    expression: String,
    expected: String,
}

/// The blocks of a page, each as its declarations and its examples.
fn blocks(page: &str) -> Vec<(String, Vec<Example>)> {
    let mut blocks = Vec::new();
    for block in page.split("```lala\n").skip(1) {
        let (mut declarations, mut examples) = (String::new(), Vec::new());
        for line in block.split("```").next().unwrap().lines() {
            let comment = line.rfind("# = ").or_else(|| line.rfind("# fails: "));
            match comment {
                Some(at) => {
                    let expected = line[at + 2..].trim_start_matches("= ").to_owned();
                    examples.push(Example { expression: line[..at].trim().to_owned(), expected });
                }
                None => declarations.extend([line, "\n"]),
            }
        }
        blocks.push((declarations, examples));
    }
    blocks
}

/// Runs the examples of a page and returns their number.
#[track_caller]
fn run(page: &str) -> usize {
    let mut checked = 0;
    for (declarations, examples) in blocks(page) {
        let mut text = declarations;
        for (at, example) in examples.iter().enumerate() {
            text.extend([format!("fn example_{at} = {};\n", example.expression)]);
        }
        let program = program(&text);
        for (at, example) in examples.iter().enumerate() {
            let function = program.function("page", &format!("example_{at}")).unwrap();
            let result = program.call(function, &mut [], &mut Machine::default(), &mut NoExternals);
            let found = match result {
                Ok(value) => program.shapes().show(&value),
                Err(failure) => format!("fails: {}", failure.kind),
            };
            assert_eq!(found, example.expected, "{}", example.expression);
            checked += 1;
        }
    }
    checked
}

fn program(text: &str) -> Program {
    let text = format!("{text}class Main(\"x\");\n");
    let files = Memory::default().with("page.lala", text.as_bytes());
    let loaded = read(&files, Path::new("page.lala"));
    let shown = render::human(&loaded.sources, loaded.diagnostics.iter(), &render::Style::plain());
    assert!(loaded.diagnostics.is_empty(), "{shown}");
    loaded.spec.unwrap().program
}

#[test]
fn the_page_on_values_is_true() {
    let checked = run(VALUES);
    assert!(checked >= 60, "only {checked} examples");
}

#[test]
fn the_page_on_the_library_is_true() {
    let checked = run(LIBRARY);
    assert!(checked >= 140, "only {checked} examples");
}

#[test]
fn every_function_of_the_library_has_an_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library");
    let mut missing = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_string_lossy().into_owned();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let Some(rest) = line.strip_prefix("native fn ").or_else(|| line.strip_prefix("fn ")) else {
                continue;
            };
            let name = rest.split(['(', ' ']).next().unwrap();
            let call = format!("({module}:{name}");
            if !LIBRARY.contains(&format!("{call} ")) && !LIBRARY.contains(&format!("{call})")) {
                missing.push(call);
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_the_page_says_of_draws_holds_for_every_node() {
    let block = blocks(LIBRARY).into_iter().find(|(text, _)| text.contains("fn draws")).unwrap();
    let program = program(&block.0);
    let draws = program.function("page", "draws").unwrap();
    for key in 0..100 {
        let node = Value::Node(Node::new(0, key));
        let found = program.call(draws, &mut [node], &mut Machine::default(), &mut NoExternals).unwrap();
        assert!(found.as_list().unwrap().iter().all(|truth| *truth == Value::Bool(true)), "{found:?}");
    }
}
