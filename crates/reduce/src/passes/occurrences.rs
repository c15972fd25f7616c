//! Everything around a name, wherever it occurs.

use std::ops::Range;

use super::{define_pass, names::names, sweep_again};
use crate::edit::Edits;
use crate::lex::is_markup;
use crate::list::glued;
use crate::problem::Problem;
use crate::question::Stop;
use crate::structure::items;
use crate::text::Text;

define_pass! {
    /// Deletes a name in all places at once: the items that hold it, or the word alone.
    ///
    /// An XML element goes from the document and from the DTD, a parameter from the function and from its calls, a type
    /// parameter `<T>` from wherever it occurs. A few questions for each name that occurs more than once.
    "occurrences", Late, Text(run)
}

/// Names that occur more often are not tried: too much would go.
const MOST_PLACES: usize = 40;

/// Which items go: by the number of the item around the first occurrence and around the others, the smallest being 0.
const LEVELS: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    sweep_again(problem, hints)
}

fn hints(text: &Text) -> Vec<Edits> {
    let mut all = Vec::new();
    for part in text.parts() {
        all.extend(items(text.bytes(), &part.range, is_markup(text.slice(&part.range))));
    }
    all.sort_by_key(|item| item.end - item.start);
    let mut hints: Vec<Edits> = Vec::new();
    for (_, places) in names(text) {
        if !(2..=MOST_PLACES).contains(&places.len()) {
            continue;
        }
        let words = places.iter().map(|place| glued(text, with_delimiters(text, place))).collect();
        hints.extend(Edits::new(words));
        for (first, others) in LEVELS {
            let level = |number: usize| if number == 0 { first } else { others };
            let around =
                places.iter().enumerate().map(|(number, place)| item_around(&all, place, level(number)));
            let Some(ranges) = around.collect::<Option<Vec<Range<u32>>>>() else { continue };
            let edits = outermost(ranges).into_iter().map(|range| glued(text, range)).collect();
            hints.extend(Edits::new(edits).filter(|edits| !hints.contains(edits)));
        }
    }
    hints
}

/// The item around a place with this number, the smallest being 0. Items are sorted by size.
fn item_around(items: &[Range<u32>], place: &Range<u32>, number: usize) -> Option<Range<u32>> {
    items.iter().filter(|item| item.start <= place.start && place.end <= item.end).nth(number).cloned()
}

/// Ranges without those that overlap one before them.
fn outermost(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_new = range.start >= end;
        end = end.max(range.end);
        is_new
    });
    ranges
}

/// A word with the brackets directly around it, or with the comma after or before it.
fn with_delimiters(text: &Text, word: &Range<u32>) -> Range<u32> {
    let bytes = text.bytes();
    let around = (bytes.get((word.start as usize).wrapping_sub(1)), bytes.get(word.end as usize));
    match around {
        (Some(b'<'), Some(b'>')) | (Some(b'('), Some(b')')) | (Some(b'['), Some(b']')) => {
            word.start - 1..word.end + 1
        }
        (_, Some(b',')) => word.start..word.end + 1,
        (Some(b','), _) => word.start - 1..word.end,
        _ => word.clone(),
    }
}
