//! Texts that got a second yes, to go back to when a test turns out to change its answers.
//!
//! Between two of them lie the steps of a pass, which may be hundreds. If a text proves unsure, the last sure one is
//! sought among those steps by halving: one step makes a test unsure, and all texts after it have that from it.

use std::sync::Arc;

use crate::candidate::Candidate;
use crate::edit::Edits;
use crate::problem::Problem;
use crate::question::{Answer, Stop};
use crate::text::Text;

/// So many yes in a row are needed from a test that changes its answers. A few may be luck, and all that follows rests on
/// them.
pub(crate) const SURE: u64 = 8;

/// The steps that led from one text to another.
pub(crate) struct Way {
    from: Arc<Text>,
    steps: Vec<Edits>,
}

impl Way {
    pub(crate) fn from(text: Arc<Text>) -> Way {
        Way { from: text, steps: Vec::new() }
    }

    pub(crate) fn push(&mut self, step: &Edits) {
        self.steps.push(step.clone());
    }
}

/// The texts to go back to, in the order in which they were reached.
pub(crate) struct Checkpoints {
    /// Each with the way to it.
    points: Vec<(Arc<Text>, Way)>,
    /// How often it went back.
    returns: usize,
    /// Whether there was a second descent from one of them.
    has_descended: bool,
}

impl Checkpoints {
    /// More returns than this would not help: the test is no test.
    const MOST_RETURNS: usize = 4;

    pub(crate) fn new(original: Arc<Text>) -> Checkpoints {
        let way = Way::from(Arc::clone(&original));
        Checkpoints { points: vec![(original, way)], returns: 0, has_descended: false }
    }

    /// The texts, the original first.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Arc<Text>> {
        self.points.iter().map(|(text, _)| text)
    }

    /// Whether a second descent was begun before; from now on it was.
    pub(crate) fn has_descended(&mut self) -> bool {
        std::mem::replace(&mut self.has_descended, true)
    }

    /// Asks about the best text once more, if there was a step since `steps`.
    pub(crate) fn look_again(&mut self, problem: &mut Problem<'_>, steps: usize) -> Result<(), Stop> {
        if problem.steps() == steps {
            return Ok(());
        }
        let text = problem.shared_text();
        if problem.ask(&Candidate::unchanged(Arc::clone(&text)), 1)? == Answer::Yes {
            self.points.push((text, problem.take_way()));
            return Ok(());
        }
        problem.note_flaky();
        if self.returns < Self::MOST_RETURNS {
            self.returns += 1;
            self.confirm(problem)?;
        }
        Ok(())
    }

    /// Makes sure of the best text; if it is not sure of a yes, goes back to one that is.
    pub(crate) fn confirm(&mut self, problem: &mut Problem<'_>) -> Result<bool, Stop> {
        let times = if problem.is_flaky() { SURE } else { 1 };
        if is_sure(problem, &problem.shared_text(), times)? {
            return Ok(true);
        }
        let mut unsure = problem.take_way();
        while let Some((text, way)) = self.points.pop() {
            if is_sure(problem, &text, SURE)? {
                let is_next = Arc::ptr_eq(&text, &unsure.from);
                self.points.push((Arc::clone(&text), way));
                let last = if is_next { last_sure(problem, unsure)? } else { text };
                problem.return_to(last);
                return Ok(true);
            }
            unsure = way;
        }
        Ok(false)
    }
}

/// The last sure text on a way that begins with a sure one and ends with one that is not.
fn last_sure(problem: &mut Problem<'_>, way: Way) -> Result<Arc<Text>, Stop> {
    let mut text = way.from;
    let mut steps = way.steps.as_slice();
    while steps.len() > 1 {
        let (first, second) = steps.split_at(steps.len() / 2);
        let middle = first.iter().fold(Arc::clone(&text), |text, step| Arc::new(text.apply(step)));
        if is_sure(problem, &middle, SURE)? {
            (text, steps) = (middle, second);
        } else {
            steps = first;
        }
    }
    Ok(text)
}

/// Asks about a text again, the given number of times.
fn is_sure(problem: &mut Problem<'_>, text: &Arc<Text>, times: u64) -> Result<bool, Stop> {
    let candidate = Candidate::unchanged(Arc::clone(text));
    for n in 2..2 + times {
        if problem.ask(&candidate, n)? != Answer::Yes {
            problem.note_flaky();
            return Ok(false);
        }
    }
    Ok(true)
}
