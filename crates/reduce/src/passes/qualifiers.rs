//! Qualified names.

use std::ops::Range;

use super::{define_pass, names::names};
use crate::edit::{Edit, Edits};
use crate::list::{Hints, glued};
use crate::measure::{is_word, tokens};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Makes `a.b` to `b` or `a`; where `b` would then mean something else, it and one more `b` get a new name.
    ///
    /// Knows `.`, `->` and `::`. The new name is for languages in which the last part must be told apart from
    /// others of the same name, such as columns of tables: `CREATE TABLE t(id) … t.id` becomes `CREATE TABLE t(a) … a`.
    "qualifiers", Late, Text(run)
}

/// A name that occurs more often than this is not split.
const MOST_PLACES: usize = 8;

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let minimizer = problem.minimizer();
    for keep_last in [true, false] {
        let text = problem.text();
        let short = |found: &Qualified| Edits::new(vec![glued(text, found.gone(keep_last))]);
        let hints = qualified(text).iter().filter_map(short).collect();
        problem.minimize_by(minimizer, Hints { hints }, &mut ())?;
    }
    loop {
        let steps = problem.steps();
        let hints = splits(problem.text());
        problem.sweep(Hints { hints })?;
        // The names are others now.
        if problem.steps() == steps {
            return Ok(());
        }
    }
}

/// `first . last`
struct Qualified {
    first: Range<u32>,
    last: Range<u32>,
}

impl Qualified {
    fn gone(&self, keep_last: bool) -> Range<u32> {
        if keep_last { self.first.start..self.last.start } else { self.first.end..self.last.end }
    }
}

fn qualified(text: &Text) -> Vec<Qualified> {
    let mut found = Vec::new();
    for part in text.parts() {
        let bytes = text.slice(&part.range);
        let tokens: Vec<Range<usize>> = tokens(bytes).collect();
        let is_name = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|token| is_word(bytes[token.start]) && !bytes[token.start].is_ascii_digit())
        };
        let place =
            |token: &Range<usize>| part.range.start + token.start as u32..part.range.start + token.end as u32;
        for at in (0..tokens.len()).filter(|at| is_name(*at)) {
            let rest = &bytes[tokens[at].end..];
            let marks = if rest.starts_with(b".") {
                1
            } else if rest.starts_with(b"->") || rest.starts_with(b"::") {
                2
            } else {
                continue;
            };
            let last = at + marks + 1;
            if is_name(last) && tokens[last].start == tokens[at].end + marks {
                found.push(Qualified { first: place(&tokens[at]), last: place(&tokens[last]) });
            }
        }
    }
    found
}

/// Drops the qualifier of one name, which gets a new name together with one other place of it.
fn splits(text: &Text) -> Vec<Edits> {
    let names = names(text);
    let is_free = |letter: &u8| !names.iter().any(|(name, _)| name.as_slice() == [*letter]);
    let Some(new) = (b'a'..=b'z').chain(b'A'..=b'Z').find(is_free) else { return Vec::new() };
    let mut hints = Vec::new();
    for found in qualified(text) {
        let Some((_, places)) = names.iter().find(|(_, places)| places.contains(&found.last)) else {
            continue;
        };
        if places.len() > MOST_PLACES {
            continue;
        }
        for other in places.iter().filter(|place| **place != found.last) {
            let renamed = [&found.last, other].map(|place| Edit::replace(place.clone(), [new]));
            hints.extend(Edits::new(renamed.into_iter().chain([glued(text, found.gone(true))]).collect()));
        }
    }
    hints
}
