//! What prediction has learned: states with rows of edges by token type.
//!
//! An edge is one `u32`. Most edges end the question at once, so the answer is in the edge itself and no
//! target is loaded; an edge that goes on is the number of the next state, so a walk reads rows only. Rows are dense where the grammar has few token types, else a hash map holds the edges.
//! Configurations are stored elsewhere: they are needed only to learn another edge.

use super::configs::Config;
use crate::index::{Index, Mix};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of a state.
pub(crate) type DfaId = u32;

/// Not computed yet.
pub(crate) const UNKNOWN_EDGE: u32 = u32::MAX;
/// No configuration survives.
pub(crate) const DEAD_EDGE: u32 = u32::MAX - 1;
/// The answer: the alternative is in the low half.
pub(crate) const ANSWER: u32 = 1 << 31;
/// The answer was the least of several that fit to the end.
pub(crate) const AMBIGUOUS: u32 = 1 << 30;
/// The state it leads to has a verdict: it is not [`Verdict::Open`].
pub(crate) const VERDICT: u32 = 1 << 29;
/// The alternative of an answer.
pub(crate) const ALT_MASK: u32 = 0xFFFF;

const MAX_DENSE_TYPES: usize = 768;

/// Alternatives, each with the conditions of which one must hold; none means that it always fits.
pub(crate) type Options = Arc<[(u16, Vec<u32>)]>;

/// What to do at a state.
#[derive(Debug, Clone)]
pub(crate) enum Verdict {
    /// Look at the next token.
    Open,
    /// One alternative is left or several conflict; which of them depends on conditions, by alternative.
    Conditional { options: Options, conflict: bool },
    /// Several alternatives cannot be told apart without the real callers.
    Conflict,
}

#[derive(Debug, Clone)]
struct DfaState {
    configs: Arc<[Config]>,
    realm: u32,
    verdict: Verdict,
}

/// All states of all decisions.
#[derive(Debug, Clone)]
pub(crate) struct Dfa {
    states: Vec<DfaState>,
    /// By configurations, realm, and whether the state is open: a start looks at a token whatever its configurations say
    /// of each other, so one that is reached with the same configurations and conflicts is another state.
    ids: Index,
    /// By state: where its row begins.
    starts: Vec<u32>,
    rows: Vec<u32>,
    sparse: FxHashMap<u64, u32>,
    width: usize,
    dense: bool,
    n_configs: usize,
}

impl Dfa {
    /// For rows of `width` token types.
    pub(crate) fn new(width: usize) -> Dfa {
        Dfa {
            states: Vec::new(),
            ids: Index::default(),
            starts: Vec::new(),
            rows: Vec::new(),
            sparse: FxHashMap::default(),
            width,
            dense: width <= MAX_DENSE_TYPES,
            n_configs: 0,
        }
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        self.rows.len() * 4 + self.sparse.len() * 16 + self.states.len() * 96 + self.n_configs * 16
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The edge that leads to a state.
    pub(crate) fn edge_to(&self, state: DfaId) -> u32 {
        match self.states[state as usize].verdict {
            Verdict::Open => state,
            _ => state | VERDICT,
        }
    }

    /// The state with these configurations. `realm` keeps apart states that must not be shared: those of
    /// different decisions, and of the two stages.
    pub(crate) fn state(&mut self, configs: &[Config], realm: u32, verdict: Verdict) -> DfaId {
        let open = matches!(verdict, Verdict::Open);
        let mut mix = Mix::default().and_both(realm, u32::from(open));
        for config in configs {
            let [a, b] = config.words();
            mix = mix.and(a).and(b);
        }
        let is_same = |id: DfaId| {
            let state = &self.states[id as usize];
            state.realm == realm
                && matches!(state.verdict, Verdict::Open) == open
                && *state.configs == *configs
        };
        let id = self.states.len() as DfaId;
        if let Some(known) = self.ids.get_or_insert(mix.hash(), self.states.len(), is_same) {
            return known;
        }
        self.starts.push(self.rows.len() as u32);
        if self.dense && open {
            self.rows.resize(self.rows.len() + self.width, UNKNOWN_EDGE);
        }
        self.n_configs += configs.len();
        self.states.push(DfaState { configs: configs.into(), realm, verdict });
        id
    }

    #[inline]
    pub(crate) fn edge(&self, state: DfaId, token: usize) -> u32 {
        if self.dense {
            self.rows[self.starts[state as usize] as usize + token]
        } else {
            let key = u64::from(state) << 32 | token as u64;
            self.sparse.get(&key).copied().unwrap_or(UNKNOWN_EDGE)
        }
    }

    pub(crate) fn set_edge(&mut self, state: DfaId, token: usize, edge: u32) {
        if self.dense {
            self.rows[self.starts[state as usize] as usize + token] = edge;
        } else {
            self.sparse.insert(u64::from(state) << 32 | token as u64, edge);
        }
    }

    pub(crate) fn configs(&self, state: DfaId) -> Arc<[Config]> {
        self.states[state as usize].configs.clone()
    }

    /// What to do at the end of an edge.
    pub(crate) fn verdict(&self, edge: u32) -> &Verdict {
        &self.states[(edge & !VERDICT) as usize].verdict
    }
}
