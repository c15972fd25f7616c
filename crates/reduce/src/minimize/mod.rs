//! List minimizers: which elements of a list to try to delete next.
//!
//! A minimizer is a pure function over a small [`Cursor`]: given the list as it is and the cursor, the next choice,
//! *assuming that every choice before it is refused*. Speculation is then a copy of a few numbers: the engine walks
//! ahead, and when a choice is accepted it goes back to the cursor of that choice. All choices are ranges of
//! neighbouring elements, so a question costs the same whatever the length of the list.
//!
//! To add one: a file here with a type that implements [`Minimizer`], and a line in [`MINIMIZERS`].

mod ddmin;
mod halving;
mod one_by_one;
mod probdd;
mod weighted;
mod windows;

use std::ops::Range;

pub use ddmin::Ddmin;
pub use halving::Halving;
pub use one_by_one::OneByOne;
pub use probdd::ProbDd;
pub use weighted::Weighted;
pub use windows::Windows;

/// What to try: both are ranges of positions in the list as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Delete these elements.
    Delete(Range<usize>),
    /// Delete all others.
    Keep(Range<usize>),
}

/// The position of a minimizer in its list. What the numbers mean is its own affair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// A stage of the algorithm.
    pub stage: usize,
    /// A granularity or a size.
    pub size: usize,
    /// A position.
    pub at: usize,
    /// A countdown.
    pub left: usize,
}

/// The list that is minimized, as far as a minimizer may see it.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Weight of the elements before each position, and of all at the end.
    sums: Vec<u64>,
}

impl Shape {
    /// The shape of a list whose elements have these weights.
    #[must_use]
    pub fn new(weights: impl Iterator<Item = u32>) -> Self {
        let mut sum = 0;
        let sums = weights.map(|weight| {
            sum += u64::from(weight.max(1));
            sum
        });
        Self { sums: std::iter::once(0).chain(sums).collect() }
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sums.len() - 1
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What all elements weigh.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.sums.last().copied().unwrap_or(0)
    }

    /// The start of the shortest run that ends at `end` and weighs at least `weight`, or of all before `end`.
    #[must_use]
    pub fn start_of_run(&self, end: usize, weight: u64) -> usize {
        let limit = self.sums[end].saturating_sub(weight);
        self.sums[..end].partition_point(|sum| *sum <= limit).saturating_sub(1)
    }
}

/// Chooses what to delete from a list. See the module for what an implementation promises.
pub trait Minimizer {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Where to start. The first choice of a list of any length should be to delete all of it.
    fn begin(&self, list: &Shape) -> Cursor;

    /// The next choice if all before it were refused, or `None` at the end. Moves the cursor past the choice.
    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice>;

    /// Where to go on after `choice` was accepted. `list` is what is left; `cursor` was past the choice.
    fn accepted(&self, list: &Shape, cursor: Cursor, choice: &Choice) -> Cursor;
}

/// The minimizers that can be chosen by name.
pub const MINIMIZERS: &[&(dyn Minimizer + Sync)] = &[&Halving, &Ddmin, &ProbDd, &Weighted, &OneByOne];

/// Finds a minimizer by its name.
#[must_use]
pub fn minimizer(name: &str) -> Option<&'static (dyn Minimizer + Sync)> {
    MINIMIZERS.iter().copied().find(|minimizer| minimizer.name() == name)
}

#[cfg(test)]
mod tests;
