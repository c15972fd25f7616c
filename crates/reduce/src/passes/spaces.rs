//! White space between tokens.

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::list::Hints;
use crate::measure::is_space;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Shortens white space: each run to one character, then to nothing.
    ///
    /// All runs at once first. The kind of white space (blank or line end) stays what the run began with, and a
    /// line end is tried as a blank.
    "spaces", Late, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let minimizer = problem.minimizer();
    for rewrite in [short, gone, blank] {
        let text = problem.text();
        let mut hints = Vec::new();
        for part in text.parts() {
            let bytes = text.slice(&part.range);
            let mut at = 0;
            while at < bytes.len() {
                let run = bytes[at..].iter().take_while(|byte| is_space(**byte)).count();
                if let Some(new) = (run > 0).then(|| rewrite(&bytes[at..at + run])).flatten() {
                    let start = part.range.start + at as u32;
                    hints.extend(Edits::new(vec![Edit::replace(start..start + run as u32, new)]));
                }
                at += run.max(1);
            }
        }
        problem.minimize_by(minimizer, Hints { hints }, &mut ())?;
    }
    Ok(())
}

fn short(run: &[u8]) -> Option<&[u8]> {
    let newline = run.iter().position(|byte| *byte == b'\n');
    (run.len() > 1).then(|| newline.map_or(&run[..1], |at| &run[at..=at]))
}

fn gone(_run: &[u8]) -> Option<&[u8]> {
    Some(b"")
}

fn blank(run: &[u8]) -> Option<&[u8]> {
    (run != b" ").then_some(b" ")
}
