//! Upper and lower case.

use super::define_pass;
use super::names::{names, rename};
use crate::list::Hints;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Writes words in lower case: `SELECT` becomes `select`.
    ///
    /// All words at once first, then fewer of them; equal words change together. One question where the language does
    /// not tell cases apart, about two for each word with capital letters where it does.
    "case", Late, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let text = problem.shared_text();
    let lower = |(name, places): &(Vec<u8>, Vec<_>)| {
        let is_upper = name.iter().any(u8::is_ascii_uppercase);
        is_upper.then(|| rename(&text, places, &name.to_ascii_lowercase())).flatten()
    };
    let hints = names(&text).iter().filter_map(lower).collect();
    let minimizer = problem.minimizer();
    problem.minimize_by(minimizer, Hints { hints }, &mut ()).map(drop)
}
