//! The pass over bytes.

use super::define_pass;
use crate::edit::{Edits, Shift};
use crate::list::{Elements, Follow};
use crate::minimize::{Choice, Halving, OneByOne, Shape};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Deletes runs of bytes of falling length, then single bytes until none can go.
    ///
    /// For binary files this does the main work; for text it takes what is left: letters of names, digits, blanks.
    /// At least one question per byte, so it runs late.
    "bytes", Late, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        let all = Stretch { start: 0, end: 0, file }.renewed(problem.text());
        let left = problem.minimize_by(&Halving, all, &mut ())?;
        problem.minimize_by(&OneByOne, left, &mut ())?;
    }
    Ok(())
}

/// All bytes of a file as elements, without an object per byte.
struct Stretch {
    start: u32,
    end: u32,
    file: usize,
}

impl Stretch {
    fn renewed(mut self, text: &Text) -> Self {
        let range = &text.parts()[self.file].range;
        (self.start, self.end) = (range.start, range.end);
        self
    }
}

impl Follow for Stretch {
    fn shift(&mut self, shift: &Shift) {
        let moved = shift.range_or_empty(&(self.start..self.end));
        (self.start, self.end) = (moved.start, moved.end);
    }
}

impl Elements for Stretch {
    fn shape(&self) -> Shape {
        Shape::new((self.start..self.end).map(|_| 1))
    }

    fn edits(&mut self, _text: &Text, choice: &Choice) -> Option<Edits> {
        let at = |position: usize| self.start + position as u32;
        match choice {
            Choice::Delete(range) => Edits::delete(at(range.start)..at(range.end)),
            Choice::Keep(range) => Edits::new(vec![
                crate::edit::Edit::delete(self.start..at(range.start)),
                crate::edit::Edit::delete(at(range.end)..self.end),
            ]),
        }
    }

    fn accept(&mut self, _choice: &Choice, edits: &Edits) {
        self.shift(&edits.shift());
    }
}
