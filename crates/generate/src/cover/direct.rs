//! Plans for goals that the steered drafts did not cover, one goal at a time.
//!
//! The parser is not asked while a plan is written; it reads the finished text, and what its tree covers counts. All
//! goals get a few plans each before any gets more, alternatives before repetition counts, the cheapest first. After
//! the first round, goals that are shown to be shadowed get no more.

use super::plan::{PlanRequest, Planner, Target};
use super::report::Shown;
use super::{CoverWorker, State};
use crate::draft::{DraftMode, DraftRequest, DraftStreams, Guide, SizeLimits};
use crate::generator::{Generator, GeneratorWorker, TestOrigin};
use crate::tuning::{ALL_PLAN_STEPS, PLAN_COST, PLAN_PARSE_STEPS, PLANS_BY_ROUND};
use crate::uniform::{DEEP, Decision, Script};
use polysmith_engine::Test;
use polysmith_grammar::analysis::Uses;
use polysmith_grammar::coverage::{Goal, GoalKind};
use polysmith_random::{Draw, Purpose};
use polysmith_tree::{Kind, Tree};

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
            planner: Planner::new(
                &generator.compiled.grammar,
                &generator.compiled.tables,
                generator.compiled.start,
            ),
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
            target.map_or(u32::MAX, |target| planner.cost(&generator.compiled.tables, target))
        });
        let direct = &mut state.direct;
        (direct.goals, direct.at, direct.tries, direct.round) = (goals, 0, 0, 0);
        direct.spent = 0;
    }

    /// The goal whose turn it is; `None` if there is none left.
    fn next(state: &mut State, generator: &Generator) -> Option<usize> {
        loop {
            if state.direct.spent > ALL_PLAN_STEPS || state.direct.round == PLANS_BY_ROUND.len() {
                return None;
            }
            let Some(goal) = state.direct.goals.get(state.direct.at).copied() else {
                Direct::next_round(state, generator);
                continue;
            };
            if !state.covered[goal] && state.direct.tries < PLANS_BY_ROUND[state.direct.round] {
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
            let uses = Uses::of(&generator.compiled.grammar);
            let shown = Shown::new(generator, &state.goals, &uses, &missing);
            state.direct.goals.retain(|goal| !shown.covers(&state.goals, *goal));
        }
        let direct = &mut state.direct;
        (direct.at, direct.tries) = (0, 0);
        direct.round = if direct.goals.is_empty() { PLANS_BY_ROUND.len() } else { direct.round + 1 };
    }
}

impl CoverWorker<'_> {
    /// Tries plans until one covers something new; false if there is nothing left to try.
    pub(super) fn direct(&mut self, state: &mut State, draw: &mut Draw, test: &mut Test) -> bool {
        let generator = &self.cover.generator;
        while let Some(goal) = Direct::next(state, generator) {
            let Some(target) = Direct::target(state, goal) else { continue };
            let number = state.drafts[goal];
            state.drafts[goal] = number.saturating_add(1);
            let mut stream = draw.stream(Purpose::Structure);
            let direct = &mut state.direct;
            let depth = generator.sizes.limits.depth;
            let (tables, decisions) = (&generator.compiled.tables, &mut direct.decisions);
            let (goals, covered) = (&state.goals, &state.covered);
            let fresh = |alt: u32| goals.contains(alt as usize) && !covered[alt as usize];
            let request = PlanRequest { target, number: number.into(), depth, fresh: &fresh };
            let planned = direct.planner.plan(tables, request, &mut stream, decisions);
            direct.spent += PLAN_COST;
            if planned {
                let before = self.worker.reparser.steps();
                let made = self.worker.follow(*draw, &state.direct.decisions, test);
                state.direct.spent += self.worker.reparser.steps() - before;
                if let Some(origin) = made
                    && state.cover(generator, test) > 0
                {
                    *draw = draw.retry();
                    self.worker.finish(origin, test);
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
        self.reparser.limits.max_steps = PLAN_PARSE_STEPS;
    }

    /// Writes what a plan says and takes the parser's tree of it; `None` if there is none, or it breaks a limit.
    fn follow(&mut self, draw: Draw, decisions: &[Decision], test: &mut Test) -> Option<TestOrigin> {
        let generator = self.generator;
        let request = DraftRequest {
            streams: DraftStreams::new(draw, Purpose::Swarm),
            guide: Guide::Scripted(Script::new(decisions)),
            mode: DraftMode::Unchecked,
            size_limits: SizeLimits { depth: DEEP, max_tokens: DEEP, target: 0 },
        };
        self.drafts.draft(&generator.compiled, &generator.statistics, request).ok()?;
        if self.drafts.drafter.tokens() > generator.sizes.limits.max_tokens {
            self.drafts.builder.truncate(0);
            return None;
        }
        test.take(&mut self.drafts.builder);
        let origin = match self.reparser.adopt_or_keep(generator.compiled.start, test)? {
            true => TestOrigin::FirstDraft,
            false => TestOrigin::ParserTree,
        };
        (depth(&test.tree) <= generator.sizes.limits.depth).then_some(origin)
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
