//! Our parser against ANTLR's verdicts on a collection of grammars.
//!
//! Rates: `parse-verdicts` (acceptance, first error with its message, numbers of errors, number of tokens),
//! `parse-trees` and `parse-tokens` (golden files), `parse-print-back` (the tree prints the input's bytes).

use super::{Setting, load};
use crate::rates::Tally;
use crate::table::Row;
use polysmith_parse::{ErrorKind, Limits, Parsed, Parser, Positions, SyntaxError};
use polysmith_source::{Code, Diagnostic, Diagnostics, Disk, Severity};
use std::path::Path;

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    for collection in &setting.collections {
        let table = setting.table(collection, "verdicts.csv")?;
        let mut current: Option<(String, Result<Parser, String>)> = None;
        for row in table.rows().filter(|row| setting.wants(row.get("input"))) {
            let key = format!("{}/{}", row.get("grammar"), row.get("main"));
            if current.as_ref().is_none_or(|(loaded, _)| *loaded != key) {
                current = Some((key, load(collection, row)));
            }
            if let Some((_, parser)) = &mut current {
                check(collection, row, parser, tally)?;
            }
        }
    }
    Ok(())
}

fn load(collection: &Path, row: Row<'_>) -> Result<Parser, String> {
    let folder = collection.join(row.get("grammar"));
    let lexer = Some(row.get("lexer")).filter(|name| !name.is_empty()).map(|name| folder.join(name));
    load::parser(&Disk, &folder.join(row.get("main")), lexer)
}

/// The first error that ANTLR would report too.
pub(crate) fn antlr_error(diagnostics: &Diagnostics) -> Option<String> {
    let of_antlr =
        |found: &&Diagnostic| found.severity == Severity::Error && matches!(found.code, Code::Tool { .. });
    diagnostics.iter().find(of_antlr).map(|found| format!("the grammar has an error: {}", found.message))
}

fn check(
    collection: &Path,
    row: Row<'_>,
    parser: &mut Result<Parser, String>,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let input = row.get("input");
    let text = std::fs::read_to_string(collection.join(input))?;
    let parsed = match parser {
        Err(why) => Err(why.clone()),
        Ok(parser) => match parser.grammar().rule_named(row.get("start")) {
            None => Err(format!("there is no rule {}", row.get("start"))),
            Some(start) => parser.parse(start, &text, &Limits::default()).map_err(|error| error.to_string()),
        },
    };
    let golden = [("parse-trees", row.get("tree")), ("parse-tokens", row.get("token_file"))];
    let (Ok(parsed), Ok(parser)) = (&parsed, &*parser) else {
        let why = parsed.err().unwrap_or_default();
        tally.miss("parse-verdicts", input, &why);
        tally.miss("parse-print-back", input, "not parsed");
        for (rate, _) in golden.iter().filter(|(_, file)| !file.is_empty()) {
            tally.miss(rate, input, "not parsed");
        }
        return Ok(());
    };
    tally.record("parse-verdicts", input, verdict_problem(row, parsed, &text));
    let same = parsed.tree.to_bytes() == text.as_bytes();
    tally.record("parse-print-back", input, (!same).then(|| "prints other bytes".to_owned()));
    for (rate, file) in golden.into_iter().filter(|(_, file)| !file.is_empty()) {
        let expected = std::fs::read_to_string(collection.join(file))?;
        let ours = match rate {
            "parse-trees" => format!("{}\n", polysmith_tree::show::sexpr(&parsed.tree, parser.grammar())),
            _ => polysmith_parse::show_tokens(parser.grammar(), &parsed.lexed, &text),
        };
        tally.record(rate, input, first_difference(&expected, &ours));
    }
    Ok(())
}

/// What the row says and we do not.
fn verdict_problem(row: Row<'_>, parsed: &Parsed, text: &str) -> Option<String> {
    let count = |kind| parsed.errors.iter().filter(|error| error.kind == kind).count();
    let first = first_error(parsed);
    let yes = |value: bool| if value { "yes" } else { "no" }.to_owned();
    let (line, column) = first
        .map(|error| Positions::new(text).antlr(error.start))
        .map_or_else(Default::default, |place| (place.0.to_string(), place.1.to_string()));
    let message = match first {
        Some(error) if error.kind != ErrorKind::Trailing => escaped(&error.message),
        _ => String::new(),
    };
    let ours = [
        ("accepted", yes(parsed.accepted())),
        ("tokens", parsed.lexed.tokens.len().to_string()),
        ("lexer_errors", count(ErrorKind::Lexer).to_string()),
        ("gen_parser_errors", count(ErrorKind::Parser).to_string()),
        ("gen_first_kind", first.map_or(String::new(), |error| error.kind.name().to_owned())),
        ("gen_first_line", line),
        ("gen_first_col", column),
        ("gen_first_msg", message),
    ];
    let wrong: Vec<String> = ours
        .iter()
        .filter(|(column, value)| row.get(column) != value)
        .map(|(column, value)| format!("{column}: {} expected, {value} found", row.get(column)))
        .collect();
    (!wrong.is_empty()).then(|| wrong.join("\n"))
}

/// Of the first error of the lexer and the first that the parser *reported* (recovery can find one further
/// to the left later), the one further to the left.
pub(super) fn first_error(parsed: &Parsed) -> Option<&SyntaxError> {
    let of = |kind| parsed.errors.iter().find(move |error| error.kind == kind);
    let found = [
        of(ErrorKind::Lexer),
        parsed.reported().find(|error| error.kind == ErrorKind::Parser),
        of(ErrorKind::Trailing),
    ];
    found
        .into_iter()
        .flatten()
        .min_by_key(|error| (error.kind == ErrorKind::Trailing, error.start, error.kind))
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

/// Where two texts part, with a little of both.
pub(super) fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let at = expected.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| {
        let bytes = &text.as_bytes()[at.saturating_sub(30)..text.len().min(at + 80)];
        String::from_utf8_lossy(bytes).into_owned()
    };
    Some(format!("at byte {at}\nexpected {}\nfound    {}", near(expected), near(found)))
}
