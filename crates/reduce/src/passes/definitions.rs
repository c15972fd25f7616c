//! Names that lose their definition.

use std::ops::Range;

use super::{define_pass, names::names, sweep_again};
use crate::edit::{Edit, Edits};
use crate::lex::is_markup;
use crate::list::glued;
use crate::measure::{is_word, tokens};
use crate::problem::Problem;
use crate::question::Stop;
use crate::structure::items;
use crate::text::Text;

define_pass! {
    /// Deletes an item with a name that it introduces; other uses of the name become a word of the item, its value, or `0`.
    ///
    /// `typedef int T; T x;` becomes `int x;`, `local n = 5 f(n)` becomes `f(5)`. An item introduces the names that
    /// occur in it for the first time. A few questions per name, and what goes is at least a statement.
    "definitions", Late, Text(run)
}

/// Items around the first use of a name that are tried, the smallest first.
const ITEMS: usize = 2;
/// Words of an item that are tried in the place of the name.
const WORDS: usize = 3;

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    sweep_again(problem, hints)
}

fn hints(text: &Text) -> Vec<Edits> {
    let mut all = Vec::new();
    for part in text.parts() {
        all.extend(items(text.bytes(), &part.range, is_markup(text.slice(&part.range))));
    }
    let mut hints = Vec::new();
    for (_, places) in names(text) {
        let Some(first) = places.first() else { continue };
        let mut around: Vec<&Range<u32>> =
            all.iter().filter(|item| item.start <= first.start && first.end <= item.end).collect();
        around.sort_by_key(|item| item.end - item.start);
        for item in around.into_iter().take(ITEMS) {
            let others: Vec<&Range<u32>> = places.iter().filter(|place| place.start >= item.end).collect();
            if others.is_empty() {
                continue;
            }
            for new in replacements(text.slice(item), text.slice(first)) {
                let renamed = others.iter().map(|place| Edit::replace((*place).clone(), new));
                hints.extend(Edits::new(renamed.chain([glued(text, item.clone())]).collect()));
            }
        }
    }
    hints
}

/// What could replace a name once the item that introduces it is gone; the most likely last.
fn replacements<'a>(item: &'a [u8], name: &[u8]) -> Vec<&'a [u8]> {
    let mut found: Vec<&[u8]> = vec![b"0"];
    let mut tokens: Vec<Range<usize>> = tokens(item).collect();
    while tokens.last().is_some_and(|last| matches!(&item[last.clone()], b";" | b",")) {
        tokens.pop();
    }
    for word in tokens.iter().map(|token| &item[token.clone()]) {
        if found.len() <= WORDS && is_word(word[0]) && word != name && !found.contains(&word) {
            found.push(word);
        }
    }
    // `name = value`: the value as it is written.
    let assigned =
        tokens.windows(2).position(|pair| &item[pair[0].clone()] == name && &item[pair[1].clone()] == b"=");
    if let (Some(first), Some(last)) = (assigned.and_then(|at| tokens.get(at + 2)), tokens.last()) {
        found.push(&item[first.start..last.end]);
    }
    found
}
