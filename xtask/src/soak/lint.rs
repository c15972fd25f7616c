//! Mutants of grammars: does ANTLR's tool say the same first thing, in the same line?
//!
//! A token of a grammar file is deleted, doubled, swapped with its neighbour, or, if it is a name, renamed. The
//! whole grammar is then read by us and by the oracle.

use super::Args;
use crate::conformance::lint;
use crate::messages::{self, Message};
use crate::oracle::Oracle;
use crate::paths;
use crate::rates::Tally;
use crate::table::Table;
use anyhow::Context as _;
use polysmith_antlr::{ReadOptions, read};
use polysmith_random::{Draw, Purpose, Stream};
use polysmith_source::Disk;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many mutants if nobody says.
const COUNT: u64 = 2000;

pub(crate) fn run(args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let collection = std::path::absolute(paths::shared().join("data/grammars-v4"))?;
    let table = Table::read(&collection.join("loads.csv"))?;
    let rows: Vec<_> = table.rows().filter(|row| collection.join(row.get("grammar")).is_dir()).collect();
    let script = args.oracle.clone().unwrap_or_else(Oracle::usual_script);
    let mut oracle = Oracle::start(&script)?;
    let work = tempfile::tempdir()?;
    for index in 0..args.count.unwrap_or(COUNT) {
        let mut stream = Draw::new(args.seed, index).stream(Purpose::Structure);
        let row = rows[below(&mut stream, rows.len())];
        let folder = work.path().join(index.to_string());
        std::fs::create_dir_all(folder.join("out"))?;
        copy_grammars(&collection.join(row.get("grammar")), &folder)?;
        let files: Vec<PathBuf> = lint::files(&collection, row)
            .iter()
            .filter_map(|file| Some(folder.join(file.file_name()?)))
            .collect();
        let victim = &files[below(&mut stream, files.len())];
        let what = mutate(victim, &mut stream)?;
        let read =
            read(&Disk, &files[0], &ReadOptions { lexer: files.get(1).cloned(), ..ReadOptions::default() });
        let ours = messages::ours(&read).into_iter().next();
        let name = format!("{index} {} {what}", row.get("grammar"));
        match oracle.load(&folder.join("out"), row.get("start"), &files) {
            Ok(answer) => {
                let theirs = messages::of_oracle(&answer).into_iter().next();
                tally.record("lint-mutants", &name, compare(ours, theirs));
            }
            Err(error) => {
                oracle = Oracle::start(&script)?;
                tally.miss("lint-mutants", &name, &format!("the oracle failed: {error:#}"));
            }
        }
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

fn below(stream: &mut Stream, n: usize) -> usize {
    stream.index(n)
}

/// The same code in the same line, or silence of both.
fn compare(ours: Option<Message>, theirs: Option<Message>) -> Option<String> {
    let key = |message: &Option<Message>| message.as_ref().map(|m| (m.code, m.line));
    let shown =
        |message: &Option<Message>| message.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    (key(&ours) != key(&theirs)).then(|| format!("we say {}, ANTLR says {}", shown(&ours), shown(&theirs)))
}

fn copy_grammars(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let is_grammar = path.extension().is_some_and(|extension| extension == "g4");
        if let Some(name) = path.file_name().filter(|_| is_grammar) {
            // Written anew: the original may be read-only, and so would its copy be.
            std::fs::write(to.join(name), std::fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Changes a file; says what was done.
fn mutate(path: &Path, stream: &mut Stream) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let tokens = tokens(&text);
    let at = below(stream, tokens.len().saturating_sub(1).max(1));
    let token = tokens.get(at).cloned().unwrap_or(0..0);
    let spelled = &text[token.clone()];
    let is_name = spelled.starts_with(|c: char| c.is_alphabetic());
    let (word, new) = match below(stream, 4) {
        0 => ("delete", splice(&text, &token, "")),
        1 => ("double", splice(&text, &token, &format!("{spelled} {spelled}"))),
        2 if at + 1 < tokens.len() => {
            let next = tokens[at + 1].clone();
            let between = &text[token.end..next.start];
            let swapped = format!("{}{between}{spelled}", &text[next.clone()]);
            ("swap", splice(&text, &(token.start..next.end), &swapped))
        }
        _ if is_name => ("rename", splice(&text, &token, &format!("{spelled}Q"))),
        _ => ("delete", splice(&text, &token, "")),
    };
    std::fs::write(path, new)?;
    let line = text[..token.start].matches('\n').count() + 1;
    Ok(format!(
        "{word} `{}` in {}:{line}",
        spelled.escape_debug(),
        path.file_name().unwrap_or_default().display()
    ))
}

fn splice(text: &str, range: &Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// A rough cut into tokens: words, literals, sets, actions and signs, without comments.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match c {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            c if c.is_whitespace() => c.len_utf8(),
            c if c.is_alphanumeric() => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            '\'' => closed(rest, '\''),
            '[' => closed(rest, ']'),
            '{' => rest.find('}').map_or(1, |end| end + 1),
            _ if ["->", "+=", "..", "::"].iter().any(|sign| rest.starts_with(sign)) => 2,
            c => c.len_utf8(),
        };
        let is_blank = c.is_whitespace() || rest.starts_with("//") || rest.starts_with("/*");
        if !is_blank {
            tokens.push(at..at + length);
        }
        at += length;
    }
    tokens
}

/// The length up to a closing character on the same line; a backslash protects the next one.
fn closed(text: &str, close: char) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => break,
            c if c == close => return at + c.len_utf8(),
            _ => {}
        }
    }
    1
}
