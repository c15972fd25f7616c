//! Prediction: which alternative of a decision to take, given the tokens ahead. ANTLR's adaptive LL(*).
//!
//! Two stages. The first simulates all alternatives with unknown callers and keeps what it learns in automata
//! ([`dfa`]). Where it ends in a conflict, the second starts again with the real callers. ANTLR computes
//! the second stage anew each time; here it is kept too, keyed by the few frames on top of the stack that it
//! looked at: configurations that never pop below those cannot tell what lies there.
//!
//! Nothing learned changes an answer, so all of it may be forgotten at any time ([`Predictor::forget`]).

mod closure;
pub(crate) mod conditions;
mod configs;
mod dfa;
mod learn;
mod stacks;

use crate::network::{Network, StateId};
use conditions::Conditions;
use configs::{Config, ConfigSet};
use dfa::{ALT_MASK, AMBIGUOUS, ANSWER, DEAD_EDGE, Dfa, DfaId, UNKNOWN_EDGE, Verdict};
use rustc_hash::FxHashMap;
use stacks::{EMPTY, StackId, Stacks, UNKNOWN};

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
}

/// The open calls.
pub(crate) trait Callers {
    /// How many there are.
    fn depth(&self) -> usize;
    /// Where a call returns to; 0 is the innermost.
    fn follow(&self, up: usize) -> StateId;
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
    /// The answer depends on nothing but the token ahead.
    pub(crate) simple: bool,
}

/// A start of the second stage, and what it depends on.
#[derive(Debug, Clone)]
struct FullStart {
    decision: u32,
    precedence: u32,
    /// The innermost callers; all of them, or as many as the decision needs.
    follows: Box<[StateId]>,
    all: bool,
    state: DfaId,
}

/// Learns and answers.
#[derive(Debug, Clone)]
pub(crate) struct Predictor {
    stacks: Stacks,
    conditions: Conditions,
    /// By code number: the predicate reads its rule's context.
    contextual: Vec<bool>,
    dfa: Dfa,
    /// By decision: its start in the first stage; `u32::MAX` if not yet known.
    starts: Vec<DfaId>,
    precedence_starts: FxHashMap<(u32, u32), DfaId>,
    /// Starts of the second stage, by a hash of what they depend on.
    full_starts: FxHashMap<u64, Vec<FullStart>>,
    /// By decision: how many callers the second stage has needed so far.
    frames_needed: Vec<u32>,
    walk: closure::Walk,
    out: ConfigSet,
    moved: ConfigSet,
    groups: Vec<(StateId, StackId, u16)>,
    pub(crate) cost: Cost,
}

impl Predictor {
    pub(crate) fn new(network: &Network, truth: Vec<bool>, contextual: Vec<bool>) -> Predictor {
        Predictor {
            stacks: Stacks::new(),
            conditions: Conditions::new(truth),
            contextual,
            dfa: Dfa::new(network.n_types + 1),
            starts: vec![u32::MAX; network.decisions.len()],
            precedence_starts: FxHashMap::default(),
            full_starts: FxHashMap::default(),
            frames_needed: vec![1; network.decisions.len()],
            walk: closure::Walk::default(),
            out: ConfigSet::default(),
            moved: ConfigSet::default(),
            groups: Vec::new(),
            cost: Cost::default(),
        }
    }

    /// Bytes that the learned automata take, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.stacks.memory() + self.dfa.memory() + self.full_starts.len() * 128
    }

    /// How many states were learned.
    pub(crate) fn n_states(&self) -> usize {
        self.dfa.len()
    }

    /// Configurations looked at since the beginning.
    pub(crate) fn steps(&self) -> u64 {
        self.walk.steps
    }

    /// Stops predictions after so many steps in all.
    pub(crate) fn set_limit(&mut self, steps: u64) {
        self.walk.limit = steps;
    }

    /// Drops everything learned.
    pub(crate) fn forget(&mut self, network: &Network) {
        let fresh = Predictor::new(network, Vec::new(), Vec::new());
        let conditions = std::mem::replace(&mut self.conditions, fresh.conditions.clone());
        let contextual = std::mem::take(&mut self.contextual);
        let (steps, limit) = (self.walk.steps, self.walk.limit);
        let frames_needed = std::mem::take(&mut self.frames_needed);
        *self = Predictor { conditions, contextual, frames_needed, ..fresh };
        self.walk.steps = steps;
        self.walk.limit = limit;
    }

    /// Whether a predicate lets the parser pass.
    pub(crate) fn code_holds(&self, code: polysmith_grammar::CodeId) -> bool {
        self.conditions.code_holds(code)
    }

    /// The alternative to take.
    pub(crate) fn predict(&mut self, network: &Network, question: Question<'_>) -> Answer {
        self.cost = Cost::default();
        let mut state = self.start(network, question);
        let mut at = question.at;
        loop {
            let token = question.types[at.min(question.types.len() - 1)] as usize;
            self.cost.lookahead = self.cost.lookahead.max(at - question.at + 1);
            let mut edge = self.dfa.edge(state, token);
            if edge == UNKNOWN_EDGE {
                edge = self.learn(network, question, state, token);
            }
            if self.walk.exhausted() {
                return Answer::OutOfSteps;
            }
            if edge & ANSWER != 0 && edge < DEAD_EDGE {
                let start = network.state(network.decisions[question.decision as usize].state);
                self.cost.simple = at == question.at && !start.precedence_decision;
                return Answer::Alt((edge & ALT_MASK) as u16);
            }
            if edge == DEAD_EDGE {
                return self.dead(network, question, state, at);
            }
            match self.dfa.verdict(edge) {
                Verdict::Open => state = edge,
                Verdict::Conflict => return self.with_callers(network, question),
                Verdict::Conditional { options, conflict } => {
                    let options = options.clone();
                    let holds = |conditions: &Vec<u32>| {
                        conditions.is_empty()
                            || conditions.iter().any(|c| self.conditions.holds(*c, question.precedence))
                    };
                    let mut fitting = options.iter().filter(|(_, conditions)| holds(conditions));
                    let (first, second) = (fitting.next(), fitting.next());
                    return match (first, second) {
                        (Some((alt, _)), None) => Answer::Alt(*alt),
                        _ if *conflict => self.with_callers(network, question),
                        (Some((alt, _)), Some(_)) => Answer::Alt(*alt),
                        (None, _) => Answer::NoViable { offending: question.at },
                    };
                }
            }
            if token != 0 {
                at += 1;
            }
        }
    }

    /// The second stage.
    fn with_callers(&mut self, network: &Network, question: Question<'_>) -> Answer {
        self.cost.full_context = true;
        let decision = question.decision as usize;
        loop {
            let frames = self.frames_needed[decision] as usize;
            let answer = self.with_frames(network, question, frames);
            if self.walk.exhausted() {
                return Answer::OutOfSteps;
            }
            if let Some(answer) = answer {
                return answer;
            }
            self.walk.needs_more = false;
            self.frames_needed[decision] = (frames as u32).saturating_mul(2);
        }
    }

    /// The second stage with so many callers; `None` if it needs more of them.
    fn with_frames(&mut self, network: &Network, question: Question<'_>, frames: usize) -> Option<Answer> {
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
                && start.all == all
                && start.follows.len() == kept
                && (0..kept).all(|up| start.follows[up] == callers.follow(up))
        };
        let known = self.full_starts.get(&hash).and_then(|starts| starts.iter().find(same));
        let state = match known {
            Some(start) => start.state,
            None => {
                let stack = self.callers(callers, frames);
                let state = self.full_start(network, question, stack)?;
                let follows = (0..kept).map(|up| callers.follow(up)).collect();
                let (decision, precedence) = (question.decision, question.precedence);
                let start = FullStart { decision, precedence, follows, all, state };
                self.full_starts.entry(hash).or_default().push(start);
                state
            }
        };
        self.with_state(network, question, state)
    }

    /// The innermost callers as a stack.
    fn callers(&mut self, callers: &dyn Callers, frames: usize) -> StackId {
        let depth = callers.depth();
        let kept = frames.min(depth);
        let mut stack = if kept < depth { UNKNOWN } else { EMPTY };
        for up in (0..kept).rev() {
            stack = self.stacks.push(stack, callers.follow(up));
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
    /// error is found behind it; otherwise the decision fails.
    fn dead(&mut self, network: &Network, question: Question<'_>, state: DfaId, at: usize) -> Answer {
        let configs = self.dfa.configs(state);
        let finished = |config: &&Config| {
            config.has(Config::OUTER)
                || (network.stops[network.state(config.state).rule as usize] == config.state
                    && self.stacks.has_empty(config.stack))
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
