//! Passes that rest: they ask much and find little.
//!
//! Most questions of a reduction are those that expensive passes ask again in every round, about a text that hardly
//! changed. A pass that asked many questions for each step rests, until a round of the others brings nothing. Then all
//! passes run: the result is one in which no pass finds anything, as without rest.

use crate::passes::Pass;

/// A pass of fewer questions does not rest.
const CHEAP_QUESTIONS: usize = 10;

/// A pass that takes a step in this number of questions does not rest. On the cases that were looked at, passes that still
/// find something take one in 5 to 25; those that do not are above 100.
const QUESTIONS_PER_STEP: usize = 40;

/// Which passes rest.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// Names of passes, and whether what they asked was checked against the language.
    resting: Vec<(&'static str, bool)>,
    has_skipped: bool,
}

impl Rest {
    /// Whether a pass rests now.
    pub(crate) fn skips(&mut self, pass: &Pass, is_checked: bool) -> bool {
        let rests = self.resting.contains(&(pass.name, is_checked));
        self.has_skipped |= rests;
        rests
    }

    /// Notes what a run of a pass cost and what it brought.
    pub(crate) fn note(&mut self, pass: &Pass, is_checked: bool, questions: usize, steps: usize) {
        if questions >= CHEAP_QUESTIONS && steps * QUESTIONS_PER_STEP < questions {
            self.resting.push((pass.name, is_checked));
        }
    }

    /// Ends a round. If it brought nothing because passes rested, they run in the next one, and the answer is yes.
    pub(crate) fn wakes(&mut self, has_steps: bool) -> bool {
        let wakes = !has_steps && self.has_skipped;
        self.has_skipped = false;
        if wakes {
            self.resting.clear();
        }
        wakes
    }
}
