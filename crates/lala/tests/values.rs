//! The book's page on values, run: each block is a module, each line with `# = …` or `# fails: …` an expression in it.

#![allow(clippy::unwrap_used, reason = "a test may")]

use polysmith_lala::load;
use polysmith_source::{Memory, render};
use polysmith_value::{Machine, NoExternals};
use std::path::Path;

const PAGE: &str = include_str!("../../../docs/book/lala/values.md");

/// An expression of the page and what it is said to give.
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

#[test]
fn the_page_on_values_is_true() {
    let mut checked = 0;
    for (declarations, examples) in blocks(PAGE) {
        let mut text = declarations;
        for (at, example) in examples.iter().enumerate() {
            text.extend([format!("fn example_{at} = {};\n", example.expression)]);
        }
        text.push_str("class Main(\"x\");\n");
        let files = Memory::default().with("page.lala", text.as_bytes());
        let loaded = load(Path::new("page.lala"), &files);
        let shown = render::human(&loaded.sources, loaded.diagnostics.iter(), &render::Style::plain());
        assert!(loaded.diagnostics.is_empty(), "{shown}");
        let program = loaded.spec.unwrap().program;
        for (at, example) in examples.iter().enumerate() {
            let function = program.function("page", &format!("example_{at}")).unwrap();
            let result = program.call(function, &mut [], &mut Machine::default(), &mut NoExternals);
            let found = match result {
                Ok(value) => program.shapes().show(&value),
                Err(failure) => format!("fails: {}", failure.reason),
            };
            assert_eq!(found, example.expected, "{}", example.expression);
            checked += 1;
        }
    }
    assert!(checked >= 60, "only {checked} examples");
}
