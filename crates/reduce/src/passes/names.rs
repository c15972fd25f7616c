//! The pass over names.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::list::Hints;
use crate::measure::tokens;
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Merges names and makes them short.
    ///
    /// Each name is replaced everywhere by another name of the text that is shorter or earlier in the alphabet: two
    /// variables become one, and a declaration is left without use. Then each is replaced by the first free name of
    /// `a`, `b`, … `z`.
    "names", Late, Text(run)
}

/// Above this number of different names only the short forms are tried: pairs are too many.
const MERGED_NAMES: usize = 60;

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let names = names(problem.text());
    if names.len() <= MERGED_NAMES {
        let text = problem.shared_text();
        let mut words: Vec<&[u8]> = names.iter().map(|(name, _)| name.as_slice()).collect();
        words.sort_by_key(|word| (word.len(), word.to_vec()));
        let pairs = names.iter().flat_map(|(name, places)| {
            let others = words.iter().filter(|other| **other != name.as_slice() && other.len() <= name.len());
            others.filter_map(|other| rename(&text, places, other))
        });
        let hints = pairs.collect();
        problem.sweep(Hints { hints })?;
    }
    shorten(problem)
}

fn shorten(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let text = problem.shared_text();
    let names = names(&text);
    let is_free = |name: &[u8]| !names.iter().any(|(other, _)| other == name);
    let free = (b'a'..=b'z').chain(b'A'..=b'Z').map(|letter| vec![letter]).filter(|name| is_free(name));
    let mut free: Vec<Vec<u8>> = free.collect();
    free.reverse();
    let mut hints = Vec::new();
    let mut longest: Vec<&(Vec<u8>, Vec<Range<u32>>)> =
        names.iter().filter(|(name, _)| name.len() > 1).collect();
    longest.sort_by_key(|(name, places)| std::cmp::Reverse(name.len() * places.len()));
    for (_, places) in longest {
        let Some(new) = free.pop() else { break };
        hints.extend(rename(&text, places, &new));
    }
    let minimizer = problem.minimizer();
    problem.minimize_by(minimizer, Hints { hints }, &mut ()).map(drop)
}

/// The names of a text with their places, in the order of first use.
pub(super) fn names(text: &Text) -> Vec<(Vec<u8>, Vec<Range<u32>>)> {
    let mut numbers: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut names: Vec<(Vec<u8>, Vec<Range<u32>>)> = Vec::new();
    for part in text.parts() {
        let bytes = text.slice(&part.range);
        for token in tokens(bytes) {
            let word = &bytes[token.clone()];
            if !(word[0].is_ascii_alphabetic() || matches!(word[0], b'_' | b'$')) {
                continue;
            }
            let number = *numbers.entry(word).or_insert(names.len());
            if number == names.len() {
                names.push((word.to_vec(), Vec::new()));
            }
            names[number].1.push(part.range.start + token.start as u32..part.range.start + token.end as u32);
        }
    }
    names
}

fn rename(text: &Text, places: &[Range<u32>], new: &[u8]) -> Option<Edits> {
    debug_assert!(places.iter().all(|place| !text.slice(place).is_empty()));
    Edits::new(places.iter().map(|place| Edit::replace(place.clone(), new)).collect())
}
