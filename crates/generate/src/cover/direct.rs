//! What the wide drafts did not cover, goal by goal: plans, printed and given to the parser.
//!
//! The parser is not asked while a plan is written; it reads the finished text, and what its tree covers counts. All
//! goals get a few plans each before any gets more, alternatives before repetition counts, the cheapest first. AfterCall
//! the first round what is shown to be shadowed gets no more.

use super::plan::{Order, Planner, Target};
use super::report::Shown;
use super::{Coverer, State};
use crate::draft::{DraftContext, SizeLimits};
use crate::generator::{Generator, GeneratorWorker, TestOrigin};
use crate::uniform::{DEEP, Decision, Script};
use polysmith_engine::Test;
use polysmith_grammar::analysis::Uses;
use polysmith_grammar::coverage::{Goal, GoalKind};
use polysmith_random::{Draw, Purpose};
use polysmith_tree::{Kind, Tree};

/// Plans for one goal, by round.
const ROUNDS: [u16; 5] = [4, 12, 48, 160, 640];
/// Steps of the parser for one text.
const STEPS: u64 = 300_000;
/// A plan counts as so many steps beside those of the parser.
const STEPS_OF_PLAN: u64 = 500;
/// Steps for all plans of a kind of goals.
const ALL_STEPS: u64 = 100_000_000;

/// The goals that are left, and whose turn it is.
#[derive(Debug)]
pub(super) struct Direct {
    planner: Planner,
    goals: Vec<usize>,
    /// Whose turn it is.
    at: usize,
    /// Plans that it has had in this round.
    tries: u16,
    round: usize,
    spent: u64,
    decisions: Vec<Decision>,
}

impl Direct {
    pub(super) fn new(generator: &Generator) -> Direct {
        Direct {
            planner: Planner::new(&generator.grammar, &generator.tables, generator.start),
            goals: Vec::new(),
            at: 0,
            tries: 0,
            round: 0,
            spent: 0,
            decisions: Vec::new(),
        }
    }

    fn target(state: &State, goal: usize) -> Option<Target> {
        match state.goals.goal(goal) {
            Goal::Alternative(alt) => Some(Target::Alternative(alt.index() as u32)),
            Goal::Count(block, times) => Some(Target::Count(block, times)),
            Goal::Path(_) => None,
        }
    }

    /// Turns to all goals of a kind that are not covered.
    pub(super) fn begin(state: &mut State, generator: &Generator, kind: GoalKind) {
        let missing = |goal: &usize| state.goals.kind(*goal) == kind && !state.covered[*goal];
        let mut goals: Vec<usize> = state.goals.all().filter(missing).collect();
        let planner = &state.direct.planner;
        goals.sort_by_key(|goal| {
            let target = Direct::target(state, *goal);
            target.map_or(u32::MAX, |target| planner.cost(&generator.tables, target))
        });
        let direct = &mut state.direct;
        (direct.goals, direct.at, direct.tries, direct.round) = (goals, 0, 0, 0);
        direct.spent = 0;
    }

    /// The goal whose turn it is; `None` if there is none left.
    fn next(state: &mut State, generator: &Generator) -> Option<usize> {
        loop {
            if state.direct.spent > ALL_STEPS || state.direct.round == ROUNDS.len() {
                return None;
            }
            let Some(goal) = state.direct.goals.get(state.direct.at).copied() else {
                Direct::next_round(state, generator);
                continue;
            };
            if !state.covered[goal] && state.direct.tries < ROUNDS[state.direct.round] {
                state.direct.tries += 1;
                return Some(goal);
            }
            state.direct.at += 1;
            state.direct.tries = 0;
        }
    }

    fn next_round(state: &mut State, generator: &Generator) {
        state.direct.goals.retain(|goal| !state.covered[*goal]);
        if state.direct.round == 0 && !state.direct.goals.is_empty() {
            let missing: Vec<usize> = state.goals.all().filter(|goal| !state.covered[*goal]).collect();
            let uses = Uses::of(&generator.grammar);
            let shown = Shown::new(generator, &state.goals, &uses, &missing);
            state.direct.goals.retain(|goal| !shown.covers(&state.goals, *goal));
        }
        let direct = &mut state.direct;
        (direct.at, direct.tries) = (0, 0);
        direct.round = if direct.goals.is_empty() { ROUNDS.len() } else { direct.round + 1 };
    }
}

impl Coverer<'_> {
    /// Tries plans until one covers something new; false if there is nothing left to try.
    pub(super) fn direct(&mut self, state: &mut State, draw: &mut Draw, test: &mut Test) -> bool {
        let generator = &self.cover.generator;
        while let Some(goal) = Direct::next(state, generator) {
            let Some(target) = Direct::target(state, goal) else { continue };
            let number = state.drafts[goal];
            state.drafts[goal] = number.saturating_add(1);
            let mut stream = draw.stream(Purpose::Structure);
            let direct = &mut state.direct;
            let depth = generator.size_limits.depth;
            let (tables, decisions) = (&generator.tables, &mut direct.decisions);
            let (goals, covered) = (&state.goals, &state.covered);
            let fresh = |alt: u32| goals.contains(alt as usize) && !covered[alt as usize];
            let order = Order { target, number: number.into(), depth, fresh: &fresh };
            let planned = direct.planner.plan(tables, order, &mut stream, decisions);
            direct.spent += STEPS_OF_PLAN;
            if planned {
                let before = self.worker.reparser.steps();
                let made = self.worker.follow(*draw, &state.direct.decisions, test);
                state.direct.spent += self.worker.reparser.steps() - before;
                if let Some(origin) = made
                    && state.cover(generator, test) > 0
                {
                    *draw = draw.retry();
                    self.worker.hand_over(origin, test);
                    return true;
                }
            }
            *draw = draw.retry();
        }
        false
    }
}

impl GeneratorWorker<'_> {
    /// Prepares for texts of plans.
    pub(super) fn limit_plans(&mut self) {
        self.reparser.limits.max_steps = STEPS;
    }

    /// Writes what a plan says and takes the parser's tree of it; `None` if there is none, or it breaks a limit.
    fn follow(&mut self, draw: Draw, decisions: &[Decision], test: &mut Test) -> Option<TestOrigin> {
        let generator = self.generator;
        self.writer.draw_from(draw);
        let mut stream = draw.stream(Purpose::Swarm);
        let size_limits = SizeLimits { depth: DEEP, most: DEEP, target: 0 };
        let mut context = DraftContext {
            script: Some(Script::new(decisions)),
            ..DraftContext::new(
                generator,
                &mut self.asked,
                &mut stream,
                &mut self.writer,
                &mut self.builder,
                size_limits,
            )
        };
        self.drafter.careless = true;
        let drafted = self.drafter.draft(&mut context, generator.start);
        self.drafter.careless = false;
        if drafted.is_err() || self.drafter.tokens() > generator.size_limits.most {
            self.builder.truncate(0);
            return None;
        }
        test.take(&mut self.builder);
        let origin = match self.reparser.adopt_or_keep(generator.start, test)? {
            true => TestOrigin::FirstDraft,
            false => TestOrigin::ParserTree,
        };
        (depth(&test.tree) <= generator.size_limits.depth).then_some(origin)
    }
}

/// The most rule calls inside each other.
fn depth(tree: &Tree) -> u32 {
    let mut open: Vec<usize> = Vec::new();
    let mut most = 0;
    for (at, node) in tree.nodes().iter().enumerate() {
        while open.last().is_some_and(|end| *end <= at) {
            open.pop();
        }
        if let Kind::Rule { .. } = node.kind() {
            open.push(at + node.size());
            most = most.max(open.len() as u32);
        }
    }
    most
}
