//! Tests that cover a grammar: all alternatives and repetition counts, then all k-paths, in few tests.
//!
//! Each test is one draft that a [`Steering`] leads from goal to goal while the limits allow it; everything that does not
//! lead to a goal is made as small as possible. What counts is the tree that the parser builds: if it differs from the
//! draft's, it is adopted. A draft that makes no progress gives up the goals that it met last, and the rest of it becomes
//! the test. A goal that drafts meet too often without covering it is set aside. Alternatives and counts that are left are
//! then planned one by one, with nothing around them that is not needed ([`plan`], [`direct`]). Paths that are left are
//! tried one by one on different ways and with random surroundings. The report names what is left then, with a reason.
//!
//! The tests of a run depend on each other, so a run is one chunk.

mod attempt;
mod direct;
mod map;
mod plan;
mod report;
mod steering;

pub(crate) use steering::{FAR, Fill, Steering};

use crate::draft::SizeLimits;
use crate::error::CoverError;
use crate::generator::{Generator, GeneratorWorker};
use crate::tuning::{
    ALL_PATH_ATTEMPTS, DRAFTS_PER_HARD_DRAFT, HARD_DRAFT_COST, MAX_EMPTY_DRAFTS, MAX_HARD_DRAFTS,
    MAX_VAIN_MEETINGS, MIN_STEERED_TOKENS, PATH_ATTEMPTS, STEERED_STEPS,
};
use attempt::{Attempt, AttemptResult};
use direct::Direct;
use polysmith_engine::{Engine, GenerateError, Test, Worker};
use polysmith_grammar::coverage::{GoalKind, Goals, Paths};
use polysmith_grammar::{Grammar, RuleId};
use polysmith_random::{Draw, Purpose};
pub use report::{Reason, Unreached};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An engine whose tests cover a grammar.
#[derive(Debug)]
pub struct Cover {
    generator: Generator,
    k: usize,
    state: Mutex<State>,
}

/// What is covered so far.
#[derive(Debug)]
struct State {
    goals: Goals,
    /// By goal.
    covered: Vec<bool>,
    /// By goal: drafts that met it and did not cover it.
    vain_meetings: Vec<u8>,
    /// By goal: how often the parser refused just this alternative.
    refused: Vec<u8>,
    /// By goal: drafts and plans for it alone.
    drafts: Vec<u16>,
    stage: Stage,
    steering: Steering,
    direct: Direct,
    /// Goals that were set aside, the last first, and the attempts for the last of them.
    set_aside: Vec<usize>,
    attempts: u32,
    all_attempts: u32,
    max_goals: usize,
    /// Tokens of a test, at most.
    max_tokens: u32,
    /// Drafts of the stage, those that reached the step limit, and those that met no goal.
    n_drafts: u32,
    hard_drafts: u32,
    empty_drafts: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// As many goals as a test can hold: paths, or else alternatives and counts.
    Wide(GoalKind),
    /// One alternative or count at a time, by plans.
    Direct(GoalKind),
    /// One path at a time, by steered drafts.
    Narrow,
    Done,
}

impl Cover {
    /// Covers what a generator can make, with paths of `k` symbols.
    ///
    /// # Errors
    /// [`CoverError`] if there are too many paths, or if the generator begins with a token rule.
    pub fn new(generator: Generator, k: usize) -> Result<Cover, CoverError> {
        if !generator.compiled.starts_with_parser_rule() {
            return Err(CoverError::TokenRule);
        }
        let state = Mutex::new(State::new(&generator, k)?);
        Ok(Cover { generator, k, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Only a panic poisons it, and that ends the run anyway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Covered goals and all goals of a kind.
    pub fn covered(&self, kind: GoalKind) -> (usize, usize) {
        let state = self.state();
        let all = state.goals.all().filter(|goal| state.goals.kind(*goal) == kind);
        all.fold((0, 0), |(covered, all), goal| (covered + usize::from(state.covered[goal]), all + 1))
    }

    /// What was not covered, and why.
    pub fn unreached(&self) -> Vec<Unreached> {
        report::unreached(&self.generator, &self.state())
    }
}

impl Engine for Cover {
    fn grammar(&self) -> &Grammar {
        self.generator.grammar()
    }

    fn start(&self) -> Option<RuleId> {
        self.generator.start()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        let mut worker = CoverWorker { cover: self, worker: self.generator.new_worker() };
        worker.begin_chunk();
        Box::new(worker)
    }

    fn chunk(&self) -> u64 {
        u64::MAX
    }

    fn measures(&self) -> &[&'static str] {
        self.generator.measures()
    }

    fn n_kinds(&self) -> usize {
        self.generator.n_kinds()
    }

    fn conclusion(&self) -> Vec<String> {
        report::lines(self)
    }
}

struct CoverWorker<'a> {
    cover: &'a Cover,
    worker: GeneratorWorker<'a>,
}

impl Worker for CoverWorker<'_> {
    fn begin_chunk(&mut self) {
        if let Ok(fresh) = State::new(&self.cover.generator, self.cover.k) {
            *self.cover.state() = fresh;
        }
        self.worker = self.cover.generator.new_worker();
        self.worker.drafts.drafter.limits.max_steps = STEERED_STEPS;
        self.worker.limit_plans();
    }

    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let mut state = self.cover.state();
        let mut draw = draw;
        while state.stage != Stage::Done {
            if let Stage::Direct(_) = state.stage {
                if self.direct(&mut state, &mut draw, test) {
                    return Ok(());
                }
                state.next_stage(&self.cover.generator);
            } else if state.prepare(&self.cover.generator) {
                let attempt = state.attempt(draw, &self.cover.generator);
                let outcome = self.worker.attempt(draw, &attempt, &mut state.steering, test);
                draw = draw.retry();
                state.spend(self.worker.drafts.drafter.step_extensions());
                if state.learn(&self.cover.generator, &outcome, test) {
                    if let AttemptResult::Made(origin) = outcome {
                        self.worker.finish(origin, test);
                    }
                    return Ok(());
                }
            } else {
                state.next_stage(&self.cover.generator);
            }
        }
        Err(GenerateError::Done)
    }
}

impl State {
    fn new(generator: &Generator, k: usize) -> Result<State, CoverError> {
        let grammar = &generator.compiled.grammar;
        let fits = |alt: polysmith_grammar::AltId| {
            generator.compiled.tables.curves[alt.index()].at(generator.sizes.limits.depth)
                <= generator.sizes.limits.max_tokens
        };
        let goals_of = |k| Goals::new(grammar, generator.compiled.start, k, &fits);
        let goals = goals_of(k).ok_or(CoverError::TooManyPaths { k, limit: Paths::MOST })?;
        let rules = goals_of(2).ok_or(CoverError::TooManyCalls)?;
        let mut state = State {
            covered: vec![false; goals.len()],
            vain_meetings: vec![0; goals.len()],
            refused: vec![0; goals.first_path()],
            drafts: vec![0; goals.len()],
            stage: Stage::Wide(GoalKind::Alternative),
            steering: Steering::new(grammar, &generator.compiled.tables, rules, false),
            direct: Direct::new(generator),
            set_aside: Vec::new(),
            attempts: 0,
            all_attempts: 0,
            max_goals: usize::MAX,
            max_tokens: generator.sizes.limits.max_tokens,
            n_drafts: 0,
            hard_drafts: 0,
            empty_drafts: 0,
            goals,
        };
        state.want_all(generator);
        Ok(state)
    }

    /// Wants all goals of the stage that are not covered.
    fn want_all(&mut self, generator: &Generator) {
        let goals: Vec<usize> = self.steering.goals().all().filter(|goal| !self.covered[*goal]).collect();
        for goal in goals {
            if self.steering.is_goal(goal) {
                self.steering.want(&generator.compiled.grammar, goal, true);
            }
        }
    }

    /// Makes sure that some goal is wanted. Returns `false` at the end of the stage.
    fn prepare(&mut self, generator: &Generator) -> bool {
        match self.stage {
            Stage::Done | Stage::Direct(_) => false,
            _ if self.hard_drafts >= MAX_HARD_DRAFTS + self.n_drafts / DRAFTS_PER_HARD_DRAFT => false,
            Stage::Wide(_) => self.empty_drafts < MAX_EMPTY_DRAFTS,
            Stage::Narrow => {
                while let Some(goal) = self.set_aside.last().copied() {
                    let spent = self.attempts >= PATH_ATTEMPTS || self.all_attempts >= ALL_PATH_ATTEMPTS;
                    if !self.covered[goal] && !spent {
                        self.steering.want(&generator.compiled.grammar, goal, true);
                        return true;
                    }
                    self.steering.want(&generator.compiled.grammar, goal, false);
                    self.set_aside.pop();
                    self.attempts = 0;
                }
                false
            }
        }
    }

    fn next_stage(&mut self, generator: &Generator) {
        self.stage = match self.stage {
            Stage::Wide(GoalKind::Alternative) => {
                Direct::begin(self, generator, GoalKind::Alternative);
                Stage::Direct(GoalKind::Alternative)
            }
            Stage::Direct(GoalKind::Alternative) => {
                Direct::begin(self, generator, GoalKind::Count);
                Stage::Direct(GoalKind::Count)
            }
            Stage::Wide(_) => {
                // Whatever is still wanted was never met.
                let left: Vec<usize> =
                    (0..self.steering.goals().len()).filter(|goal| self.steering.is_wanted(*goal)).collect();
                for goal in left {
                    self.steering.want(&generator.compiled.grammar, goal, false);
                    self.set_aside.push(goal);
                }
                self.set_aside.sort_unstable();
                self.set_aside.dedup();
                self.set_aside.retain(|goal| !self.covered[*goal]);
                self.set_aside.reverse();
                Stage::Narrow
            }
            Stage::Direct(_) if self.goals.paths().k() > 2 => {
                let (grammar, tables) = (&generator.compiled.grammar, &generator.compiled.tables);
                self.steering = Steering::new(grammar, tables, self.goals.clone(), true);
                self.want_all(generator);
                Stage::Wide(GoalKind::Path)
            }
            Stage::Direct(_) | Stage::Narrow | Stage::Done => Stage::Done,
        };
        (self.max_goals, self.empty_drafts, self.attempts, self.all_attempts) = (usize::MAX, 0, 0, 0);
        (self.n_drafts, self.hard_drafts) = (0, 0);
        self.max_tokens = generator.sizes.limits.max_tokens;
    }

    /// What to try next.
    fn attempt(&mut self, draw: Draw, generator: &Generator) -> Attempt {
        match self.stage {
            Stage::Wide(_) | Stage::Direct(_) | Stage::Done => {
                let size_limits = SizeLimits { max_tokens: self.max_tokens, ..generator.sizes.limits };
                Attempt {
                    max_goals: self.max_goals,
                    fill: Fill::Least,
                    ignores_statistics: false,
                    size_limits,
                }
            }
            Stage::Narrow => {
                self.attempts += 1;
                self.all_attempts += 1;
                if let Some(goal) = self.set_aside.last() {
                    self.drafts[*goal] += 1;
                }
                let mut size_limits = generator.sizes.limits;
                let mut stream = draw.stream(Purpose::Swarm);
                // Small surroundings first: most goals need nothing but another neighbour.
                let most = size_limits.max_tokens.min(8 << (self.attempts / 8).min(2));
                size_limits.target = stream.below(u64::from(most) + 1) as u32;
                let fill = if self.attempts.is_multiple_of(3) { Fill::Random } else { Fill::Least };
                Attempt {
                    max_goals: 1,
                    fill,
                    ignores_statistics: self.attempts.is_multiple_of(2),
                    size_limits,
                }
            }
        }
    }

    /// Counts a draft and how often it reached the parser's step limit.
    fn spend(&mut self, step_extensions: u32) {
        self.n_drafts += 1;
        self.hard_drafts += step_extensions;
        if let Stage::Narrow = self.stage {
            self.attempts += HARD_DRAFT_COST * step_extensions;
        }
    }

    /// Learns from an attempt. Returns whether its test covers something new.
    fn learn(&mut self, generator: &Generator, outcome: &AttemptResult, test: &Test) -> bool {
        let made = matches!(outcome, AttemptResult::Made(..));
        let n_fresh = if made { self.cover(generator, test) } else { 0 };
        let met: Vec<usize> = self.steering.met().iter().map(|(goal, _)| *goal).collect();
        if met.is_empty() {
            self.empty_drafts += 1;
            self.steering.penalize_route();
        } else {
            self.empty_drafts /= 2;
        }
        let lost = self.steering.all_lost();
        for goal in &lost {
            self.refused[*goal] = self.refused[*goal].saturating_add(1);
        }
        // What was met without a test is the reason if nothing else was wanted.
        let mut vain = if made || self.max_goals == 1 { met.clone() } else { Vec::new() };
        vain.extend(lost);
        vain.extend(self.steering.given_up());
        if let Stage::Wide(_) = self.stage {
            self.note_vain(generator, &vain);
        }
        match outcome {
            AttemptResult::Made(..) if n_fresh > 0 => {
                self.max_goals = usize::MAX;
                self.max_tokens = self.max_tokens.saturating_mul(2).min(generator.sizes.limits.max_tokens);
            }
            AttemptResult::Made(..) => {}
            // One of the goals met is the reason: half of them next time. Goals on the way are met beyond the limit.
            AttemptResult::Refused | AttemptResult::TooHard => {
                self.max_goals = (met.len().min(self.max_goals) / 2).max(1)
            }
        }
        if *outcome == AttemptResult::TooHard {
            let least = generator.compiled.least_tokens(generator.sizes.limits.depth);
            self.max_tokens = (self.max_tokens / 2)
                .max(MIN_STEERED_TOKENS)
                .max(least.saturating_mul(2))
                .min(self.max_tokens);
        }
        n_fresh > 0
    }

    /// Marks what a test covers. Returns the number of goals that are new.
    fn cover(&mut self, generator: &Generator, test: &Test) -> usize {
        let mut found: Vec<usize> = Vec::new();
        test.tree.cover(&generator.compiled.grammar, &self.goals, |goal| found.push(goal));
        let mut n_fresh = 0;
        for goal in found.into_iter().filter(|goal| self.goals.contains(*goal)) {
            if !std::mem::replace(&mut self.covered[goal], true) {
                n_fresh += 1;
                if self.steering.is_goal(goal) {
                    self.steering.want(&generator.compiled.grammar, goal, false);
                }
            }
        }
        n_fresh
    }

    /// Counts goals that a draft met and did not cover. They are set aside after some times.
    fn note_vain(&mut self, generator: &Generator, vain: &[usize]) {
        for goal in vain.iter().copied().filter(|goal| !self.covered[*goal]) {
            self.vain_meetings[goal] = self.vain_meetings[goal].saturating_add(1);
            if self.vain_meetings[goal] == MAX_VAIN_MEETINGS {
                self.steering.want(&generator.compiled.grammar, goal, false);
                self.set_aside.push(goal);
            }
        }
    }
}

#[cfg(test)]
mod tests;
