//! Which tokens can come next: ANTLR's LOOK, for sync, recovery and one-token decisions.
//!
//! FIRST of every rule is a least fixed point, computed once. What can come next at a state is then a short walk
//! inside its rule, done when first asked and kept. FOLLOW of a rule, needed only where an alternative can leave
//! its rule, is a walk over callers, also kept.

use super::{Edge, Network, StateId};
use crate::types::TypeSet;
use std::collections::VecDeque;
use std::sync::OnceLock;

/// LOOK sets, computed when asked for.
#[derive(Debug)]
pub(crate) struct Look {
    first: Vec<TypeSet>,
    next: Vec<OnceLock<TypeSet>>,
    follow: Vec<OnceLock<TypeSet>>,
}

impl Look {
    pub(crate) fn new(network: &Network) -> Look {
        let n_rules = network.starts.len();
        let empty = || TypeSet::empty(network.n_types);
        let mut look = Look {
            first: vec![empty(); n_rules],
            next: network.states.iter().map(|_| OnceLock::new()).collect(),
            follow: network.starts.iter().map(|_| OnceLock::new()).collect(),
        };
        look.solve(network);
        look
    }

    /// FIRST of all rules. A rule is looked at again when one that it may begin with has grown; those that wait longest
    /// come first, so that a rule of many alternatives is looked at when most of them are done. Rules are usually
    /// before those that they call: the last come first.
    fn solve(&mut self, network: &Network) {
        let rules: Vec<usize> =
            (0..network.starts.len()).filter(|rule| network.starts[*rule] != super::NO_STATE).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); network.starts.len()];
        let mut todo: VecDeque<usize> = rules.iter().rev().copied().collect();
        let mut waiting = vec![true; network.starts.len()];
        while let Some(rule) = todo.pop_front() {
            waiting[rule] = false;
            let mut called = Vec::new();
            let found = self.walk(network, network.starts[rule], &mut called);
            for callee in called {
                if !users[callee].contains(&rule) {
                    users[callee].push(rule);
                }
            }
            if self.first[rule].absorb(&found) {
                for user in &users[rule] {
                    if !std::mem::replace(&mut waiting[*user], true) {
                        todo.push_back(*user);
                    }
                }
            }
        }
    }

    /// What can come next at a state, inside its rule; `epsilon` if the rule can end.
    fn walk(&self, network: &Network, from: StateId, called: &mut Vec<usize>) -> TypeSet {
        let mut found = TypeSet::empty(network.n_types);
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![from];
        while let Some(state) = todo.pop() {
            if !seen.insert(state) {
                continue;
            }
            if network.stops[network.state(state).rule as usize] == state {
                found.epsilon = true;
                continue;
            }
            for edge in network.edges(state) {
                match *edge {
                    Edge::Epsilon(to) | Edge::Action(to) => todo.push(to),
                    Edge::Token(token, _) => found.insert(token as usize),
                    Edge::Set(set, _) => found.add(&network.sets[set as usize]),
                    Edge::Predicate(_, to) | Edge::Precedence(_, to) => {
                        found.predicate = true;
                        todo.push(to);
                    }
                    Edge::Call(call) => {
                        called.push(call.rule as usize);
                        let first = &self.first[call.rule as usize];
                        found.add(first);
                        found.predicate |= first.predicate;
                        if first.epsilon {
                            todo.push(call.follow);
                        }
                    }
                    Edge::Return { .. } => {}
                }
            }
        }
        found
    }

    /// What can come next at a state, inside its rule.
    pub(crate) fn next(&self, network: &Network, state: StateId) -> &TypeSet {
        self.next[state as usize].get_or_init(|| self.walk(network, state, &mut Vec::new()))
    }

    /// What can follow a rule, for any caller.
    fn follow(&self, network: &Network, rule: usize) -> &TypeSet {
        self.follow[rule].get_or_init(|| {
            let mut found = TypeSet::empty(network.n_types);
            let mut seen = rustc_hash::FxHashSet::default();
            let mut todo = vec![rule];
            while let Some(rule) = todo.pop() {
                if !seen.insert(rule) {
                    continue;
                }
                let returns = network.edges(network.stops[rule]);
                if returns.is_empty() {
                    found.insert(0); // ANTLR's tool lets the end of the input follow a rule without callers
                }
                for edge in returns {
                    let next = self.next(network, edge.target());
                    found.add(next);
                    found.predicate |= next.predicate;
                    if next.epsilon {
                        todo.push(network.state(edge.target()).rule as usize);
                    }
                }
            }
            found
        })
    }

    /// The table of a decision that one token decides, as generated code has it: the alternative by token type,
    /// 0 where none wants it. `None` if the alternatives overlap, or a predicate or a lazy loop is involved.
    pub(crate) fn one_token_table(&self, network: &Network, decision: usize) -> Option<Box<[u16]>> {
        let decision = network.decisions[decision];
        if decision.lazy {
            return None;
        }
        let mut table = vec![0; network.n_types];
        let mut all = TypeSet::empty(network.n_types);
        for (at, edge) in network.edges(decision.state).iter().enumerate() {
            let mut look = self.next(network, edge.target()).clone();
            if look.epsilon {
                let rule = network.state(decision.state).rule as usize;
                look.absorb(self.follow(network, rule));
            }
            if look.predicate || look.is_empty() || look.intersects(&all) {
                return None;
            }
            all.add(&look);
            for token in look.iter() {
                table[token.index()] = u16::try_from(at + 1).ok()?;
            }
        }
        Some(table.into())
    }
}
