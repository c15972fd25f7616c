//! The question: is this candidate still interesting?
//!
//! Everything a reducer learns about its input comes through this trait. It is built for several questions at a time:
//! the engine submits what it is likely to ask next (on the assumption that what is under way is refused) and
//! consumes the answers in order, so early answers save time and change nothing.

use std::collections::VecDeque;

use crate::candidate::Candidate;

/// Names a question that is under way.
pub type Ticket = u64;

/// What the test said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The candidate is interesting.
    Yes,
    /// It is not.
    No,
    /// The test was stopped after its time. It counts as no, but is asked again alone if others ran beside it.
    TimedOut,
}

/// Why a reduction ended before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The user asked to stop.
    #[error("the user asked to stop")]
    Interrupted,
    /// The time of the whole reduction is over.
    #[error("the time of the reduction is over")]
    TimeUp,
    /// As many questions were asked as allowed.
    #[error("as many questions were asked as allowed")]
    QuestionLimit,
    /// The question or the journal does not work any more; the text says why.
    #[error("{0}")]
    Broken(String),
}

/// Answers questions about candidates.
pub trait Question {
    /// How many questions may be under way at once.
    fn width(&self) -> usize {
        1
    }

    /// Starts to answer. Never more than [`Self::width`] questions are open.
    ///
    /// # Errors
    /// When no answer will come and the reduction must end.
    fn submit(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), Stop>;

    /// Waits for an answer to one of the open questions.
    ///
    /// # Errors
    /// When the reduction must end.
    fn wait(&mut self) -> Result<(Ticket, Answer), Stop>;

    /// Forgets an open question.
    fn cancel(&mut self, ticket: Ticket);
}

/// A question answered by a closure.
#[derive(Debug)]
pub struct Closure<F> {
    answer: F,
    answered: VecDeque<(Ticket, Answer)>,
}

/// Makes a question of a closure.
pub fn ask<F: FnMut(&Candidate) -> bool>(answer: F) -> Closure<F> {
    Closure { answer, answered: VecDeque::new() }
}

impl<F: FnMut(&Candidate) -> bool> Question for Closure<F> {
    fn submit(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), Stop> {
        let answer = if (self.answer)(candidate) { Answer::Yes } else { Answer::No };
        self.answered.push_back((ticket, answer));
        Ok(())
    }

    fn wait(&mut self) -> Result<(Ticket, Answer), Stop> {
        self.answered.pop_front().ok_or_else(|| Stop::Broken("waited without an open question".to_owned()))
    }

    fn cancel(&mut self, ticket: Ticket) {
        self.answered.retain(|(open, _)| *open != ticket);
    }
}
