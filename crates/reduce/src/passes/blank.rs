//! Blank lines and white space at the end of lines.

use super::define_pass;
use crate::edit::Edits;
use crate::list::Hints;
use crate::measure::is_space;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Deletes blank lines and white space at the end of lines.
    ///
    /// One question when layout does not matter, which is nearly always.
    "blank", Always, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let text = problem.text();
    let mut hints = Vec::new();
    for part in text.parts() {
        let mut start = part.range.start;
        for line in text.slice(&part.range).split_inclusive(|byte| *byte == b'\n') {
            let body = line.strip_suffix(b"\n").unwrap_or(line);
            let used = body.iter().rposition(|byte| !is_space(*byte)).map_or(0, |at| at + 1) as u32;
            let end = start + line.len() as u32;
            let gone = if used == 0 { start..end } else { start + used..start + body.len() as u32 };
            hints.extend(Edits::delete(gone));
            start = end;
        }
    }
    let minimizer = problem.minimizer();
    problem.minimize_by(minimizer, Hints { hints }, &mut ()).map(drop)
}
