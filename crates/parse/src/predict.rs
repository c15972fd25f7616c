//! Prediction: which alternative of a decision to take, given the tokens ahead. ANTLR's adaptive LL(*).
//!
//! Two stages. The first simulates all alternatives with unknown callers and keeps what it learns in automata
//! ([`dfa`]). Where it ends in a conflict, the second starts again with the real callers. ANTLR computes
//! the second stage anew each time; here it is kept too, keyed by the few frames on top of the stack that it
//! looked at: configurations that never pop below those cannot depend on what is there.
//!
//! Nothing learned changes an answer, so all of it may be forgotten at any time ([`Predictor::forget`]).

mod closure;
pub(crate) mod conditions;
mod configs;
mod dfa;
mod history;
mod learn;
mod partial;
mod queue;
mod stacks;

pub(crate) use partial::{Partial, Progress};

use crate::network::{Network, NetworkFacts, StateId};
use conditions::Conditions;
use configs::{Config, ConfigSet};
use dfa::{ALT_MASK, AMBIGUOUS, ANSWER, DEAD_EDGE, Dfa, DfaId, Options, UNKNOWN_EDGE, VERDICT, Verdict};
use history::History;
use polysmith_grammar::CodeId;
use rustc_hash::FxHashMap;
use stacks::{Bottom, EMPTY, StackId, Stacks, UNKNOWN};
use std::sync::Arc;

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) decision: u32,
    /// Types of the tokens on the parser's channel; the last one is the end of the input.
    pub(crate) types: &'a [u32],
    /// The place of the token ahead.
    pub(crate) at: usize,
    /// Where the open calls return to, the outermost first.
    pub(crate) callers: &'a dyn Callers,
    /// The precedence of the present invocation.
    pub(crate) precedence: u32,
    /// A number for the answers of the predicates that hooks cover; 0 without hooks.
    pub(crate) answers: u64,
}

/// The open calls.
pub trait Callers {
    /// Their number.
    fn depth(&self) -> usize;
    /// The state of the network to which a call returns; 0 is the innermost.
    fn follow(&self, up: usize) -> u32;
}

/// No open calls: the first stage does not ask for them.
struct NoCallers;

impl Callers for NoCallers {
    fn depth(&self) -> usize {
        0
    }

    fn follow(&self, _: usize) -> u32 {
        crate::network::NO_STATE
    }
}

/// What prediction says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// This alternative, from 1.
    Alt(u16),
    /// None fits; the token at which the last one died.
    NoViable { offending: usize },
    /// The limit on steps was reached.
    OutOfSteps,
}

/// What one answer cost, for `--profile`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Tokens looked at.
    pub(crate) lookahead: usize,
    /// The second stage was needed.
    pub(crate) full_context: bool,
    /// Several alternatives fitted to the end; the least was taken.
    pub(crate) ambiguous: bool,
    /// What the answer depends on.
    pub(crate) basis: Basis,
}

/// What an answer depends on, apart from the precedence of the call at a precedence decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Nothing but the token ahead.
    Token,
    /// Also what follows the token ahead; prediction is in this state after it.
    Further(DfaId),
    #[default]
    Other,
}

/// A start of the second stage, and what it depends on.
#[derive(Debug, Clone)]
struct FullStart {
    decision: u32,
    precedence: u32,
    answers: u64,
    /// The innermost callers; all of them, or as many as the decision needs.
    follows: Box<[StateId]>,
    all: bool,
    state: DfaId,
}

/// Learns and answers.
#[derive(Debug, Clone)]
pub(crate) struct Predictor {
    facts: Arc<NetworkFacts>,
    /// Of the first stage and of the second.
    stacks: Stacks,
    real_stacks: Stacks,
    conditions: Conditions,
    dfa: Dfa,
    /// By decision: its start in the first stage; `u32::MAX` if not yet known.
    starts: Vec<DfaId>,
    precedence_starts: FxHashMap<(u32, u32), DfaId>,
    /// By start of the first stage: the predicates that its decision depends on. Filled only for hooks.
    start_predicates: FxHashMap<DfaId, Arc<[CodeId]>>,
    /// Starts of the second stage, by a hash of what they depend on.
    full_starts: FxHashMap<u64, Vec<FullStart>>,
    /// By decision: the number of callers that the second stage has needed so far.
    frames_needed: Vec<u32>,
    /// By decision and stage: the last long walk was cheap with merging. Says how to walk, not what is found.
    merges_well: Vec<[bool; 2]>,
    closure: closure::Closure,
    pub(crate) history: History,
    out: ConfigSet,
    moved: ConfigSet,
    groups: Vec<(StateId, StackId, u16)>,
    /// Something was learned since the memory was last looked at.
    grown: bool,
    pub(crate) cost: Cost,
}

impl Predictor {
    pub(crate) fn new(network: &Network, facts: Arc<NetworkFacts>, truth: Vec<bool>) -> Predictor {
        Predictor {
            stacks: Stacks::new(facts.clone(), Bottom::Wildcard),
            real_stacks: Stacks::new(facts.clone(), Bottom::Real),
            facts,
            conditions: Conditions::new(truth),
            dfa: Dfa::new(network.n_types + 1),
            starts: vec![u32::MAX; network.decisions.len()],
            precedence_starts: FxHashMap::default(),
            start_predicates: FxHashMap::default(),
            full_starts: FxHashMap::default(),
            frames_needed: vec![1; network.decisions.len()],
            merges_well: vec![[false; 2]; network.decisions.len()],
            closure: closure::Closure::default(),
            history: History::default(),
            out: ConfigSet::default(),
            moved: ConfigSet::default(),
            groups: Vec::new(),
            grown: false,
            cost: Cost::default(),
        }
    }

    /// Bytes that the learned automata take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let automata = self.stacks.memory() + self.real_stacks.memory() + self.dfa.memory();
        automata + self.full_starts.len() * 128 + self.history.memory()
    }

    /// Whether something was learned since this was last asked.
    #[inline]
    pub(crate) fn has_grown(&mut self) -> bool {
        std::mem::take(&mut self.grown)
    }

    /// The number of states learned.
    pub(crate) fn n_states(&self) -> usize {
        self.dfa.len()
    }

    /// Configurations looked at since the beginning.
    pub(crate) fn steps(&self) -> u64 {
        self.closure.steps
    }

    /// Goes on counting from the steps of an earlier predictor.
    pub(crate) fn set_steps(&mut self, steps: u64) {
        self.closure.steps = steps;
    }

    /// Sets the limit on the total number of steps.
    pub(crate) fn set_limit(&mut self, steps: u64) {
        self.closure.limit = steps;
    }

    /// Drops everything learned.
    pub(crate) fn forget(&mut self, network: &Network) {
        let fresh = Predictor::new(network, self.facts.clone(), Vec::new());
        let conditions = std::mem::replace(&mut self.conditions, fresh.conditions.clone());
        let (steps, limit) = (self.closure.steps, self.closure.limit);
        let frames_needed = std::mem::take(&mut self.frames_needed);
        let mut history = std::mem::take(&mut self.history);
        history.forget_states();
        *self = Predictor { conditions, frames_needed, history, ..fresh };
        self.closure.steps = steps;
        self.closure.limit = limit;
    }

    /// The predicates that a decision reaches before its first token, sorted.
    pub(crate) fn predicates_of(
        &mut self,
        network: &Network,
        decision: u32,
        precedence: u32,
    ) -> Arc<[CodeId]> {
        let question = Question { decision, types: &[0], at: 0, callers: &NoCallers, precedence, answers: 0 };
        let start = self.start(network, question);
        if let Some(known) = self.start_predicates.get(&start) {
            return known.clone();
        }
        let configs = self.dfa.configs(start);
        let mut codes: Vec<CodeId> =
            configs.iter().flat_map(|config| self.conditions.codes(config.condition)).copied().collect();
        codes.sort_unstable();
        codes.dedup();
        let codes: Arc<[CodeId]> = codes.into();
        self.start_predicates.insert(start, codes.clone());
        codes
    }

    /// Sets the answer of a predicate for the predictions that follow.
    pub(crate) fn set_code(&mut self, code: CodeId, holds: bool) {
        self.conditions.set_code(code, holds);
    }

    /// Whether a predicate lets the parser pass.
    pub(crate) fn code_holds(&self, code: CodeId) -> bool {
        self.conditions.code_holds(code)
    }

    /// The alternative to take.
    pub(crate) fn predict(&mut self, network: &Network, question: Question<'_>) -> Answer {
        self.cost = Cost::default();
        let start = self.start(network, question);
        let token = question.types[question.at] as usize;
        let edge = self.first_stage_edge(network, question, start, token);
        self.cost.lookahead = 1;
        if edge & (ANSWER | VERDICT) == 0 && token != 0 {
            let answer = self.predict_after(network, question, edge);
            self.cost.basis = Basis::Further(edge);
            return answer;
        }
        if edge & ANSWER != 0 && edge < DEAD_EDGE {
            self.cost.basis = Basis::Token;
        }
        self.walk_on(network, question, start, question.at)
    }

    /// The alternative to take, if the token ahead leads to this state.
    pub(crate) fn predict_after(
        &mut self,
        network: &Network,
        question: Question<'_>,
        state: DfaId,
    ) -> Answer {
        self.cost = Cost::default();
        self.walk_on(network, question, state, question.at + 1)
    }

    /// The answer of the first stage from a state before the token at `at`, with the last token that it looks at; `None`
    /// if something must be learned or the matter is not so plain.
    #[inline]
    pub(crate) fn known_walk(&self, types: &[u32], mut at: usize, mut state: DfaId) -> Option<(u16, usize)> {
        loop {
            let token = *types.get(at)? as usize;
            let edge = self.dfa.edge(state, token);
            if edge & (ANSWER | VERDICT) != 0 {
                return (edge & ANSWER != 0 && edge < DEAD_EDGE).then_some(((edge & ALT_MASK) as u16, at));
            }
            state = edge;
            at += 1;
        }
    }

    #[inline]
    fn first_stage_edge(
        &mut self,
        network: &Network,
        question: Question<'_>,
        state: DfaId,
        token: usize,
    ) -> u32 {
        match self.dfa.edge(state, token) {
            UNKNOWN_EDGE => self.learn(network, question, state, token),
            edge => edge,
        }
    }

    /// The first stage, from a state before the token at `at`.
    fn walk_on(
        &mut self,
        network: &Network,
        question: Question<'_>,
        mut state: DfaId,
        mut at: usize,
    ) -> Answer {
        let last = question.types.len() - 1;
        let (edge, place) = loop {
            let token = question.types[at.min(last)] as usize;
            let edge = self.first_stage_edge(network, question, state, token);
            if edge & (ANSWER | VERDICT) != 0 || self.closure.exhausted() {
                break (edge, at);
            }
            state = edge;
            if token != 0 {
                at += 1;
            }
        };
        self.cost.lookahead = place - question.at + 1;
        if edge == DEAD_EDGE {
            state = self.met_first(network, question, place);
        }
        if self.closure.exhausted() {
            Answer::OutOfSteps
        } else if edge == DEAD_EDGE {
            self.dead(network, question, state, place)
        } else if edge & ANSWER != 0 {
            Answer::Alt((edge & ALT_MASK) as u16)
        } else {
            self.by_verdict(network, question, edge)
        }
    }

    /// The answer at a state that has a verdict.
    fn by_verdict(&mut self, network: &Network, question: Question<'_>, edge: u32) -> Answer {
        let Verdict::Conditional { options, conflict } = self.dfa.verdict(edge) else {
            return self.with_callers(network, question);
        };
        let (options, conflict) = (options.clone(), *conflict);
        self.fitting(&options, conflict, question).unwrap_or_else(|| self.with_callers(network, question))
    }

    /// What conditions leave of the options; `None` if they conflict and the callers must tell.
    fn fitting(&self, options: &Options, conflict: bool, question: Question<'_>) -> Option<Answer> {
        let holds = |conditions: &Vec<u32>| {
            conditions.is_empty() || conditions.iter().any(|c| self.conditions.holds(*c, question.precedence))
        };
        let mut fitting = options.iter().filter(|(_, conditions)| holds(conditions));
        match (fitting.next(), fitting.next()) {
            (Some((alt, _)), None) => Some(Answer::Alt(*alt)),
            _ if conflict => None,
            (Some((alt, _)), Some(_)) => Some(Answer::Alt(*alt)),
            (None, _) => Some(Answer::NoViable { offending: question.at }),
        }
    }

    /// The second stage.
    fn with_callers(&mut self, network: &Network, question: Question<'_>) -> Answer {
        self.cost.full_context = true;
        let decision = question.decision as usize;
        loop {
            let frames = self.frames_needed[decision] as usize;
            let answer = self.with_frames(network, question, frames);
            if self.closure.exhausted() {
                return Answer::OutOfSteps;
            }
            if let Some(answer) = answer {
                return answer;
            }
            self.closure.needs_more = false;
            self.frames_needed[decision] = (frames as u32).saturating_mul(2);
        }
    }

    /// The second stage with this number of callers; `None` if it needs more of them.
    fn with_frames(&mut self, network: &Network, question: Question<'_>, frames: usize) -> Option<Answer> {
        let start = self.start_with_frames(network, question, frames)?;
        self.with_state(network, question, start)
    }

    /// Where the second stage starts with this number of callers; `None` if it needs more of them.
    fn start_with_frames(
        &mut self,
        network: &Network,
        question: Question<'_>,
        frames: usize,
    ) -> Option<DfaId> {
        let callers = question.callers;
        let kept = frames.min(callers.depth());
        let all = kept == callers.depth();
        let mut hash =
            u64::from(question.decision) << 32 | u64::from(question.precedence) << 1 | u64::from(all);
        for up in 0..kept {
            hash = (hash.rotate_left(5) ^ u64::from(callers.follow(up))).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        let same = |start: &&FullStart| {
            start.decision == question.decision
                && start.precedence == question.precedence
                && start.answers == question.answers
                && start.all == all
                && start.follows.len() == kept
                && (0..kept).all(|up| start.follows[up] == callers.follow(up))
        };
        let known = self.full_starts.get(&hash).and_then(|starts| starts.iter().find(same));
        if let Some(start) = known {
            return Some(start.state);
        }
        let stack = self.callers(callers, frames);
        let state = self.full_start(network, question, stack)?;
        let follows = (0..kept).map(|up| callers.follow(up)).collect();
        let Question { decision, precedence, answers, .. } = question;
        let start = FullStart { decision, precedence, answers, follows, all, state };
        self.full_starts.entry(hash).or_default().push(start);
        Some(state)
    }

    /// The innermost callers as a stack.
    fn callers(&mut self, callers: &dyn Callers, frames: usize) -> StackId {
        let depth = callers.depth();
        let kept = frames.min(depth);
        let mut stack = if kept < depth { UNKNOWN } else { EMPTY };
        for up in (0..kept).rev() {
            stack = self.real_stacks.push(stack, callers.follow(up));
        }
        stack
    }

    /// The second stage from its start; `None` if it needs more callers.
    fn with_state(&mut self, network: &Network, question: Question<'_>, start: DfaId) -> Option<Answer> {
        let mut state = start;
        let mut at = question.at;
        loop {
            let token = question.types[at.min(question.types.len() - 1)] as usize;
            self.cost.lookahead = self.cost.lookahead.max(at - question.at + 1);
            let mut edge = self.dfa.edge(state, token);
            if edge == UNKNOWN_EDGE {
                edge = self.learn_full(network, question, state, token)?;
            }
            if edge & ANSWER != 0 && edge < DEAD_EDGE {
                self.cost.ambiguous = edge & AMBIGUOUS != 0;
                return Some(Answer::Alt((edge & ALT_MASK) as u16));
            }
            if edge == DEAD_EDGE {
                return Some(self.dead(network, question, state, at));
            }
            if token == 0 && edge == state {
                // Only ends of the start rule are left, and they do not agree: the least one.
                let least = self.dfa.configs(state).iter().map(|config| config.alt).min();
                return Some(Answer::Alt(least.unwrap_or(1)));
            }
            state = edge;
            if token != 0 {
                at += 1;
            }
        }
    }

    /// Nothing survived the token at `at`. An alternative that can finish its rule before it is taken, and the
    /// error is found after it; otherwise the decision fails.
    fn dead(&mut self, network: &Network, question: Question<'_>, state: DfaId, at: usize) -> Answer {
        let configs = self.dfa.configs(state);
        let finished = |config: &&Config| {
            config.has(Config::OUTER)
                || (network.stops[network.state(config.state).rule as usize] == config.state
                    && config.stack == EMPTY)
        };
        let holds = |config: &&Config| self.conditions.holds(config.condition, question.precedence);
        let least = |wanted: bool| {
            configs.iter().filter(finished).filter(|c| holds(c) == wanted).map(|config| config.alt).min()
        };
        match least(true).or_else(|| least(false)) {
            Some(alt) => Answer::Alt(alt),
            None => Answer::NoViable { offending: at.min(question.types.len() - 1) },
        }
    }
}
