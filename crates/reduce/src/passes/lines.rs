//! The pass over lines.

use super::define_pass;
use crate::list::Run;
use crate::minimize::{Ddmin, OneByOne};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Deletes lines.
    ///
    /// The list of all lines of a file, by the minimizer of your choice, then single lines until none can go.
    "lines", Always, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        let left = problem.minimize(lines(problem.text(), file))?;
        if problem.is_closing() {
            problem.minimize_by(&OneByOne, left, &mut ())?;
        }
    }
    Ok(())
}

define_pass! {
    /// ddmin over lines, the base line of the literature.
    DDMIN = "lines", Always, Text(ddmin)
}

fn ddmin(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        problem.minimize_by(&Ddmin, lines(problem.text(), file), &mut ())?;
    }
    Ok(())
}

pub(crate) fn lines(text: &Text, file: usize) -> Run {
    let range = text.parts()[file].range.clone();
    let mut start = range.start;
    let items = text.slice(&range).split_inclusive(|byte| *byte == b'\n').map(|line| {
        let item = start..start + line.len() as u32;
        start = item.end;
        item
    });
    Run { items: items.collect() }
}
