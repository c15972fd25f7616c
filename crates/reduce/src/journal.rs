//! The journal: what was asked, and what to resume from.
//!
//! Reduction is a function of the input, the options and the answers. So to resume is to reduce again from the
//! start with the answers of the journal: every step is repeated without asking, until the first question that has
//! no answer yet. A journal that keeps each answer as it comes loses only what was under way.

use rustc_hash::FxHashMap;

use crate::fingerprint::Key;
use crate::measure::Size;
use crate::question::{Answer, Stop};
use crate::text::Text;

/// An accepted step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Counts accepted steps from 1.
    pub n: usize,
    /// The pass that proposed it.
    pub pass: &'static str,
    /// What was changed, for people.
    pub edit: String,
    /// The size now.
    pub size: Size,
    /// Questions so far: candidates whose answer was needed. Not changed by early answers or by a resume.
    pub questions: usize,
}

/// What is going on, for a progress line.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// The size at the start.
    pub before: Size,
    /// The size now.
    pub now: Size,
    /// Questions so far.
    pub questions: usize,
    /// The pass under way.
    pub pass: &'static str,
    /// The round, from 1.
    pub round: usize,
}

/// Keeps answers and watches steps.
pub trait Journal {
    /// The answer to a question, if it is known.
    fn known(&self, key: Key) -> Option<Answer>;

    /// Keeps an answer.
    ///
    /// # Errors
    /// When it cannot be kept and the reduction must end.
    fn answered(&mut self, key: Key, answer: Answer) -> Result<(), Stop>;

    /// A step was accepted; `text` is the best so far.
    ///
    /// # Errors
    /// When it cannot be kept and the reduction must end.
    fn accepted(&mut self, step: &Step, text: &Text) -> Result<(), Stop>;

    /// Something was answered. Called often.
    fn progress(&mut self, _status: &Status) {}
}

/// A journal that forgets everything at its end.
#[derive(Debug, Default)]
pub struct Memory {
    answers: FxHashMap<Key, Answer>,
    /// All accepted steps.
    pub steps: Vec<Step>,
}

impl Journal for Memory {
    fn known(&self, key: Key) -> Option<Answer> {
        self.answers.get(&key).copied()
    }

    fn answered(&mut self, key: Key, answer: Answer) -> Result<(), Stop> {
        self.answers.insert(key, answer);
        Ok(())
    }

    fn accepted(&mut self, step: &Step, _text: &Text) -> Result<(), Stop> {
        self.steps.push(step.clone());
        Ok(())
    }
}
