//! One transition: from the positions of a set over a token to the positions after it.

use super::sets::{Position, SetId};
use super::stacks::{OWN_CALLERS, StackId, UNKNOWN_CALLERS};
use super::{CoarsePredictor, CoarseTables, MAX_VISITED, TOO_LARGE};
use crate::index::Index;
use crate::network::{Edge, StateId, StateKind};

/// Positions between two tokens. The memory is used again by the next transition.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    token: u32,
    /// Positions before the token, in the order in which they were reached; each once.
    reached: Vec<Position>,
    reached_index: Index,
    /// Positions after the token.
    pub(super) found: Vec<Position>,
}

impl CoarsePredictor {
    /// The set to which all positions of a set come over a token. A walk that takes the token at a state of the network,
    /// and would come to a target, goes on where `land(state, target)` says; `None` is anywhere.
    pub(super) fn step(
        &mut self,
        tables: CoarseTables<'_>,
        set: SetId,
        token: u32,
        land: impl Fn(StateId, StateId) -> Option<StateId>,
    ) -> SetId {
        if set == TOO_LARGE {
            return TOO_LARGE;
        }
        self.walk.begin(token);
        let mut least_precedence = 0;
        for position in self.sets.positions(set) {
            if *position == Position::END_OF_TEXT {
                self.walk.found.push(Position::END_OF_TEXT);
            } else if let Some(precedence) = position.as_least_precedence() {
                least_precedence = precedence;
            } else {
                self.walk.reach(tables, position.state, position.stack);
            }
        }
        let mut next = 0;
        while let Some(position) = self.walk.reached.get(next).copied() {
            next += 1;
            if next > MAX_VISITED || !self.visit(tables, position, least_precedence, &land) {
                return TOO_LARGE;
            }
        }
        self.sets.intern(&mut self.walk.found)
    }

    /// Follows all edges of a position; false if a walk could go on anywhere.
    fn visit(
        &mut self,
        tables: CoarseTables<'_>,
        position: Position,
        least_precedence: u32,
        land: &impl Fn(StateId, StateId) -> Option<StateId>,
    ) -> bool {
        let CoarseTables { network, look, .. } = tables;
        let Position { state, stack } = position;
        if network.state(state).kind == StateKind::RuleStop {
            self.leave(tables, position, network.state(state).rule);
            return true;
        }
        for edge in network.edges(state) {
            match *edge {
                Edge::Token(..) | Edge::Set(..) => {
                    if network.matches(*edge, self.walk.token as usize) {
                        let Some(target) = land(state, edge.target()) else { return false };
                        let stack = if stack == OWN_CALLERS { UNKNOWN_CALLERS } else { stack };
                        let state = network.shortcut[target as usize];
                        self.walk.found.push(Position { state, stack });
                    }
                }
                Edge::Call(call) => {
                    let first = look.next(network, call.start);
                    if first.contains(self.walk.token as usize) {
                        let follow = network.shortcut[call.follow as usize];
                        let callee = self.call(tables, stack, follow, call.rule);
                        self.walk.reach(tables, call.start, callee);
                    } else if first.epsilon {
                        self.walk.reach(tables, call.follow, stack);
                    }
                }
                Edge::Precedence(precedence, _) if stack == OWN_CALLERS && precedence < least_precedence => {}
                edge => self.walk.reach(tables, edge.target(), stack),
            }
        }
        true
    }

    /// Goes back to the callers at the end of a rule.
    fn leave(&mut self, tables: CoarseTables<'_>, position: Position, rule: u32) {
        let frame = self.stacks.innermost(position.stack);
        let is_bottom = position.stack <= OWN_CALLERS;
        if is_bottom || frame.is_region {
            let stack = if is_bottom { UNKNOWN_CALLERS } else { position.stack };
            for edge in tables.network.edges(position.state) {
                self.walk.reach(tables, edge.target(), stack);
            }
        }
        if is_bottom && rule == self.start {
            self.walk.found.push(Position::END_OF_TEXT);
        }
        if !is_bottom && (!frame.is_region || frame.rule == rule) {
            self.walk.reach(tables, frame.follow, frame.below);
        }
    }

    /// The stack inside a call. A call at the end of its rule adds nothing: the callee may return at once to where the
    /// caller returns to.
    fn call(&mut self, tables: CoarseTables<'_>, stack: StackId, follow: StateId, rule: u32) -> StackId {
        let is_last = tables.network.state(follow).kind == StateKind::RuleStop;
        if is_last && stack > OWN_CALLERS { stack } else { self.stacks.push(stack, follow, rule) }
    }
}

impl Walk {
    fn begin(&mut self, token: u32) {
        self.token = token;
        self.reached.clear();
        self.reached_index.clear();
        self.found.clear();
    }

    /// Adds a position to visit, if it can lead to the token.
    fn reach(&mut self, tables: CoarseTables<'_>, state: StateId, stack: StackId) {
        let state = tables.network.shortcut[state as usize];
        let next = tables.look.next(tables.network, state);
        if !next.epsilon && !next.contains(self.token as usize) {
            return;
        }
        let position = Position { state, stack };
        let (at, reached) = (self.reached.len(), &self.reached);
        let is_same = |at: u32| reached[at as usize] == position;
        if self.reached_index.get_or_insert(position.hash(), at, is_same).is_none() {
            self.reached.push(position);
        }
    }
}
