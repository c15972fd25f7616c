//! Small cases whose answers were made with ANTLR: tokens, errors and trees must be the same.
//!
//! `tests/data/antlr-traps.jsonl` has one case per line. Where generated parsers and ANTLR's interpreter differ,
//! `gen` has the generated parser's answer, and that one counts. Errors are compared by place.

#![expect(clippy::unwrap_used, reason = "the data file is part of the test")]

use polysmith_antlr::ReadOptions;
use polysmith_grammar::TokenType;
use polysmith_parse::{ErrorKind, Lexed, Limits, ParseError, Parser, Positions, SyntaxError, lexer_errors};
use polysmith_source::{Code, Diagnostic, Memory, Severity};
use polysmith_tree::{Tree, show};
use serde_json::{Value, json};
use std::path::Path;

/// The file has only the interpreter's tree of this case, with an error node that generated parsers do not make;
/// this one is what the oracle answers for a generated parser.
const GENERATED_TREES: &[(&str, &str)] = &[("p4-06", "(x a y)")];

struct Seen {
    lexed: Lexed,
    errors: Vec<SyntaxError>,
    tree: Option<Tree>,
    looked: usize,
}

#[test]
fn every_case_comes_out_as_in_antlr() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for line in include_str!("data/antlr-traps.jsonl").lines() {
        // One case has half a surrogate pair, which Rust cannot hold.
        let line = line.replace(r"\\uD83D\ude00'", r"\\uD83D\ufffd'");
        let case: Value = serde_json::from_str(&line).expect("the file has one case per line");
        if case["tokens"].is_null() && case["fatal"].is_null() {
            continue; // says something about the grammar's reader only
        }
        let mut parser = parser_of(&case);
        let text = case["input"].as_str().unwrap();
        let seen = match look_at(&case, &mut parser, text) {
            Ok(seen) => seen,
            Err(error) => {
                assert!(!case["fatal"].is_null(), "{}: {error}", case["id"]);
                continue;
            }
        };
        assert!(case["fatal"].is_null(), "{} must fail", case["id"]);
        for key in ["tokens", "errors", "tree"] {
            if case[key].is_null() {
                continue;
            }
            compared += 1;
            let expected = if case["gen"][key].is_null() { &case[key] } else { &case["gen"][key] };
            let generated = GENERATED_TREES.iter().find(|(id, _)| key == "tree" && case["id"] == *id);
            let expected = &generated.map_or_else(|| expected.clone(), |(_, tree)| json!(tree));
            let (expected, found) = match key {
                "tokens" => (expected.clone(), tokens(&parser, &seen, text)),
                "errors" => (by_place(expected), errors(&seen, text)),
                _ => (expected.clone(), tree(&parser, &seen)),
            };
            if expected != found {
                wrong.push(format!("{} {key}\nexpected {expected}\nfound    {found}", case["id"]));
            }
        }
        if let Some(tree) = &seen.tree {
            assert_eq!(tree.to_bytes(), text.as_bytes(), "{} prints back", case["id"]);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 700, "only {compared} answers were compared");
}

fn parser_of(case: &Value) -> Parser {
    let mut files = Memory::default();
    for (file, text) in case["grammars"].as_object().unwrap() {
        files.add(file, text.as_str().unwrap());
    }
    let main = format!("{}.g4", case["main"].as_str().unwrap());
    let lexer = case["lexer"].as_str().map(|name| format!("{name}.g4").into());
    let options = ReadOptions { lexer, ..ReadOptions::default() };
    let read = polysmith_antlr::read(&files, Path::new(&main), &options);
    // Ours are stricter: ANTLR takes a grammar without any finite text.
    let of_antlr =
        |found: &&Diagnostic| found.severity == Severity::Error && matches!(found.code, Code::Tool { .. });
    let wrong = read.diagnostics.iter().find(of_antlr);
    assert!(wrong.is_none(), "{}: {wrong:?}", case["id"]);
    Parser::new(read.grammar.clone()).unwrap()
}

fn look_at(case: &Value, parser: &mut Parser, text: &str) -> Result<Seen, ParseError> {
    let limits = Limits::default();
    if let Some(start) = case["start"].as_str().and_then(|name| parser.grammar().rule_named(name)) {
        let parsed = parser.parse(start, text, &limits)?;
        let (lexed, errors, looked) = (parsed.lexed, parsed.errors, parsed.looked);
        return Ok(Seen { lexed, errors, tree: Some(parsed.tree), looked });
    }
    let lexed = parser.lex(text, &limits)?;
    let (errors, looked) = (lexer_errors(&lexed, text), lexed.tokens.len());
    Ok(Seen { lexed, errors, tree: None, looked })
}

fn by_place(list: &Value) -> Value {
    let mut errors = list.as_array().unwrap().clone();
    errors.sort_by_key(|error| {
        let lexer = error[2].as_str().unwrap().starts_with("token recognition");
        (error[0].as_u64(), error[1].as_u64(), !lexer)
    });
    errors.into()
}

/// ANTLR lexes only as far as the parser looks, so errors behind that do not count.
fn errors(seen: &Seen, text: &str) -> Value {
    let positions = Positions::new(text);
    let reached = seen.lexed.tokens.get(seen.looked).map_or(text.len(), |token| token.start as usize);
    let shown = seen.errors.iter().filter(|error| match error.kind {
        ErrorKind::Trailing => false,
        ErrorKind::Lexer => error.start <= reached,
        ErrorKind::Parser => true,
    });
    let entry = |error: &SyntaxError| {
        let (line, column) = positions.antlr(error.start);
        json!([line, column, error.message])
    };
    shown.map(entry).collect()
}

fn tokens(parser: &Parser, seen: &Seen, text: &str) -> Value {
    let positions = Positions::new(text);
    let entry = |token: &polysmith_parse::Token| {
        let (start, end) = (token.start as usize, token.end as usize);
        let (line, column) = positions.antlr(start);
        let index = text[..start].chars().count() as i64;
        let stop = index + text[start..end].chars().count() as i64 - 1;
        let name = if token.kind == TokenType::EOF { "EOF".into() } else { parser.token_name(token.kind) };
        let shown = if start >= text.len() { "<EOF>" } else { &text[start..end] };
        json!([token.kind.antlr(), name, token.channel, index, stop, line, column, shown])
    };
    seen.lexed.tokens.iter().map(entry).collect()
}

fn tree(parser: &Parser, seen: &Seen) -> Value {
    let tree = seen.tree.as_ref().unwrap();
    show::sexpr_with(tree, parser.grammar(), &|token| parser.token_name(token)).into()
}
