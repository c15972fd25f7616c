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
    /// Makes names short and merges them.
    ///
    /// Each word is replaced everywhere by the first free name of `a`, `b`, … `z`. A word that cannot be a free letter is
    /// taken for a keyword or a name that the test knows. Then each name is replaced by another one: two variables become
    /// one, and a declaration is left without use. A name never becomes a keyword; a keyword may become a shorter word, as
    /// `unsigned` becomes `int`.
    "names", Late, Text(run)
}

/// Above this number of different names only the short forms are tried: pairs are too many.
const MERGED_NAMES: usize = 60;

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    shorten(problem)?;
    let names = names(problem.text());
    if names.len() > MERGED_NAMES {
        return Ok(());
    }
    let text = problem.shared_text();
    let mut words: Vec<&[u8]> = names.iter().map(|(name, _)| name.as_slice()).collect();
    words.sort_by_key(|word| (word.len(), word.to_vec()));
    let pairs = names.iter().flat_map(|(name, places)| {
        let others = words.iter().filter(|other| may_become(name, other));
        others.filter_map(|other| rename(&text, places, other))
    });
    let hints = pairs.collect();
    problem.sweep(Hints { hints }).map(drop)
}

/// Whether another word of the text is tried for a word. After [`shorten`] a name is a single letter, and a longer word
/// was refused as a letter.
fn may_become(word: &[u8], other: &[u8]) -> bool {
    match word.len() {
        1 => other.len() == 1 && other != word,
        _ => other.len() < word.len(),
    }
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

pub(super) fn rename(text: &Text, places: &[Range<u32>], new: &[u8]) -> Option<Edits> {
    debug_assert!(places.iter().all(|place| !text.slice(place).is_empty()));
    Edits::new(places.iter().map(|place| Edit::replace(place.clone(), new)).collect())
}
