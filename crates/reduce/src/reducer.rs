//! The schedule: which pass runs when, until nothing gets smaller.

use std::sync::Arc;

use crate::candidate::Candidate;
use crate::checkpoints::Checkpoints;
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
    /// more without it, and if they find something the rounds go on. Once they also run, for some questions, on an
    /// earlier text that was not much longer: where the guard led need not be the smallest. That comes at the very end, or
    /// as soon as a round takes little away if it is short. While the guard has no
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
        /// A second way down of at most so many questions need not wait for the end.
        const SHORT: usize = 300;
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
            let left = problem.text().size().tokens;
            let binds = self.fixpoint && self.beyond_guard && self.guard.is_some_and(Guard::has_say);
            if binds && takes_little(tokens, left) {
                self.descend_again(problem, round, checkpoints, Some(SHORT))?;
            }
            // Shorter names and less space alone do not make the guarded passes find more: another round of them comes
            // after what the guard kept from being asked.
            let is_stuck = problem.text().size().tokens == tokens;
            if self.fixpoint && self.beyond_guard && self.guard.is_some() && is_stuck {
                self.clean_up(problem, round, checkpoints)?;
            }
            if binds && problem.steps() == steps {
                self.descend_again(problem, round, checkpoints, None)?;
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
    /// there on the guard kept the search within the language, and another way down may be the better one. Done once,
    /// and only if it takes at most `most` questions.
    fn descend_again(
        &self,
        problem: &mut Problem<'a>,
        round: usize,
        checkpoints: &mut Checkpoints,
        most: Option<usize>,
    ) -> Result<(), Stop> {
        /// How many times as long as the best text it may be.
        const LONGER: usize = 4;
        /// For each token of the text to begin with.
        const QUESTIONS: usize = 3;
        let longest = LONGER * problem.text().size().tokens;
        let start = checkpoints.texts().find(|text| text.size().tokens <= longest);
        let Some(start) = start.filter(|start| start.size() > problem.text().size()).cloned() else {
            return Ok(());
        };
        let questions = QUESTIONS * start.size().tokens;
        if most.is_some_and(|most| questions > most) || problem.is_flaky() || checkpoints.has_descended() {
            return Ok(());
        }
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
            let closing = !self.fixpoint || takes_little(before, problem.text().size().tokens);
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

/// Whether from so many tokens to so many is a tenth or less.
fn takes_little(before: usize, after: usize) -> bool {
    before.saturating_sub(after) * 10 <= before
}

/// Asks about the empty text, which is taken if it is interesting.
fn try_empty(problem: &mut Problem<'_>) -> Result<bool, Stop> {
    problem.begin_pass("empty", 0, true);
    let ranges = problem.text().parts().iter().map(|part| crate::edit::Edit::delete(part.range.clone()));
    let edits = Edits::new(ranges.collect());
    problem.attempt(edits)
}
