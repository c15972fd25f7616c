//! Quoted strings.

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::list::Hints;
use crate::measure::tokens;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Empties quoted strings, then tries their halves.
    ///
    /// Single characters are left to the pass `bytes`.
    "strings", Late, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for keep in [|_: usize| 0..0, |len: usize| 0..len / 2, |len: usize| len / 2..len] {
        let text = problem.text();
        let mut hints = Vec::new();
        for part in text.parts() {
            let bytes = text.slice(&part.range);
            for token in
                tokens(bytes).filter(|token| token.len() > 2 && matches!(bytes[token.start], b'"' | b'\''))
            {
                let body = token.start + 1..token.end - 1;
                let kept = keep(body.len());
                let at = |offset: usize| part.range.start + (body.start + offset) as u32;
                hints.extend(Edits::new(vec![
                    Edit::delete(at(0)..at(kept.start)),
                    Edit::delete(at(kept.end)..at(body.len())),
                ]));
            }
        }
        let minimizer = problem.minimizer();
        problem.minimize_by(minimizer, Hints { hints }, &mut ())?;
    }
    Ok(())
}
