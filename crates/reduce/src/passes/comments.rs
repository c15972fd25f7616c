//! The pass over comments.

use super::define_pass;
use crate::edit::Edits;
use crate::list::Hints;
use crate::measure::is_space;
use crate::minimize::{Choice, Cursor, Halving, Minimizer, Shape};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::as_usize;

define_pass! {
    /// Deletes comments: all of a kind at once, then halves and quarters.
    ///
    /// Knows `/* */`, `<!-- -->`, and comments from `//`, `#`, `--`, `;` or `%` to the end of the line. The last three
    /// count only at the start of a line, where they are seldom anything else; a line that is no comment after all
    /// (`#include`) is refused by the test like any other bad guess.
    "comments", Always, Text(run)
}

const BLOCKS: [(&[u8], &[u8]); 4] = [(b"/*", b"*/"), (b"<!--", b"-->"), (b"--[[", b"]]"), (b"(*", b"*)")];
const LINES: [&[u8]; 5] = [b"//", b"#", b"--", b";", b"%"];

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for (open, close) in BLOCKS {
        minimize(problem, |text| blocks(text, open, close))?;
    }
    for (number, start) in LINES.into_iter().enumerate() {
        minimize(problem, |text| lines(text, start, number == 0))?;
    }
    Ok(())
}

fn minimize(problem: &mut Problem<'_>, find: impl Fn(&[u8]) -> Vec<(usize, usize)>) -> Result<(), Stop> {
    let text = problem.text();
    let mut hints = Vec::new();
    for part in text.parts() {
        let range = as_usize(&part.range);
        let found = find(&text.bytes()[range]);
        hints.extend(found.into_iter().filter_map(|(start, end)| {
            Edits::delete(part.range.start + start as u32..part.range.start + end as u32)
        }));
    }
    problem.minimize_by(&Coarse, Hints { hints }, &mut ()).map(drop)
}

/// Halving that stops at a few elements of many: a guess that is wrong for most lines is wrong as a whole, and what
/// is left of comments goes with the lines and blocks that hold it.
struct Coarse;

impl Minimizer for Coarse {
    fn name(&self) -> &'static str {
        "coarse"
    }
    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { left: list.len() / 8, ..Halving.begin(list) }
    }
    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        let choice = Halving.next(list, cursor)?;
        (cursor.size > cursor.left).then_some(choice)
    }
    fn accepted(&self, list: &Shape, cursor: Cursor, choice: &Choice) -> Cursor {
        Halving.accepted(list, cursor, choice)
    }
}

fn blocks(text: &[u8], open: &[u8], close: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = find(text, open, at) {
        let Some(end) = find(text, close, start + open.len()) else { break };
        found.push((start, end + close.len()));
        at = end + close.len();
    }
    found
}

/// Comments to the end of the line, without the line end.
fn lines(text: &[u8], mark: &[u8], anywhere: bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let indent = line.iter().take_while(|byte| is_space(**byte)).count();
        let at = match find(line, mark, 0) {
            Some(at) if at == indent => Some(at),
            Some(_) if anywhere => outside_strings(line, mark),
            _ => None,
        };
        let end = line.strip_suffix(b"\n").unwrap_or(line).len();
        if let Some(at) = at.filter(|at| *at < end) {
            // A line that is nothing but the comment goes as a whole.
            if at == indent {
                found.push((start, start + line.len()))
            } else {
                found.push((start + at, start + end))
            }
        }
        start += line.len();
    }
    found
}

/// The first place of a mark in a line that no string holds. One guess that cuts an address (`"https://…"`) in two
/// would have all others refused with it.
fn outside_strings(line: &[u8], mark: &[u8]) -> Option<usize> {
    let mut quote = None;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        match (byte, quote) {
            (b'\\', Some(_)) => at += 1,
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'' | b'`', None) => quote = Some(byte),
            (_, None) if line[at..].starts_with(mark) => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn find(text: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let first = pattern[0];
    let mut at = from;
    loop {
        at += text.get(at..)?.iter().position(|byte| *byte == first)?;
        if text[at..].starts_with(pattern) {
            return Some(at);
        }
        at += 1;
    }
}
