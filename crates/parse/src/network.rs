//! The network that prediction and recovery walk: ANTLR's ATN, built from a grammar as written.
//!
//! A state has a few edges; an edge consumes a token, or calls a rule, or costs nothing. Everything that can be
//! observed is copied from ANTLR: left-recursive rules become a primary and a loop of operators
//! ([`build`]), blocks of single tokens become sets, and states that ANTLR drops are dropped, because
//! the state to which a call returns decides which stacks are equal, and with it where an error is seen.
//!
//! States and edges are in two flat arrays. The parser itself does not walk the network: it runs a
//! [`crate::program::Program`] whose instructions name states of the network.

mod build;
mod check;
mod facts;
mod look;
mod tail;

pub(crate) use build::{BlockStates, Built, build};
pub(crate) use check::check;
pub(crate) use facts::{NO_RULE, NetworkFacts};
pub(crate) use look::Look;

use crate::types::TypeSet;
use polysmith_grammar::CodeId;

/// Number of a state.
pub(crate) type StateId = u32;

/// No state.
pub(crate) const NO_STATE: StateId = u32::MAX;

/// What a state is for, as far as sync and prediction ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateKind {
    Basic,
    RuleStart,
    RuleStop,
    BlockStart,
    BlockEnd,
    StarLoopEntry,
    StarLoopBack,
    PlusLoopBack,
    LoopEnd,
}

/// A state: its edges are `edges[first..first + count]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    pub(crate) kind: StateKind,
    /// The number of the rule that it belongs to.
    pub(crate) rule: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Has no edge, or edges that consume: prediction stops to look at the next token.
    pub(crate) consumes: bool,
    /// For the loop entry that decides between the operators of a left-recursive rule and its end.
    pub(crate) precedence_decision: bool,
}

/// A way from a state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Epsilon(StateId),
    /// Consumes this type.
    Token(u32, StateId),
    /// Consumes a type of this set.
    Set(u32, StateId),
    Call(Call),
    Predicate(CodeId, StateId),
    /// Passable if this precedence is at least that of the invocation.
    Precedence(u32, StateId),
    Action(StateId),
    /// From the end of a rule to the state after one of its calls. `outermost`: the call asked for any precedence.
    Return {
        target: StateId,
        outermost: bool,
    },
}

/// A call of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    /// The rule's start.
    pub(crate) start: StateId,
    pub(crate) rule: u32,
    pub(crate) precedence: u32,
    /// Where the caller goes on.
    pub(crate) follow: StateId,
}

impl Edge {
    /// Where it leads; for a call, the start of the rule.
    pub(crate) fn target(self) -> StateId {
        match self {
            Edge::Epsilon(to) | Edge::Token(_, to) | Edge::Set(_, to) | Edge::Action(to) => to,
            Edge::Predicate(_, to) | Edge::Precedence(_, to) | Edge::Return { target: to, .. } => to,
            Edge::Call(call) => call.start,
        }
    }

    /// Whether it consumes a token.
    pub(crate) fn consumes(self) -> bool {
        matches!(self, Edge::Token(..) | Edge::Set(..))
    }
}

/// A choice between the edges of a state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decision {
    pub(crate) state: StateId,
    /// A loop or optional block that prefers to end.
    pub(crate) lazy: bool,
}

/// The whole network.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) states: Vec<State>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) sets: Vec<TypeSet>,
    pub(crate) decisions: Vec<Decision>,
    /// Start and stop state of each rule, by its number; [`NO_STATE`] for token rules.
    pub(crate) starts: Vec<StateId>,
    pub(crate) stops: Vec<StateId>,
    /// Number of token types, EOF included.
    pub(crate) n_types: usize,
    /// Where a walk really goes on from a state: past states whose only edge is a plain epsilon.
    pub(crate) shortcut: Vec<StateId>,
    /// The end of the block that starts at a state.
    pub(crate) block_ends: Vec<StateId>,
}

impl Network {
    #[inline]
    pub(crate) fn state(&self, id: StateId) -> &State {
        &self.states[id as usize]
    }

    #[inline]
    pub(crate) fn edges(&self, id: StateId) -> &[Edge] {
        let state = self.state(id);
        &self.edges[state.first as usize..(state.first + state.count) as usize]
    }

    /// The call that leaves a state.
    pub(crate) fn call(&self, id: StateId) -> Call {
        match self.edges(id) {
            [Edge::Call(call)] => *call,
            _ => unreachable!("frames name states that call"),
        }
    }

    /// Whether an edge consumes this type.
    #[inline]
    pub(crate) fn matches(&self, edge: Edge, token: usize) -> bool {
        match edge {
            Edge::Token(wanted, _) => wanted as usize == token,
            Edge::Set(set, _) => self.sets[set as usize].contains(token),
            _ => false,
        }
    }
}
