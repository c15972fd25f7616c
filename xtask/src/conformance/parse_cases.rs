//! Our lexer and parser against lists of small cases made with ANTLR.
//!
//! Rates: `cases-tokens`, `cases-errors` (all of them, with places and messages, in ANTLR's order of reports), `cases-trees` (trees after
//! errors too), `cases-fatal` (what kills ANTLR's recognizers must end with a clear error). Where generated
//! parsers differ from the interpreter, the generated answer counts. A case whose grammar has errors has
//! nothing to parse.

use super::parse_verdicts::first_difference;
use super::{Setting, load};
use crate::rates::Tally;
use polysmith_grammar::TokenType;
use polysmith_parse::{ErrorKind, Lexed, Limits, ParseError, Parsed, Parser, Positions, SyntaxError};
use polysmith_source::Memory;
use polysmith_tree::Tree;
use serde_json::Value;
use std::path::Path;

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    for (name, case) in setting.cases()? {
        if case["tokens"].is_null() && case["fatal"].is_null() {
            continue; // only the tool's messages
        }
        check(&name, &case, tally);
    }
    Ok(())
}

/// What we make of an input.
struct Seen {
    lexed: Lexed,
    /// In ANTLR's order of reports.
    errors: Vec<SyntaxError>,
    tree: Option<Tree>,
    /// The last token that the parser looked at: ANTLR lexes no further.
    looked: usize,
}

fn check(name: &str, case: &Value, tally: &mut Tally) {
    let text = case["input"].as_str().unwrap_or_default();
    let seen = parser_of(case).map(|mut parser| {
        let seen = look_at(case, &mut parser, text);
        (parser, seen)
    });
    if !case["fatal"].is_null() {
        let problem = match seen {
            Ok((_, Err(_))) => None,
            Ok((_, Ok(_))) => Some("no error".to_owned()),
            Err(why) => Some(why),
        };
        tally.record("cases-fatal", name, problem);
        return;
    }
    let rates = [("cases-tokens", "tokens"), ("cases-errors", "errors"), ("cases-trees", "tree")];
    for (rate, key) in rates.into_iter().filter(|(_, key)| !case[*key].is_null()) {
        let expected = if case["gen"][key].is_null() { &case[key] } else { &case["gen"][key] };
        let problem = match &seen {
            Err(why) => Some(why.clone()),
            Ok((_, Err(error))) => Some(error.to_string()),
            Ok((parser, Ok(seen))) => {
                let (expected, found) = match key {
                    "tokens" => (lines(expected), tokens(parser, seen, text)),
                    "errors" => (lines(expected), errors(seen, text)),
                    _ => (expected.as_str().unwrap_or_default().to_owned(), tree(parser, seen)),
                };
                first_difference(&expected, &found)
            }
        };
        tally.record(rate, name, problem);
    }
}

fn look_at(case: &Value, parser: &mut Parser, text: &str) -> Result<Seen, ParseError> {
    let limits = Limits::default();
    let start = case["start"].as_str().and_then(|name| parser.grammar().rule_named(name));
    match start {
        Some(start) => {
            let parsed = parser.parse(start, text, &limits)?;
            let errors = parsed.reported().cloned().collect();
            let Parsed { lexed, tree, looked, .. } = parsed;
            Ok(Seen { lexed, errors, tree: Some(tree), looked })
        }
        None => {
            let lexed = parser.lex(text, &limits)?;
            let (errors, looked) = (polysmith_parse::lexer_errors(&lexed, text), lexed.tokens.len());
            Ok(Seen { lexed, errors, tree: None, looked })
        }
    }
}

fn parser_of(case: &Value) -> Result<Parser, String> {
    let mut files = Memory::default();
    for (file, text) in case["grammars"].as_object().into_iter().flatten() {
        files.add(file, text.as_str().unwrap_or_default());
    }
    let main = format!("{}.g4", case["main"].as_str().unwrap_or_default());
    let lexer = case["lexer"].as_str().map(|name| format!("{name}.g4").into());
    load::parser(&files, Path::new(&main), lexer)
}

/// One line per token or error, as JSON.
fn lines(list: &Value) -> String {
    list.as_array().into_iter().flatten().map(|entry| format!("{entry}\n")).collect()
}

fn errors(seen: &Seen, text: &str) -> String {
    let positions = Positions::new(text);
    let reached = seen.lexed.tokens.get(seen.looked).map_or(text.len(), |token| token.start as usize);
    let shown = seen.errors.iter().filter(|error| match error.kind {
        ErrorKind::Trailing => false,
        ErrorKind::Lexer => error.start <= reached,
        ErrorKind::Parser => true,
    });
    let line = |error: &SyntaxError| {
        let (line, column) = positions.antlr(error.start);
        format!("{}\n", serde_json::json!([line, column, error.message]))
    };
    shown.map(line).collect()
}

fn tokens(parser: &Parser, seen: &Seen, text: &str) -> String {
    let positions = Positions::new(text);
    let mut out = String::new();
    for token in &seen.lexed.tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        let (line, column) = positions.antlr(start);
        let index = text[..start].chars().count() as i64;
        let stop = index + text[start..end].chars().count() as i64 - 1;
        let name = match token.kind {
            TokenType::EOF => "EOF".to_owned(),
            kind => parser.token_name(kind),
        };
        let shown = if start >= text.len() { "<EOF>" } else { &text[start..end] };
        let entry =
            serde_json::json!([token.kind.antlr(), name, token.channel, index, stop, line, column, shown]);
        out.push_str(&format!("{entry}\n"));
    }
    out
}

fn tree(parser: &Parser, seen: &Seen) -> String {
    let Some(tree) = &seen.tree else { return String::new() };
    polysmith_tree::show::sexpr_with(tree, parser.grammar(), &|token| parser.token_name(token))
}
