//! The search: asks about proposals in order, and makes the first accepted one the new base.
//!
//! A [`Proposer`] gives candidates one after the other on the assumption that those before are refused. The engine
//! looks each one up, drops what would not lower the order, keeps as many questions under way as the question
//! allows, and consumes the answers strictly in the order of the proposals. So the accepted steps are those of a
//! run with one job, and a question under way when a step is accepted is cancelled.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Problem;
use crate::candidate::Candidate;
use crate::checkpoints::SURE;
use crate::edit::Edits;
use crate::fingerprint::Key;
use crate::journal::Step;
use crate::question::{Answer, Stop, Ticket};
use crate::text::Text;

/// Gives candidates, as edits of the text as it is.
pub trait Proposer {
    /// The next candidate, assuming that all proposals without an answer yet are refused.
    fn propose(&mut self, text: &Text) -> Option<Edits>;

    /// The oldest proposal without an answer was refused.
    fn refused(&mut self) {}

    /// The oldest proposal without an answer was accepted and `text` is the new base. Later ones are withdrawn.
    fn accepted(&mut self, text: &Text, edits: &Edits);
}

/// A proposal that has not been consumed.
struct Open {
    candidate: Candidate,
    key: Key,
    state: State,
}

pub(super) enum State {
    /// Not lower than the base: refused without a question.
    Useless,
    Answered(Answer),
    /// Under way; nothing else may start beside one that is asked `alone`.
    Waiting {
        ticket: Ticket,
        alone: bool,
    },
    /// Timed out beside others: to be asked again alone when its turn comes.
    Slow,
}

impl Open {
    fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting { .. })
    }
}

impl Problem<'_> {
    /// Asks about everything that is proposed, in order.
    ///
    /// # Errors
    /// When the reduction must end. The best text so far stays.
    pub fn search(&mut self, proposer: &mut dyn Proposer) -> Result<(), Stop> {
        let mut open = VecDeque::new();
        let result = self.drive(proposer, &mut open);
        self.cancel(&mut open);
        result
    }

    fn drive(&mut self, proposer: &mut dyn Proposer, open: &mut VecDeque<Open>) -> Result<(), Stop> {
        let mut exhausted = false;
        loop {
            self.fill(proposer, open, &mut exhausted)?;
            let Some(front) = open.front() else { return Ok(()) };
            match front.state {
                State::Useless => {
                    open.pop_front();
                    proposer.refused();
                }
                State::Waiting { .. } => self.wait(open)?,
                State::Slow if open.iter().any(Open::is_waiting) => self.wait(open)?,
                State::Slow => {
                    let candidate = front.candidate.clone();
                    open[0].state = self.submit(&candidate, true)?;
                }
                State::Answered(answer) => {
                    let Some(front) = open.pop_front() else { return Ok(()) };
                    self.consume(front.key)?;
                    if answer == Answer::Yes && self.is_confirmed(&front, open)? && self.accept(&front)? {
                        self.cancel(open);
                        exhausted = false;
                        proposer.accepted(&self.text, front.candidate.edits());
                    } else {
                        proposer.refused();
                    }
                }
            }
        }
    }

    /// Takes proposals until enough questions are under way.
    fn fill(
        &mut self,
        proposer: &mut dyn Proposer,
        open: &mut VecDeque<Open>,
        exhausted: &mut bool,
    ) -> Result<(), Stop> {
        let width = self.question.width();
        // Answers that came early may pile up after a slow one, but not without end.
        let most = 8 * width;
        let is_asked_alone =
            |front: &Open| matches!(front.state, State::Slow | State::Waiting { alone: true, .. });
        if open.front().is_some_and(is_asked_alone) {
            return Ok(());
        }
        let mut under_way = open.iter().filter(|open| open.is_waiting()).count();
        // What is known already is consumed before anything is asked early: a resumed run asks nothing on its way.
        let is_ahead =
            |open: &VecDeque<Open>| open.front().is_some_and(Open::is_waiting) && open.len() < most;
        while !*exhausted && (open.is_empty() || width > 1 && under_way < width && is_ahead(open)) {
            let Some(edits) = proposer.propose(&self.text) else {
                *exhausted = true;
                return Ok(());
            };
            let candidate = Candidate::new(Arc::clone(&self.text), edits);
            let key = candidate.key();
            let state = if candidate.is_lower() == Some(false) || !self.may_ask(&candidate) {
                State::Useless
            } else if let Some(answer) = self.journal.known(key) {
                State::Answered(answer)
            } else if let Some(ticket) = ticket_of(open, key) {
                State::Waiting { ticket, alone: false }
            } else {
                under_way += 1;
                self.submit(&candidate, width == 1)?
            };
            open.push_back(Open { candidate, key, state });
        }
        Ok(())
    }

    pub(super) fn submit(&mut self, candidate: &Candidate, alone: bool) -> Result<State, Stop> {
        self.tickets += 1;
        self.question.submit(self.tickets, candidate)?;
        self.tally.runs += 1;
        Ok(State::Waiting { ticket: self.tickets, alone })
    }

    /// Waits for one answer and writes it down.
    fn wait(&mut self, open: &mut VecDeque<Open>) -> Result<(), Stop> {
        let (ticket, answer) = self.question.wait()?;
        let is_it = |state: &State| matches!(state, State::Waiting { ticket: other, .. } if *other == ticket);
        let Some(at) = open.iter().position(|open| is_it(&open.state)) else { return Ok(()) };
        let alone = matches!(open[at].state, State::Waiting { alone: true, .. });
        let key = open[at].key;
        let timed_out = answer == Answer::TimedOut;
        self.tally.timeouts += usize::from(timed_out);
        // A busy machine must not decide an answer.
        let counts = alone || !timed_out;
        if counts {
            self.journal.answered(key, answer)?;
        }
        for open in open.iter_mut().filter(|open| is_it(&open.state)) {
            open.state = if counts { State::Answered(answer) } else { State::Slow };
        }
        self.journal.progress(&self.status());
        Ok(())
    }

    /// Whether a yes can be relied on. Once the test is known to change its answers, it must say yes again and again:
    /// of many candidates that get a yes now and then, one would soon be taken by luck.
    fn is_confirmed(&mut self, front: &Open, open: &mut VecDeque<Open>) -> Result<bool, Stop> {
        /// Which repetitions of a question these are; those of the reducer come before.
        const FIRST: u64 = 10;
        if !self.is_flaky() {
            return Ok(true);
        }
        while open.iter().any(Open::is_waiting) {
            self.wait(open)?;
        }
        for n in FIRST..FIRST + SURE - 1 {
            if self.ask(&front.candidate, n)? != Answer::Yes {
                self.note_flaky();
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts a question whose answer was needed.
    pub(super) fn consume(&mut self, key: Key) -> Result<(), Stop> {
        if self.consumed.insert(key) {
            if self.settings.max_questions.is_some_and(|most| self.questions >= most) {
                return Err(Stop::QuestionLimit);
            }
            self.questions += 1;
            self.tally.of(self.pass).questions += 1;
        }
        Ok(())
    }

    /// Makes an interesting candidate the base, if it is lower.
    fn accept(&mut self, open: &Open) -> Result<bool, Stop> {
        let text = self.text.apply(open.candidate.edits());
        if open.candidate.is_lower().is_none() && text.size() >= self.text.size() {
            return Ok(false);
        }
        let edits = open.candidate.edits();
        self.way.push(edits);
        if self.best.as_ref().is_some_and(|best| text.size() >= best.size()) {
            self.text = Arc::new(text);
            return Ok(true);
        }
        let (before, edit) = match self.best.take() {
            Some(best) => (best.size(), format!("in an earlier text: {edits}")),
            None => (self.text.size(), edits.to_string()),
        };
        let row = self.tally.of(self.pass);
        row.accepted += 1;
        row.bytes += before.bytes as i64 - text.size().bytes as i64;
        row.tokens += before.tokens as i64 - text.size().tokens as i64;
        self.steps += 1;
        self.text = Arc::new(text);
        let step =
            Step { n: self.steps, pass: self.pass, edit, size: self.text.size(), questions: self.questions };
        self.journal.accepted(&step, &self.text)?;
        self.note_errors();
        Ok(true)
    }

    fn cancel(&mut self, open: &mut VecDeque<Open>) {
        for open in open.drain(..) {
            if let State::Waiting { ticket, .. } = open.state {
                self.question.cancel(ticket);
            }
        }
    }
}

fn ticket_of(open: &VecDeque<Open>, key: Key) -> Option<Ticket> {
    open.iter().filter(|open| open.key == key).find_map(|open| match open.state {
        State::Waiting { ticket, .. } => Some(ticket),
        _ => None,
    })
}
