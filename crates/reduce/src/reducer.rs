//! The schedule: which pass runs when, until nothing gets smaller.

use std::sync::Arc;

use crate::candidate::Candidate;
use crate::checkpoints::Checkpoints;
use crate::edit::Edits;
use crate::journal::Journal;
use crate::measure::Size;
use crate::minimize::{Halving, Minimizer};
use crate::passes::{Algorithm, PASSES, Pass, When};
use crate::problem::{Problem, Settings};
use crate::question::{Answer, Question, Stop};
use crate::report::Tally;
use crate::rest::Rest;
use crate::text::Text;
use crate::tree::Language;

/// When candidates that are not in the language may be asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beyond {
    /// Never.
    Never,
    /// Once the passes that keep to the language find nothing any more.
    Last,
    /// From the beginning: only passes by tree keep to the language.
    #[default]
    Always,
}

/// Reduces texts. Build one, then [`run`](Self::run) it.
pub struct Reducer<'a> {
    algorithm: Algorithm,
    passes: Vec<&'a Pass>,
    fixpoint: bool,
    beyond: Beyond,
    settings: Settings<'a>,
}

/// The test says no to the original, so there is nothing to keep.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refused {
    /// It answered, and not with yes.
    #[error("the test does not say yes to the original ({0:?})")]
    Answer(Answer),
    /// It could not be asked.
    #[error("the test could not be asked about the original")]
    Stopped(#[source] Stop),
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
            passes: PASSES.to_vec(),
            fixpoint: true,
            beyond: Beyond::default(),
            settings: Settings { minimizer: &Halving, max_questions: None, hoist_depth: None },
        }
    }
}

impl<'a> Reducer<'a> {
    /// Chooses what is done as a whole, and with it the passes.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, passes: algorithm.passes().to_vec(), ..self }
    }

    /// Chooses the passes, in their order. Without a language those by tree do not run.
    #[must_use]
    pub fn with_passes(self, passes: Vec<&'a Pass>) -> Self {
        Self { passes, ..self }
    }

    /// Whether to repeat all passes until a round brings nothing; else there is one round.
    #[must_use]
    pub fn fixpoint(self, fixpoint: bool) -> Self {
        Self { fixpoint, ..self }
    }

    /// Chooses how lists are minimized.
    #[must_use]
    pub fn minimizer(mut self, minimizer: &'a dyn Minimizer) -> Self {
        self.settings.minimizer = minimizer;
        self
    }

    /// Ends after this number of questions.
    #[must_use]
    pub fn max_questions(mut self, max_questions: Option<usize>) -> Self {
        self.settings.max_questions = max_questions;
        self
    }

    /// Looks at most this many levels below a node for what could take its place; the Perses paper uses 4.
    #[must_use]
    pub fn hoist_depth(mut self, hoist_depth: Option<u32>) -> Self {
        self.settings.hoist_depth = hoist_depth;
        self
    }

    /// Chooses when candidates that are not in the language may be asked about.
    ///
    /// Until then passes by text run late, and only once the text is small enough for each candidate to be parsed.
    /// With [`Beyond::Last`] they run without that check when a round takes no token away any more, and if they find
    /// something the rounds go on. Once they also run, for a limited number of questions, on an earlier text that was
    /// not much longer: the check need not have led to the smallest text. While no file has a usable tree nothing is
    /// checked.
    #[must_use]
    pub fn beyond_language(self, beyond: Beyond) -> Self {
        Self { beyond, ..self }
    }

    /// Makes a text smaller, without a language.
    ///
    /// # Errors
    /// When the test does not say yes to the text as it is.
    pub fn run(
        &self,
        text: Text,
        question: &mut dyn Question,
        journal: &mut dyn Journal,
    ) -> Result<Reduction, Refused> {
        self.run_by(None, text, question, journal)
    }

    /// Makes a text smaller, by the tree of a language if there is one.
    ///
    /// # Errors
    /// When the test does not say yes to the text as it is.
    pub fn run_by(
        &self,
        language: Option<&mut Language>,
        text: Text,
        question: &mut dyn Question,
        journal: &mut dyn Journal,
    ) -> Result<Reduction, Refused> {
        let mut problem = Problem::new(text, language, question, journal, self.settings);
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
                // No time to ask once more: the yes that made it the best text counts.
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

    /// Whether candidates are checked against the language when [`Beyond`] says so. An algorithm that runs alone is
    /// what the literature says, without a check.
    fn beyond(&self) -> Beyond {
        if self.algorithm == Algorithm::Full { self.beyond } else { Beyond::Always }
    }

    fn rounds(&self, problem: &mut Problem<'_>, checkpoints: &mut Checkpoints) -> Result<(), Stop> {
        /// A second descent of at most this many questions need not wait for the end.
        const SHORT: usize = 300;
        let goes_beyond = self.fixpoint && self.beyond() == Beyond::Last && problem.has_language();
        let mut rest = Rest::default();
        for round in 1.. {
            let (steps, tokens) = (problem.steps(), problem.text().size().tokens);
            self.round(problem, round, checkpoints, &mut rest)?;
            let left = problem.text().size().tokens;
            let is_checked = goes_beyond && problem.has_tree();
            if is_checked && takes_little(tokens, left) {
                self.descend_again(problem, round, checkpoints, Some(SHORT))?;
            }
            // Shorter names and less space alone do not make the checked passes find more: another round of them comes
            // after what the check kept from being asked.
            let is_stuck = problem.text().size().tokens == tokens;
            if goes_beyond && is_stuck {
                self.clean_up(problem, round, checkpoints, &mut rest)?;
            }
            if rest.wakes(problem.steps() > steps) {
                continue;
            }
            if is_checked && problem.steps() == steps {
                self.descend_again(problem, round, checkpoints, None)?;
            }
            if !self.fixpoint || problem.steps() == steps {
                break;
            }
        }
        Ok(())
    }

    /// The last clean-up: what the check kept from being asked.
    fn clean_up(
        &self,
        problem: &mut Problem<'_>,
        round: usize,
        checkpoints: &mut Checkpoints,
        rest: &mut Rest,
    ) -> Result<(), Stop> {
        problem.stay_in_language(false);
        for pass in self.passes.iter().filter(|pass| !pass.is_by_tree()) {
            if rest.skips(pass, false) {
                continue;
            }
            problem.begin_pass(pass.name, round, true);
            let (questions, steps) = (problem.questions(), problem.steps());
            run_pass(pass, problem, checkpoints)?;
            rest.note(pass, false, problem.questions() - questions, problem.steps() - steps);
        }
        Ok(())
    }

    /// The last clean-up once more, from the first text on the way that was not much longer than the best one: from
    /// there on the check kept the search within the language, and another way down may be the better one. Done once,
    /// and only if it takes at most `most` questions.
    fn descend_again(
        &self,
        problem: &mut Problem<'_>,
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
        problem.descend_from(start, questions, |problem| {
            self.clean_up(problem, round, checkpoints, &mut Rest::default())
        })
    }

    /// One round. Late passes wait while the others still take away a good part of the text; some passes rest.
    fn round(
        &self,
        problem: &mut Problem<'_>,
        round: usize,
        checkpoints: &mut Checkpoints,
        rest: &mut Rest,
    ) -> Result<(), Stop> {
        let before = problem.text().size().tokens;
        for pass in &self.passes {
            let closing = !self.fixpoint || takes_little(before, problem.text().size().tokens);
            let is_checked = !pass.is_by_tree() && self.checks(problem);
            let is_late = pass.when == When::Late || is_checked;
            if is_late && !closing || is_checked && !problem.can_check() || rest.skips(pass, is_checked) {
                continue;
            }
            problem.stay_in_language(is_checked);
            problem.begin_pass(pass.name, round, closing);
            let (questions, steps) = (problem.questions(), problem.steps());
            run_pass(pass, problem, checkpoints)?;
            rest.note(pass, is_checked, problem.questions() - questions, problem.steps() - steps);
        }
        Ok(())
    }

    /// Whether passes by text are checked against the language now.
    fn checks(&self, problem: &Problem<'_>) -> bool {
        problem.has_language()
            && match self.beyond() {
                Beyond::Never => true,
                Beyond::Last => problem.has_tree(),
                Beyond::Always => false,
            }
    }
}

/// Runs a pass and asks about its result once more.
fn run_pass(pass: &Pass, problem: &mut Problem<'_>, checkpoints: &mut Checkpoints) -> Result<(), Stop> {
    let steps = problem.steps();
    problem.run(pass)?;
    checkpoints.look_again(problem, steps)
}

/// Whether a tenth of the tokens or less went.
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
