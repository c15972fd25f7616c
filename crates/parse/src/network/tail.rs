//! Drops the last state of an alternative where ANTLR does.
//!
//! When a block is closed, an edge into a state that only leads on to a block end goes to the block end itself.
//! ANTLR finds such edges by walking from the alternative's first state, and that walk goes *into* called rules,
//! never past a call. So a call at the end of an alternative returns to the block end only if no other call
//! is before it. Which state a call returns to can be observed, so this is copied as it is.

use super::build::{DraftState, redirected, target_after};
use super::{Edge, StateId, StateKind};
use rustc_hash::FxHashSet;

/// Redirects the edges of one alternative.
pub(super) fn merge_tail(states: &mut [DraftState], first: StateId) {
    let mut seen = FxHashSet::default();
    let mut todo = vec![first];
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        shorten(states, at);
        for edge in &states[at as usize].edges {
            if !matches!(edge, Edge::Call(_)) {
                todo.push(edge.target());
            }
        }
    }
}

fn shorten(states: &mut [DraftState], at: StateId) {
    let state = &states[at as usize];
    let (StateKind::Basic, [edge]) = (state.kind, &state.edges[..]) else { return };
    let next = &states[target_after(*edge) as usize];
    // A predicate counts as empty here, as it does in ANTLR: seen a second time, from an outer block, it is lost.
    let (StateKind::Basic, [Edge::Epsilon(end) | Edge::Predicate(_, end) | Edge::Precedence(_, end)]) =
        (next.kind, &next.edges[..])
    else {
        return;
    };
    let closes = [StateKind::BlockEnd, StateKind::PlusLoopBack, StateKind::StarLoopBack];
    if closes.contains(&states[*end as usize].kind) {
        let shortened = redirected(*edge, *end);
        states[at as usize].edges[0] = shortened;
    }
}
