//! The engine: what is reduced, how far it is, and how a pass asks about changes ([`search`]).

mod search;

use std::sync::Arc;

use rustc_hash::FxHashSet;

pub use search::Proposer;

use crate::candidate::Candidate;
use crate::checkpoints::Way;
use crate::edit::Edits;
use crate::fingerprint::Key;
use crate::journal::{Journal, Status};
use crate::list::{Elements, Follow, ListSearch, Run};
use crate::measure::Size;
use crate::minimize::{Minimizer, Windows};
use crate::passes::{Pass, Work};
use crate::question::{Answer, Question, Stop, Ticket};
use crate::report::Tally;
use crate::text::Text;
use crate::tree::Language;

/// What a user may choose.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub(crate) minimizer: &'a dyn Minimizer,
    pub(crate) max_questions: Option<usize>,
    /// How many levels below a node to look for what could take its place.
    pub(crate) hoist_depth: Option<u32>,
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
    settings: Settings<'a>,
    /// The language of the text, except while a pass by tree has it.
    language: Option<&'a mut Language>,
    /// Whether candidates are parsed before they are asked about.
    is_checked: bool,
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

impl<'a> Problem<'a> {
    pub(crate) fn new(
        text: Text,
        language: Option<&'a mut Language>,
        question: &'a mut dyn Question,
        journal: &'a mut dyn Journal,
        settings: Settings<'a>,
    ) -> Self {
        let before = text.size();
        let text = Arc::new(text);
        Self {
            way: Way::from(Arc::clone(&text)),
            text,
            best: None,
            question,
            journal,
            settings,
            language,
            is_checked: false,
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
        self.settings.minimizer
    }

    /// How many levels below a node to look for what could take its place.
    #[must_use]
    pub fn hoist_depth(&self) -> Option<u32> {
        self.settings.hoist_depth
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

    /// Runs a pass; one by tree only if there is a language.
    pub(crate) fn run(&mut self, pass: &Pass) -> Result<(), Stop> {
        match pass.work {
            Work::Text(run) => run(self),
            Work::Tree(run) => {
                let Some(language) = self.language.take() else { return Ok(()) };
                let result = run(language, self);
                self.language = Some(language);
                result
            }
        }
    }

    pub(crate) fn has_language(&self) -> bool {
        self.language.is_some()
    }

    /// Whether a file had a tree that is of use when it was last looked at.
    pub(crate) fn has_tree(&self) -> bool {
        self.language.as_ref().is_some_and(|language| language.has_tree())
    }

    /// Whether the text is short enough for every candidate to be parsed.
    pub(crate) fn can_check(&self) -> bool {
        self.language.as_ref().is_some_and(|language| language.can_check(&self.text))
    }

    /// Whether what follows is asked about only if it is in the language.
    pub(crate) fn stay_in_language(&mut self, is_checked: bool) {
        self.is_checked = is_checked;
        self.note_errors();
    }

    /// Notes the errors of the text, if candidates are compared with it.
    fn note_errors(&mut self) {
        if let Some(language) = self.language.as_mut().filter(|_| self.is_checked) {
            language.note_errors(&self.text);
        }
    }

    /// Whether a candidate may be asked about.
    fn may_ask(&mut self, candidate: &Candidate) -> bool {
        let language = self.language.as_mut().filter(|_| self.is_checked);
        language.is_none_or(|language| language.allows(candidate))
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

    /// Searches from an earlier text, for at most `questions` questions. Its steps count from the first on that comes below the
    /// best text; if there is none, the best text stays as it was.
    pub(crate) fn descend_from(
        &mut self,
        text: Arc<Text>,
        questions: usize,
        search: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let limit = self.settings.max_questions;
        let most = self.questions + questions;
        self.settings.max_questions = Some(limit.map_or(most, |limit| limit.min(most)));
        self.best = Some(Arc::clone(&self.text));
        self.return_to(text);
        let result = search(self);
        self.settings.max_questions = limit;
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
        self.minimize_by(self.minimizer(), list, &mut ())
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
