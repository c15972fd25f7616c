//! The schedule: which pass runs when, until nothing gets smaller.

use std::sync::Arc;

use crate::candidate::Candidate;
use crate::edit::Edits;
use crate::journal::Journal;
use crate::measure::Size;
use crate::minimize::{Halving, Minimizer};
use crate::passes::{PASSES, Pass, When};
use crate::problem::{Guard, Problem};
use crate::question::{Answer, Question, Stop};
use crate::report::Tally;
use crate::text::Text;

/// What is done as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// ddmin over lines and nothing else.
    DdminLines,
    /// ddmin over tokens and nothing else.
    DdminTokens,
    /// All passes.
    #[default]
    Full,
}

/// Reduces texts. Build one, then [`run`](Self::run) it.
pub struct Reducer<'a> {
    algorithm: Algorithm,
    fixpoint: bool,
    minimizer: &'a dyn Minimizer,
    passes: Vec<&'a dyn Pass>,
    guard: Option<&'a dyn Guard>,
    beyond_guard: bool,
    max_questions: Option<usize>,
}

/// The test says no to the original, so there is nothing to keep.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refused {
    /// It answered, and not with yes.
    #[error("the test does not say yes to the original ({0:?})")]
    Answer(Answer),
    /// It could not be asked.
    #[error("the test could not be asked about the original")]
    Stopped(Stop),
}

/// A reduced text, and how it came about.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The best text found.
    pub text: Arc<Text>,
    /// The size of the original.
    pub before: Size,
    /// Why it ended early, if it did.
    pub stopped: Option<Stop>,
    /// Questions whose answer was needed.
    pub questions: usize,
    /// Accepted steps.
    pub steps: usize,
    /// Whether the empty text is interesting, which is nearly always a mistake in the test.
    pub empty_is_interesting: bool,
    /// Whether the result was asked about once more at the end, and the test said yes again; also true if time
    /// or questions were used up before that.
    pub confirmed: bool,
    /// Counts by pass.
    pub tally: Tally,
}

impl Default for Reducer<'_> {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Full,
            fixpoint: true,
            minimizer: &Halving,
            passes: PASSES.to_vec(),
            guard: None,
            beyond_guard: false,
            max_questions: None,
        }
    }
}

impl<'a> Reducer<'a> {
    /// Chooses what is done as a whole.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Whether to repeat all passes until a round brings nothing; else there is one round.
    #[must_use]
    pub fn fixpoint(self, fixpoint: bool) -> Self {
        Self { fixpoint, ..self }
    }

    /// Chooses how lists are minimized.
    #[must_use]
    pub fn minimizer(self, minimizer: &'a dyn Minimizer) -> Self {
        Self { minimizer, ..self }
    }

    /// Chooses the passes, in their order.
    #[must_use]
    pub fn with_passes(self, passes: Vec<&'a dyn Pass>) -> Self {
        Self { passes, ..self }
    }

    /// Asks nothing that the guard does not allow. Passes that do not keep the grammar by themselves then run late, and
    /// only once the text is small enough to be watched.
    #[must_use]
    pub fn guard(self, guard: Option<&'a dyn Guard>) -> Self {
        Self { guard, ..self }
    }

    /// Whether to go on without the guard when a round takes no token away any more: the passes that need it run once
    /// more without it, and if they find something the rounds go on. At the very end they also run, for some questions,
    /// on an earlier text that was not much longer: where the guard led need not be the smallest. While the guard has no
    /// say they run without it.
    #[must_use]
    pub fn beyond_guard(self, beyond_guard: bool) -> Self {
        Self { beyond_guard, ..self }
    }

    /// Ends after so many questions.
    #[must_use]
    pub fn max_questions(self, max_questions: Option<usize>) -> Self {
        Self { max_questions, ..self }
    }

    /// Makes a text smaller.
    ///
    /// # Errors
    /// When the test does not say yes to the text as it is.
    pub fn run(
        &self,
        text: Text,
        question: &mut dyn Question,
        journal: &mut dyn Journal,
    ) -> Result<Reduction, Refused> {
        let mut problem = Problem::new(text, question, journal, self.minimizer, self.max_questions);
        let original = problem.shared_text();
        match problem.ask(&Candidate::unchanged(Arc::clone(&original)), 0) {
            Ok(Answer::Yes) => {}
            Ok(answer) => return Err(Refused::Answer(answer)),
            Err(stop) => return Err(Refused::Stopped(stop)),
        }
        let mut checkpoints = Checkpoints::new(Arc::clone(&original));
        let mut empty_is_interesting = false;
        let stopped = match try_empty(&mut problem) {
            Ok(true) => {
                empty_is_interesting = true;
                None
            }
            Ok(false) => self.rounds(&mut problem, &mut checkpoints).err(),
            Err(stop) => Some(stop),
        };
        let confirmed = !matches!(stopped, Some(Stop::Broken(_) | Stop::Interrupted))
            && checkpoints.confirm(&mut problem).unwrap_or_else(|stop| {
                // No time to ask once more: the yes that made it the best text stands.
                matches!(stop, Stop::TimeUp | Stop::QuestionLimit)
            });
        Ok(Reduction {
            text: problem.shared_text(),
            before: original.size(),
            stopped,
            questions: problem.questions(),
            steps: problem.steps(),
            empty_is_interesting,
            confirmed,
            tally: problem.into_tally(),
        })
    }

    fn rounds(&self, problem: &mut Problem<'a>, checkpoints: &mut Checkpoints) -> Result<(), Stop> {
        for round in 1.. {
            let (steps, tokens) = (problem.steps(), problem.text().size().tokens);
            match self.algorithm {
                Algorithm::DdminLines => {
                    problem.begin_pass("lines", round, true);
                    crate::passes::ddmin_lines(problem)?;
                    checkpoints.look_again(problem, steps)?;
                }
                Algorithm::DdminTokens => {
                    problem.begin_pass("tokens", round, true);
                    crate::passes::ddmin_tokens(problem)?;
                    checkpoints.look_again(problem, steps)?;
                }
                Algorithm::Full => self.round(problem, round, checkpoints)?,
            }
            // Shorter names and less space alone do not make the guarded passes find more: another round of them comes
            // after what the guard kept from being asked.
            let is_stuck = problem.text().size().tokens == tokens;
            if self.fixpoint && self.beyond_guard && self.guard.is_some() && is_stuck {
                self.clean_up(problem, round, checkpoints)?;
            }
            let binds = self.beyond_guard && self.guard.is_some_and(Guard::has_say);
            if self.fixpoint && binds && problem.steps() == steps {
                self.descend_again(problem, round, checkpoints)?;
            }
            if !self.fixpoint || problem.steps() == steps {
                break;
            }
        }
        Ok(())
    }

    /// The last clean-up: what the guard kept from being asked.
    fn clean_up(
        &self,
        problem: &mut Problem<'a>,
        round: usize,
        checkpoints: &mut Checkpoints,
    ) -> Result<(), Stop> {
        problem.guard(None);
        for pass in self.passes.iter().filter(|pass| !pass.keeps_grammar()) {
            problem.begin_pass(pass.name(), round, true);
            let steps = problem.steps();
            pass.run(problem)?;
            checkpoints.look_again(problem, steps)?;
        }
        Ok(())
    }

    /// The last clean-up once more, from the first text on the way that was not much longer than the best one: from
    /// there on the guard kept the search within the language, and another way down may be the better one.
    fn descend_again(
        &self,
        problem: &mut Problem<'a>,
        round: usize,
        checkpoints: &mut Checkpoints,
    ) -> Result<(), Stop> {
        /// How many times as long as the best text it may be.
        const LONGER: usize = 4;
        /// For each token of the text to begin with.
        const QUESTIONS: usize = 3;
        if std::mem::replace(&mut checkpoints.has_descended, true) || problem.is_flaky() {
            return Ok(());
        }
        let most = LONGER * problem.text().size().tokens;
        let start = checkpoints.texts.iter().find(|text| text.size().tokens <= most);
        let Some(start) = start.filter(|start| start.size() > problem.text().size()).cloned() else {
            return Ok(());
        };
        let questions = QUESTIONS * start.size().tokens;
        problem.descend_from(start, questions, |problem| self.clean_up(problem, round, checkpoints))
    }

    /// One round. Late passes wait while the others still take away a good part of the text.
    fn round(
        &self,
        problem: &mut Problem<'a>,
        round: usize,
        checkpoints: &mut Checkpoints,
    ) -> Result<(), Stop> {
        let before = problem.text().size().tokens;
        for pass in &self.passes {
            let gained = before - problem.text().size().tokens.min(before);
            let closing = !self.fixpoint || gained * 10 <= before;
            let binds = |guard: &&dyn Guard| !self.beyond_guard || guard.has_say();
            let guard = self.guard.filter(|_| !pass.keeps_grammar()).filter(binds);
            let is_late = pass.when() == When::Late || guard.is_some();
            let unwatched = guard.is_some_and(|guard| !guard.can_watch(problem.text()));
            if is_late && !closing || unwatched {
                continue;
            }
            problem.guard(guard);
            problem.begin_pass(pass.name(), round, closing);
            let steps = problem.steps();
            pass.run(problem)?;
            checkpoints.look_again(problem, steps)?;
        }
        Ok(())
    }
}

/// Asks about the empty text, which is taken if it is interesting.
fn try_empty(problem: &mut Problem<'_>) -> Result<bool, Stop> {
    problem.begin_pass("empty", 0, true);
    let ranges = problem.text().parts().iter().map(|part| crate::edit::Edit::delete(part.range.clone()));
    let edits = Edits::new(ranges.collect());
    problem.attempt(edits)
}

/// Texts that got a second yes, to go back to when a test turns out to change its answers.
struct Checkpoints {
    texts: Vec<Arc<Text>>,
    /// How often it went back.
    returns: usize,
    /// Whether there was a second descent from one of them.
    has_descended: bool,
}

impl Checkpoints {
    /// More returns than this would not help: the test is no test.
    const MOST_RETURNS: usize = 4;

    fn new(original: Arc<Text>) -> Checkpoints {
        Checkpoints { texts: vec![original], returns: 0, has_descended: false }
    }

    /// Asks about the best text once more, if there was a step since `steps`.
    fn look_again(&mut self, problem: &mut Problem<'_>, steps: usize) -> Result<(), Stop> {
        if problem.steps() == steps {
            return Ok(());
        }
        let text = problem.shared_text();
        if problem.ask(&Candidate::unchanged(Arc::clone(&text)), 1)? == Answer::Yes {
            self.texts.push(text);
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
    fn confirm(&mut self, problem: &mut Problem<'_>) -> Result<bool, Stop> {
        if is_sure(problem, &problem.shared_text())? {
            return Ok(true);
        }
        while let Some(text) = self.texts.pop() {
            if is_sure(problem, &text)? {
                problem.return_to(Arc::clone(&text));
                self.texts.push(text);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Asks about a text once more; three times if the test is known to change its answers.
fn is_sure(problem: &mut Problem<'_>, text: &Arc<Text>) -> Result<bool, Stop> {
    let candidate = Candidate::unchanged(Arc::clone(text));
    let times = if problem.is_flaky() { 3 } else { 1 };
    for n in 2..2 + times {
        if problem.ask(&candidate, n)? != Answer::Yes {
            problem.note_flaky();
            return Ok(false);
        }
    }
    Ok(true)
}
