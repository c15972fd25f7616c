//! The walks of the first stage that the present parse has taken, and the states that it met on them.
//!
//! To ANTLR two states of a decision are one if they differ only in which configurations have left the decision's rule; the
//! state that was met first is kept, with its marks. The marks are looked at where nothing survives a token: they say which
//! alternative is taken then. So that answer depends on earlier walks. ANTLR means any walk that it ever took; here
//! it is those of the same parse, so that a result depends on the input alone.
//!
//! Our automata keep such states apart. A parse only notes its walks ([`History::note`]); they are taken again, over the states
//! that ANTLR would have, when a token first leaves nothing.

use super::configs::Config;
use super::dfa::{ANSWER, Dfa, DfaId, VERDICT};
use super::{Predictor, Question};
use crate::network::Network;
use rustc_hash::FxHashMap;

/// The walks of a parse. Empty between parses.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    walks: Vec<Walk>,
    /// The number of walks that were taken again.
    n_replayed: usize,
    /// By state: the one that was met first among those that are one to ANTLR.
    first_of: FxHashMap<DfaId, DfaId>,
    first_with: FxHashMap<StateKey, DfaId>,
}

/// A walk that looked at more than one token.
#[derive(Debug, Clone, Copy)]
struct Walk {
    decision: u32,
    precedence: u32,
    /// The place of its first token.
    at: u32,
}

/// What is the same for all states that are one to ANTLR: the decision, the configurations without marks, and whether any
/// has a mark.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct StateKey {
    decision: u32,
    is_marked: bool,
    configs: Box<[Config]>,
}

impl History {
    /// Notes a walk that looked at more than one token. Shorter ones meet no state that matters.
    #[inline]
    pub(crate) fn note(&mut self, decision: u32, precedence: u32, at: usize) {
        self.walks.push(Walk { decision, precedence, at: at as u32 });
    }

    /// Before and after a parse.
    pub(crate) fn clear(&mut self) {
        self.walks.clear();
        self.n_replayed = 0;
        self.first_of.clear();
        self.first_with.clear();
    }

    /// The automata were dropped, and with them the numbers of states. The walks of a parse that goes on stay.
    pub(super) fn forget_states(&mut self) {
        if self.walks.is_empty() {
            self.walks = Vec::new();
        }
        self.n_replayed = 0;
        self.first_of.clear();
        self.first_with.clear();
    }

    /// Bytes kept for the next parse.
    pub(super) fn memory(&self) -> usize {
        self.walks.capacity() * size_of::<Walk>()
    }

    /// The state that was met first among those that are one to ANTLR.
    fn first(&mut self, dfa: &Dfa, decision: u32, state: DfaId) -> DfaId {
        if let Some(first) = self.first_of.get(&state) {
            return *first;
        }
        let configs = dfa.configs(state);
        let unmarked = |config: &Config| Config { flags: config.flags & !Config::OUTER, ..*config };
        let is_marked = configs.iter().any(|config| config.has(Config::OUTER));
        let mut configs: Box<[Config]> = configs.iter().map(unmarked).collect();
        // Long walks find them in another order.
        configs.sort_unstable();
        let key = StateKey { decision, is_marked, configs };
        let first = *self.first_with.entry(key).or_insert(state);
        self.first_of.insert(state, first);
        first
    }
}

impl Predictor {
    /// The state of the first stage before the token at `end`, as ANTLR has it after all walks of this parse.
    pub(super) fn met_first(&mut self, network: &Network, question: Question<'_>, end: usize) -> DfaId {
        while let Some(Walk { decision, precedence, at }) =
            self.history.walks.get(self.history.n_replayed).copied()
        {
            self.history.n_replayed += 1;
            let walk = Question { decision, precedence, at: at as usize, ..question };
            self.replay(network, walk, question.types.len());
        }
        self.replay(network, question, end)
    }

    /// Takes a walk again, over the states that were met first. The last state before the token at `end`, or before the
    /// answer.
    fn replay(&mut self, network: &Network, question: Question<'_>, end: usize) -> DfaId {
        let start = self.start(network, question);
        let mut state = self.history.first(&self.dfa, question.decision, start);
        for token in &question.types[question.at..end.min(question.types.len())] {
            let edge = self.first_stage_edge(network, question, state, *token as usize);
            if edge & (ANSWER | VERDICT) != 0 || self.closure.exhausted() {
                break;
            }
            state = self.history.first(&self.dfa, question.decision, edge);
        }
        state
    }
}
