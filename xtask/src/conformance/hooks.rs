//! Our parser against generated Java parsers with their base classes: grammars that call target code.
//!
//! The data is a folder `grammars-v4-hooks` beside the collection. Rates: `hooks-verdicts` (acceptance),
//! `hooks-first-errors` (kind, place and message of the first error), `hooks-token-counts`, `hooks-trees`. Every row
//! counts, whether its grammar has hooks or not. A row that ends before its parse does is a miss of all rates.

use super::Setting;
use super::parse_verdicts::{escaped, first_difference, first_error};
use crate::rates::Tally;
use crate::table::{Row, Table};
use polysmith_description::{Description, LoadOptions, locate};
use polysmith_parse::{ErrorKind, Limits, Parsed, Parser, Positions};
use polysmith_source::{Disk, Severity};
use std::path::Path;

const FOLDER: &str = "grammars-v4-hooks";

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    for collection in &setting.collections {
        let folder = collection.with_file_name(FOLDER);
        if !folder.join("verdicts.csv").is_file() {
            println!("missing: {}", folder.display());
            continue;
        }
        let table = Table::read(&folder.join("verdicts.csv"))?;
        let mut current: Option<(String, Result<Parser, String>)> = None;
        for row in table.rows().filter(|row| setting.wants(&name(*row))) {
            let grammar = row.get("grammar");
            if current.as_ref().is_none_or(|(loaded, _)| loaded != grammar) {
                current = Some((grammar.to_owned(), load(collection, row)));
            }
            if let Some((_, parser)) = &mut current {
                check(&folder, row, parser, tally)?;
            }
        }
    }
    Ok(())
}

fn name(row: Row<'_>) -> String {
    format!("{}: {}", row.get("grammar"), row.get("input"))
}

fn load(collection: &Path, row: Row<'_>) -> Result<Parser, String> {
    let folder = collection.join(row.get("grammar"));
    let lexer = Some(row.get("lexer")).filter(|name| !name.is_empty()).map(|name| folder.join(name));
    let main = folder.join(row.get("main"));
    let located = locate(&Disk, &main.to_string_lossy(), None).map_err(|error| error.to_string())?;
    let loaded = Description::load(&located, &LoadOptions { lexer, ..LoadOptions::default() });
    let error = loaded.diagnostics.iter().find(|found| found.severity == Severity::Error);
    if let Some(error) = error {
        return Err(error.message.clone());
    }
    let parser = loaded.description.and_then(|description| description.parser());
    parser.ok_or("there is no grammar")?.map_err(|error| error.to_string())
}

fn check(
    folder: &Path,
    row: Row<'_>,
    parser: &mut Result<Parser, String>,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let case = name(row);
    let text = std::fs::read_to_string(folder.join(row.get("input")))?;
    let tree = Some(row.get("tree")).filter(|file| !file.is_empty());
    match parse(parser, row.get("start"), &text) {
        Err(why) => {
            for rate in ["hooks-verdicts", "hooks-first-errors", "hooks-token-counts"] {
                tally.miss(rate, &case, &why);
            }
            if tree.is_some() {
                tally.miss("hooks-trees", &case, &why);
            }
        }
        Ok((parsed, shown)) => {
            let accepted = if parsed.accepted() { "yes" } else { "no" };
            tally.record("hooks-verdicts", &case, other(row, "accepted", accepted));
            tally.record("hooks-first-errors", &case, first_error_problem(row, &parsed, &text));
            let tokens = parsed.lexed.tokens.len().to_string();
            tally.record("hooks-token-counts", &case, other(row, "tokens", &tokens));
            if let Some(file) = tree {
                let expected = std::fs::read_to_string(folder.join(file))?;
                tally.record("hooks-trees", &case, first_difference(&expected, &shown));
            }
        }
    }
    Ok(())
}

/// The result of a parse, and its tree as ANTLR shows it.
fn parse(parser: &mut Result<Parser, String>, start: &str, text: &str) -> Result<(Parsed, String), String> {
    let parser = parser.as_mut().map_err(|why| why.clone())?;
    let grammar = std::sync::Arc::clone(parser.grammar());
    let start = grammar.rule_named(start).ok_or_else(|| format!("there is no rule {start}"))?;
    let parsed = parser.parse(start, text, &Limits::default()).map_err(|error| error.to_string())?;
    let shown = format!("{}\n", polysmith_tree::show::sexpr(&parsed.tree, &grammar));
    Ok((parsed, shown))
}

fn other(row: Row<'_>, column: &str, found: &str) -> Option<String> {
    let expected = row.get(column);
    (expected != found).then(|| format!("{column}: {expected} expected, {found} found"))
}

fn first_error_problem(row: Row<'_>, parsed: &Parsed, text: &str) -> Option<String> {
    let first = first_error(parsed);
    let (line, column) = first
        .map(|error| Positions::new(text).antlr(error.start))
        .map_or_else(Default::default, |place| (place.0.to_string(), place.1.to_string()));
    let message = match first {
        Some(error) if error.kind != ErrorKind::Trailing => escaped(&error.message),
        _ => String::new(),
    };
    let kind = first.map_or("", |error| error.kind.name());
    let ours = [("first_kind", kind), ("first_line", &line), ("first_col", &column), ("first_msg", &message)];
    let wrong: Vec<String> = ours.iter().filter_map(|(column, found)| other(row, column, found)).collect();
    (!wrong.is_empty()).then(|| wrong.join("\n"))
}
