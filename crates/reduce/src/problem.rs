//! The engine: asks about proposals in order, and makes the first accepted one the new base.
//!
//! A [`Proposer`] gives candidates one after the other on the assumption that those before are refused. The engine
//! looks each one up, drops what would not lower the order, keeps as many questions under way as the question
//! allows, and consumes the answers strictly in the order of the proposals. So the accepted steps are those of a
//! run with one job, and a question under way when a step is accepted is cancelled.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::candidate::Candidate;
use crate::checkpoints::{SURE, Way};
use crate::edit::Edits;
use crate::fingerprint::Key;
use crate::journal::{Journal, Status, Step};
use crate::list::{Elements, Follow, ListSearch, Run};
use crate::measure::Size;
use crate::minimize::{Minimizer, Windows};
use crate::question::{Answer, Question, Stop, Ticket};
use crate::report::Tally;
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

/// Keeps candidates from being asked that cannot be interesting, such as texts outside a language.
pub trait Guard: Sync {
    /// Whether it knows enough of the text as it was last looked at to keep candidates from being asked.
    fn has_say(&self) -> bool;
    /// Whether a text is small enough for every candidate to be looked at.
    fn can_watch(&self, text: &Text) -> bool;
    /// The best text so far is this one.
    fn watch(&self, text: &Text);
    /// Whether a candidate may be asked.
    fn allows(&self, candidate: &Candidate) -> bool;
}

/// What is reduced, and how far it is.
pub struct Problem<'a> {
    text: Arc<Text>,
    /// The best text, while a descent from an earlier one has not come below it.
    best: Option<Arc<Text>>,
    /// The steps to the text since someone asked for them.
    way: Way,
    question: &'a mut dyn Question,
    journal: &'a mut dyn Journal,
    minimizer: &'a dyn Minimizer,
    /// Asked before any question, while a pass runs that needs it.
    guard: Option<&'a dyn Guard>,
    max_questions: Option<usize>,
    before: Size,
    pass: &'static str,
    round: usize,
    closing: bool,
    questions: usize,
    steps: usize,
    tickets: Ticket,
    consumed: FxHashSet<Key>,
    tally: Tally,
}

/// A proposal that has not been consumed.
struct Open {
    candidate: Candidate,
    key: Key,
    state: State,
}

enum State {
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

impl<'a> Problem<'a> {
    pub(crate) fn new(
        text: Text,
        question: &'a mut dyn Question,
        journal: &'a mut dyn Journal,
        minimizer: &'a dyn Minimizer,
        max_questions: Option<usize>,
    ) -> Self {
        let before = text.size();
        let text = Arc::new(text);
        Self {
            way: Way::from(Arc::clone(&text)),
            text,
            best: None,
            question,
            journal,
            minimizer,
            guard: None,
            max_questions,
            before,
            pass: "start",
            round: 0,
            closing: true,
            questions: 0,
            steps: 0,
            tickets: 0,
            consumed: FxHashSet::default(),
            tally: Tally::default(),
        }
    }

    /// The best text so far.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The same, to keep.
    #[must_use]
    pub fn shared_text(&self) -> Arc<Text> {
        Arc::clone(&self.text)
    }

    /// The minimizer that the user chose for lists.
    #[must_use]
    pub fn minimizer(&self) -> &'a dyn Minimizer {
        self.minimizer
    }

    /// Accepted steps so far.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Questions so far.
    #[must_use]
    pub fn questions(&self) -> usize {
        self.questions
    }

    /// The round, from 1.
    #[must_use]
    pub fn round(&self) -> usize {
        self.round
    }

    /// Whether little has happened in this round, so that single elements should be tried until none can go.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    pub(crate) fn begin_pass(&mut self, pass: &'static str, round: usize, closing: bool) {
        self.pass = pass;
        self.round = round;
        self.closing = closing;
    }

    /// What follows is watched by this guard, or by none.
    pub(crate) fn guard(&mut self, guard: Option<&'a dyn Guard>) {
        if let Some(guard) = guard {
            guard.watch(&self.text);
        }
        self.guard = guard;
    }

    pub(crate) fn into_tally(self) -> Tally {
        self.tally
    }

    pub(crate) fn return_to(&mut self, text: Arc<Text>) {
        self.text = text;
        self.take_way();
    }

    /// The steps to the text since the last call, or since the text became another one.
    pub(crate) fn take_way(&mut self) -> Way {
        std::mem::replace(&mut self.way, Way::from(Arc::clone(&self.text)))
    }

    /// Searches from an earlier text, for so many questions. Its steps count from the first on that comes below the
    /// best text; if there is none, the best text stays as it was.
    pub(crate) fn descend_from(
        &mut self,
        text: Arc<Text>,
        questions: usize,
        search: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let limit = self.max_questions;
        let most = self.questions + questions;
        self.max_questions = Some(limit.map_or(most, |limit| limit.min(most)));
        self.best = Some(Arc::clone(&self.text));
        self.return_to(text);
        let result = search(self);
        self.max_questions = limit;
        if let Some(best) = self.best.take() {
            self.return_to(best);
        }
        match result {
            Err(Stop::QuestionLimit) if limit.is_none_or(|limit| self.questions < limit) => Ok(()),
            result => result,
        }
    }

    /// Minimizes a list by the user's minimizer and gives what is left of it.
    ///
    /// # Errors
    /// When the reduction must end.
    pub fn minimize(&mut self, list: Run) -> Result<Run, Stop> {
        self.minimize_by(self.minimizer, list, &mut ())
    }

    /// Minimizes elements by a given minimizer; `others` follow the changes of the text.
    ///
    /// # Errors
    /// When the reduction must end.
    pub fn minimize_by<E: Elements>(
        &mut self,
        minimizer: &dyn Minimizer,
        elements: E,
        others: &mut dyn Follow,
    ) -> Result<E, Stop> {
        let mut search = ListSearch::new(elements, minimizer, others);
        self.search(&mut search)?;
        Ok(search.elements)
    }

    /// Tries each element once, from the last to the first.
    ///
    /// # Errors
    /// When the reduction must end.
    pub fn sweep<E: Elements>(&mut self, elements: E) -> Result<E, Stop> {
        self.minimize_by(&Windows(1), elements, &mut ())
    }

    /// Asks about one change and makes it if the answer is yes.
    ///
    /// # Errors
    /// When the reduction must end.
    pub fn attempt(&mut self, edits: Option<Edits>) -> Result<bool, Stop> {
        struct Once(Option<Edits>, bool);
        impl Proposer for Once {
            fn propose(&mut self, _text: &Text) -> Option<Edits> {
                self.0.take()
            }
            fn accepted(&mut self, _text: &Text, _edits: &Edits) {
                self.1 = true;
            }
        }
        let mut once = Once(edits, false);
        self.search(&mut once)?;
        Ok(once.1)
    }

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
                    if answer == Answer::Yes && self.stands(&front, open)? && self.accept(&front)? {
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
        // Answers that came early may pile up behind a slow one, but not without end.
        let most = 8 * width;
        if open
            .front()
            .is_some_and(|front| matches!(front.state, State::Slow | State::Waiting { alone: true, .. }))
        {
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
            let state = if candidate.is_lower() == Some(false)
                || self.guard.is_some_and(|guard| !guard.allows(&candidate))
            {
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

    fn submit(&mut self, candidate: &Candidate, alone: bool) -> Result<State, Stop> {
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
    fn stands(&mut self, front: &Open, open: &mut VecDeque<Open>) -> Result<bool, Stop> {
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
    fn consume(&mut self, key: Key) -> Result<(), Stop> {
        if self.consumed.insert(key) {
            if self.max_questions.is_some_and(|most| self.questions >= most) {
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
        if let Some(guard) = self.guard {
            guard.watch(&self.text);
        }
        Ok(true)
    }

    fn cancel(&mut self, open: &mut VecDeque<Open>) {
        for open in open.drain(..) {
            if let State::Waiting { ticket, .. } = open.state {
                self.question.cancel(ticket);
            }
        }
    }

    fn status(&self) -> Status {
        let Self { before, questions, pass, round, .. } = *self;
        let now = self.best.as_ref().unwrap_or(&self.text).size();
        Status { before, now, questions, pass, round }
    }

    /// Asks about a candidate outside of any search; the `n`-th time about the same one. Counts as a question only
    /// when `n` is 0.
    pub(crate) fn ask(&mut self, candidate: &Candidate, n: u64) -> Result<Answer, Stop> {
        let key = if n == 0 { candidate.key() } else { candidate.key().repeated(n) };
        let answer = match self.journal.known(key) {
            Some(answer) => answer,
            None => {
                self.submit(candidate, true)?;
                let (_, answer) = self.question.wait()?;
                self.journal.answered(key, answer)?;
                answer
            }
        };
        match n {
            0 => self.consume(key)?,
            _ => self.tally.checks += 1,
        }
        Ok(answer)
    }

    /// Whether the test was seen to change an answer.
    pub(crate) fn is_flaky(&self) -> bool {
        self.tally.flaky > 0
    }

    pub(crate) fn note_flaky(&mut self) {
        self.tally.flaky += 1;
    }
}

fn ticket_of(open: &VecDeque<Open>, key: Key) -> Option<Ticket> {
    open.iter().filter(|open| open.key == key).find_map(|open| match open.state {
        State::Waiting { ticket, .. } => Some(ticket),
        _ => None,
    })
}
