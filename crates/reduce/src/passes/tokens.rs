//! The pass over tokens.

use super::define_pass;
use crate::list::Run;
use crate::measure::tokens;
use crate::minimize::{Choice, Cursor, Ddmin, Halving, Minimizer, OneByOne, Shape};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Deletes runs of tokens, 32, 16, … 1 at a time, then single tokens until none can go.
    ///
    /// Knows words, quoted strings and single marks; a token goes with the white space after it, and two words that
    /// would become one are kept apart by a blank.
    "tokens", Late, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        let left = problem.minimize_by(&Short, token_run(problem.text(), file), &mut ())?;
        problem.minimize_by(&OneByOne, left, &mut ())?;
    }
    Ok(())
}

define_pass! {
    /// ddmin over tokens, the base line of the literature.
    DDMIN = "tokens", Always, Text(ddmin)
}

fn ddmin(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        problem.minimize_by(&Ddmin, token_run(problem.text(), file), &mut ())?;
    }
    Ok(())
}

pub(crate) fn token_run(text: &Text, file: usize) -> Run {
    let part = &text.parts()[file].range;
    let starts: Vec<u32> = tokens(text.slice(part)).map(|token| part.start + token.start as u32).collect();
    let ends = starts.iter().skip(1).copied().chain([part.end]);
    Run { items: starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect() }
}

/// Halving that starts with short runs: longer ones were tried as blocks and lines.
struct Short;

impl Minimizer for Short {
    fn name(&self) -> &'static str {
        "short"
    }
    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { size: list.len().min(32), at: list.len(), ..Cursor::default() }
    }
    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        Halving.next(list, cursor)
    }
    fn accepted(&self, list: &Shape, cursor: Cursor, choice: &Choice) -> Cursor {
        Halving.accepted(list, cursor, choice)
    }
}
