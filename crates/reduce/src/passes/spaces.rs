//! White space between tokens.

use std::ops::Range;

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::list::Hints;
use crate::measure::is_space;
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Shortens white space: each run to one character, then to nothing.
    ///
    /// All runs at once first. The kind of white space (blank or line end) stays what the run began with, and a
    /// line end is tried as a blank. Where indentation must stay, it becomes one blank for each level.
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
    let hints = indentation(problem.text());
    problem.minimize_by(minimizer, Hints { hints }, &mut ()).map(drop)
}

/// Line ends with indentation, each as one line end with as many blanks as its file has smaller indentations, and one.
fn indentation(text: &Text) -> Vec<Edits> {
    let mut hints = Vec::new();
    for part in text.parts() {
        let bytes = text.slice(&part.range);
        let mut found: Vec<(Range<u32>, usize)> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let run = bytes[at..].iter().take_while(|byte| is_space(**byte)).count();
            let newline = bytes[at..at + run].iter().rposition(|byte| *byte == b'\n');
            if let Some(indent) = newline.map(|newline| run - newline - 1).filter(|indent| *indent > 0) {
                let start = part.range.start + at as u32;
                found.push((start..start + run as u32, indent));
            }
            at += run.max(1);
        }
        let mut indents: Vec<usize> = found.iter().map(|(_, indent)| *indent).collect();
        indents.sort_unstable();
        indents.dedup();
        for (range, indent) in found {
            let level = indents.partition_point(|other| *other < indent) + 1;
            let new = format!("\n{}", " ".repeat(level));
            if new.len() < range.len() {
                hints.extend(Edits::new(vec![Edit::replace(range, new)]));
            }
        }
    }
    hints
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
