//! Makes the test of a failure smaller, with the campaign's oracles as the question.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use polysmith_reduce::tree::Language;
use polysmith_reduce::{Answer, Beyond, Candidate, Memory, Question, Reducer, Stop, Text, Ticket};

use crate::halt::Halt;
use crate::oracle::{Care, Oracle, Verdict, judge};
use crate::panel::Panel;

/// How failures are reduced. The bounds hold for each failure.
pub struct ReductionPlan {
    /// The language of the tests; plain text if there is none.
    pub language: Option<Language>,
    /// Questions, at most.
    pub max_questions: usize,
    /// Wall time, at most.
    pub max_time: Duration,
}

impl fmt::Debug for ReductionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReductionPlan")
            .field("max_questions", &self.max_questions)
            .field("max_time", &self.max_time)
            .finish_non_exhaustive()
    }
}

/// Asks whether a candidate fails with the same signature.
pub(crate) struct SameFailure<'a> {
    panel: &'a mut Panel,
    oracles: &'a [Box<dyn Oracle>],
    key: &'a str,
    deadline: Instant,
    halt: &'a Halt<'a>,
    answered: Option<(Ticket, Answer)>,
    /// Whether the time was over or the campaign ended before the reduction did.
    is_cut: bool,
    error: Option<io::Error>,
}

impl<'a> SameFailure<'a> {
    pub(crate) fn new(
        panel: &'a mut Panel,
        oracles: &'a [Box<dyn Oracle>],
        key: &'a str,
        plan: &ReductionPlan,
        halt: &'a Halt<'a>,
    ) -> Self {
        let own = Instant::now() + plan.max_time;
        let deadline = halt.deadline.map_or(own, |deadline| deadline.min(own));
        Self { panel, oracles, key, deadline, halt, answered: None, is_cut: false, error: None }
    }
}

impl Question for SameFailure<'_> {
    fn submit(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), Stop> {
        let answer = match judge(self.panel, self.oracles, &candidate.bytes(), Care::Quick) {
            Ok((_, Verdict::Failed(failure))) if failure.signature.key() == self.key => Answer::Yes,
            Ok(_) => Answer::No,
            Err(error) => {
                let stop = Stop::Broken(error.to_string());
                self.error = Some(error);
                return Err(stop);
            }
        };
        self.answered = Some((ticket, answer));
        Ok(())
    }

    fn wait(&mut self) -> Result<(Ticket, Answer), Stop> {
        if self.halt.is_set() {
            self.is_cut = true;
            return Err(Stop::Interrupted);
        }
        if Instant::now() >= self.deadline {
            self.is_cut = true;
            return Err(Stop::TimeUp);
        }
        self.answered.take().ok_or_else(|| Stop::Broken("waited without an open question".to_owned()))
    }

    fn cancel(&mut self, _: Ticket) {
        self.answered = None;
    }
}

/// What a reduction came to.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    /// The smallest test that was found; `None` if nothing smaller was.
    pub(crate) test: Option<Vec<u8>>,
    /// Whether it was cut off: the test may be far from the smallest.
    pub(crate) is_cut: bool,
}

/// Makes a test smaller as long as the answer is yes.
pub(crate) fn reduce(
    test: &[u8],
    mut question: SameFailure<'_>,
    plan: &ReductionPlan,
) -> io::Result<Reduced> {
    let Ok(text) = Text::new(&[test]) else { return Ok(Reduced::default()) };
    let reducer = Reducer::default().beyond_language(Beyond::Never).max_questions(Some(plan.max_questions));
    let mut language = plan.language.clone();
    let reduction = reducer.run_by(language.as_mut(), text, &mut question, &mut Memory::default());
    if let Some(error) = question.error {
        return Err(error);
    }
    // A first answer that is no: the failure needs a fresh process for each test. The original is kept.
    let smaller = reduction.ok().map(|reduction| reduction.text.bytes().to_vec());
    Ok(Reduced { test: smaller.filter(|bytes| bytes.len() < test.len()), is_cut: question.is_cut })
}
