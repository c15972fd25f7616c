//! What prediction's walks know about a network beforehand.
//!
//! A walk merges what it knows wherever ways come together, so it should arrive everywhere from all sides before it
//! goes on. The *rank* of a state says when: states are ranked such that edges which consume nothing lead to higher
//! ranks, calls and returns included. Only rules that can be empty and rules that end with themselves make that
//! impossible in places; there a walk comes back, which costs time but changes nothing.

use super::{Edge, Look, NO_STATE, Network, StateId, StateKind};

/// No rule.
pub(crate) const NO_RULE: u32 = u32::MAX;

/// Facts about states and rules, by their numbers.
#[derive(Debug)]
pub(crate) struct NetworkFacts {
    /// By state: when a walk should look at it; the least first.
    pub(crate) ranks: Vec<u32>,
    /// By state: its rule.
    pub(crate) rules: Vec<u32>,
    /// By state: the left-recursive rule whose loop follows at once if a call returns here; [`NO_RULE`] if none.
    pub(crate) loops: Vec<u32>,
    /// By rule: it can be empty.
    pub(crate) nullable: Vec<bool>,
    /// By rule: it has predicates that only count in the rule of the decision.
    pub(crate) own_conditions: Vec<bool>,
    /// Some predicate counts wherever it is met.
    pub(crate) free_predicates: bool,
    /// By number of the predicate: it reads its rule's context.
    pub(crate) contextual: Vec<bool>,
}

impl NetworkFacts {
    pub(crate) fn new(network: &Network, look: &Look, contextual: Vec<bool>) -> NetworkFacts {
        let nullable = |start: &StateId| *start != NO_STATE && look.next(network, *start).epsilon;
        let mut facts = NetworkFacts {
            ranks: ranks(network),
            rules: network.states.iter().map(|state| state.rule).collect(),
            loops: vec![NO_RULE; network.states.len()],
            nullable: network.starts.iter().map(nullable).collect(),
            own_conditions: vec![false; network.starts.len()],
            free_predicates: false,
            contextual,
        };
        let entries = (0..network.states.len() as StateId)
            .filter(|state| network.state(*state).precedence_decision)
            .map(|state| (network.state(state).rule, state));
        let entries: rustc_hash::FxHashMap<u32, StateId> = entries.collect();
        for (at, state) in network.states.iter().enumerate() {
            if let Some(entry) = entries.get(&state.rule)
                && returns_into_loop(network, at as StateId, *entry)
            {
                facts.loops[at] = state.rule;
            }
            for edge in network.edges(at as StateId) {
                match edge {
                    Edge::Precedence(..) => facts.own_conditions[state.rule as usize] = true,
                    Edge::Predicate(code, _) if facts.contextual[code.index()] => {
                        facts.own_conditions[state.rule as usize] = true;
                    }
                    Edge::Predicate(..) => facts.free_predicates = true,
                    _ => {}
                }
            }
        }
        facts
    }
}

/// Whether a call that returns to this state of a left-recursive rule goes straight back to the rule's loop.
fn returns_into_loop(network: &Network, state: StateId, entry: StateId) -> bool {
    let end = network.block_ends[network.edges(entry)[0].target() as usize];
    let [edge] = network.edges(state) else { return false };
    if edge.consumes() {
        return false;
    }
    let target = edge.target();
    let kind = |state: StateId| network.state(state).kind;
    (kind(state) == StateKind::BlockEnd && target == entry)
        || state == end
        || target == end
        || (kind(target) == StateKind::BlockEnd
            && matches!(network.edges(target), [edge] if !edge.consumes() && edge.target() == entry))
}

/// States in the order in which a depth-first search over edges that consume nothing leaves them, reversed.
fn ranks(network: &Network) -> Vec<u32> {
    let n_states = network.states.len();
    let mut ranks = vec![u32::MAX; n_states];
    let mut met = vec![false; n_states];
    let mut next_rank = n_states as u32;
    // States on the present way, each with the edge to follow next.
    let mut way: Vec<(StateId, usize)> = Vec::new();
    for first in 0..n_states as StateId {
        if std::mem::replace(&mut met[first as usize], true) {
            continue;
        }
        way.push((first, 0));
        while let Some((state, at)) = way.last_mut() {
            let Some(edge) = network.edges(*state).get(*at) else {
                next_rank -= 1;
                ranks[*state as usize] = next_rank;
                way.pop();
                continue;
            };
            *at += 1;
            let target = edge.target();
            if !edge.consumes() && !std::mem::replace(&mut met[target as usize], true) {
                way.push((target, 0));
            }
        }
    }
    ranks
}
