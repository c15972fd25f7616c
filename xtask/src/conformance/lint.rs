//! What is said about grammars, and how tokens are numbered, against ANTLR's tool.
//!
//! Rates: `loads` (a grammar of a collection: exactly the messages of its row in `loads.csv`), `tool-cases` (a
//! case of a list: exactly its messages), `print-back` (a grammar of a collection, printed and read again: the
//! same grammar), `tokens` (a grammar of a collection: the `.tokens` file of the tool).

use super::Setting;
use crate::messages::{self, Message};
use crate::rates::Tally;
use crate::table::Row;
use polysmith_antlr::{Read, ReadOptions, print_files, read};
use polysmith_source::{Disk, Memory, Severity};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The check `lint`: no oracle needed.
pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    for collection in &setting.collections {
        let table = setting.table(collection, "loads.csv")?;
        for row in table.rows().filter(|row| is_ours(setting, collection, *row)) {
            let read = read_row(collection, row);
            let wanted = row.get("codes").split(';').filter_map(message).collect();
            tally.record("loads", row.get("grammar"), messages::difference(messages::ours(&read), wanted));
            tally.record("print-back", row.get("grammar"), printed_differs(&read));
        }
    }
    for (name, case) in setting.cases()? {
        if case["grammars"].is_object() {
            let problem = messages::difference(messages::ours(&read_case(&case)), messages::of_case(&case));
            tally.record("tool-cases", &name, problem);
        }
    }
    Ok(())
}

/// What becomes of a grammar that is printed and read again, if it is not the same.
fn printed_differs(original: &Read) -> Option<String> {
    let printed = print_files(&original.grammar);
    let files =
        printed.files.iter().fold(Memory::default(), |all, (name, text)| all.with(name, text.as_str()));
    let again = read(&files, Path::new(&printed.files[0].0), &ReadOptions::default());
    if let Some(error) = again.diagnostics.iter().find(|found| found.severity == Severity::Error) {
        return Some(format!("{} {}", error.code, error.message));
    }
    (again.grammar != original.grammar).then(|| {
        let (ours, theirs) = (again.grammar.to_string(), original.grammar.to_string());
        let line = ours.lines().zip(theirs.lines()).find(|(now, before)| now != before);
        line.map_or("differs where the rules do not show it".into(), |(now, before)| {
            format!("{before}\nbecame {now}")
        })
    })
}

/// The check `tokens`: the tool makes the files to compare with.
pub(crate) fn tokens(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    let mut oracle = match setting.oracle() {
        Ok(oracle) => oracle,
        Err(error) => {
            println!("missing: {error:#}");
            return Ok(());
        }
    };
    let work = tempfile::tempdir()?;
    for collection in &setting.collections {
        let collection = std::path::absolute(collection)?;
        let table = setting.table(&collection, "loads.csv")?;
        for row in table.rows().filter(|row| is_ours(setting, &collection, *row)) {
            let here = work.path().join(row.get("grammar"));
            std::fs::create_dir_all(&here)?;
            oracle.load(&here, row.get("start"), &files(&collection, row))?;
            let name = Path::new(row.get("main")).with_extension("tokens");
            let wanted = std::fs::read_to_string(here.join(name)).unwrap_or_default();
            let got = read_row(&collection, row).tokens;
            tally.record("tokens", row.get("grammar"), different_lines(&got, &wanted));
        }
    }
    Ok(())
}

/// Rows whose grammar is a folder of the collection; the others are not there to be read.
pub(crate) fn is_ours(setting: &Setting, collection: &Path, row: Row<'_>) -> bool {
    collection.join(row.get("grammar")).is_dir() && setting.wants(row.get("grammar"))
}

/// The files of a row: parser or combined grammar first, then the lexer.
pub(crate) fn files(collection: &Path, row: Row<'_>) -> Vec<PathBuf> {
    let names = [row.get("main"), row.get("lexer")];
    let folder = collection.join(row.get("grammar"));
    names.iter().filter(|name| !name.is_empty()).map(|name| folder.join(name)).collect()
}

fn read_row(collection: &Path, row: Row<'_>) -> Read {
    let files = files(collection, row);
    read(&Disk, &files[0], &ReadOptions { lexer: files.get(1).cloned(), ..ReadOptions::default() })
}

/// The grammars of a case are files in memory.
fn read_case(case: &Value) -> Read {
    let mut files = Memory::default();
    for (name, text) in case["grammars"].as_object().into_iter().flatten() {
        files.add(name, text.as_str().unwrap_or_default());
    }
    let path = |field: &str| Some(PathBuf::from(format!("{}.g4", case[field].as_str()?)));
    let options = ReadOptions { lexer: path("lexer"), ..ReadOptions::default() };
    read(&files, &path("main").unwrap_or_default(), &options)
}

/// `severity(code)@file:line:column`.
fn message(text: &str) -> Option<Message> {
    let (severity, rest) = text.split_once('(')?;
    let (code, place) = rest.split_once(")@")?;
    let mut parts = place.rsplitn(3, ':');
    let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    let (line, column): (i64, i64) = (line.parse().ok()?, column.parse().ok()?);
    let (line, column) = if line > 0 { (line, column) } else { (-1, -1) };
    Some(Message { code: code.parse().ok()?, line, column, severity: severity.into(), file: file.into() })
}

/// Lines of only one of the files; the tool's order of literals is not one to rely on.
fn different_lines(got: &str, wanted: &str) -> Option<String> {
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (got, wanted) = (sorted(got), sorted(wanted));
    let only = |these: &[String], those: &[String]| {
        these.iter().filter(|line| !those.contains(line)).take(5).cloned().collect::<Vec<_>>().join(" ")
    };
    (got != wanted)
        .then(|| format!("only ours: {}\nonly ANTLR's: {}", only(&got, &wanted), only(&wanted, &got)))
}
