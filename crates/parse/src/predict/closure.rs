//! Follows edges that cost nothing until a token is needed.
//!
//! Depth first, in the order of the edges, with a stack of its own. In the first stage (`Bottom::Wildcard`) a
//! walk that leaves the decision's rule goes on behind every call of it; in the second it goes where the real
//! callers are, and stops with [`Walk::needs_more`] if it would need a frame that was cut off.

use super::conditions::Conditions;
use super::configs::{Config, ConfigSet};
use super::stacks::{Bottom, EMPTY, EMPTY_RETURN, Stacks, UNKNOWN_RETURN};
use crate::network::{Edge, Network, StateId, StateKind};
use rustc_hash::FxHashSet;

/// What a walk needs to know, and the memory that it uses again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walk {
    todo: Vec<Task>,
    pub(crate) busy: FxHashSet<Config>,
    /// Where ways part or come together, with what the walk knew there: a second visit would find nothing new.
    /// Without this, rules that can be empty in many ways would be walked exponentially often.
    pub(crate) seen: FxHashSet<(Config, i32)>,
    /// A frame below those given was asked for.
    pub(crate) needs_more: bool,
    pub(crate) steps: u64,
    /// After so many steps nothing more is walked, and what was found is not to be used.
    pub(crate) limit: u64,
}

#[derive(Debug, Clone, Copy)]
struct Task {
    config: Config,
    /// Calls entered minus rules left; predicates are collected at 0.
    depth: i32,
    collect: bool,
    /// The edge to follow next; `ARRIVE` before the first.
    edge: u32,
}

const ARRIVE: u32 = u32::MAX;

/// How a walk treats what it meets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) bottom: Bottom,
    /// The token ahead is the end of the input, so edges that want it are free.
    pub(crate) at_eof: bool,
    /// Collect predicates (only at the decision itself).
    pub(crate) collect: bool,
    /// The rule whose precedence decision is being taken, if it is one.
    pub(crate) precedence_rule: Option<u32>,
    /// The precedence of the present invocation.
    pub(crate) precedence: u32,
}

/// The parts of the predictor that a walk works with.
pub(crate) struct Room<'a> {
    pub(crate) network: &'a Network,
    /// By code number: the predicate reads its rule's context.
    pub(crate) contextual: &'a [bool],
    pub(crate) stacks: &'a mut Stacks,
    pub(crate) conditions: &'a mut Conditions,
}

impl Walk {
    pub(crate) fn exhausted(&self) -> bool {
        self.steps > self.limit
    }

    /// Adds everything reachable from `config` to `out`.
    pub(crate) fn closure(
        &mut self,
        room: &mut Room<'_>,
        config: Config,
        manner: Manner,
        out: &mut ConfigSet,
    ) {
        let start = config.at(room.network.shortcut[config.state as usize]);
        self.todo.push(Task { config: start, depth: 0, collect: manner.collect, edge: ARRIVE });
        while let Some(mut task) = self.todo.pop() {
            self.steps += 1;
            if self.exhausted() {
                self.todo.clear();
                return;
            }
            let state = room.network.state(task.config.state);
            if task.edge == ARRIVE {
                let parts = state.count > 1 || state.kind == StateKind::RuleStop;
                let depth = if task.collect { task.depth } else { i32::MIN };
                if parts && !self.seen.insert((task.config, depth)) {
                    continue;
                }
                if state.kind == StateKind::RuleStop && self.leave(room, task, manner, out) {
                    continue;
                }
                if state.consumes {
                    out.add(task.config, room.stacks, manner.bottom);
                    if !manner.at_eof {
                        continue;
                    }
                }
                task.edge = u32::from(state.precedence_decision && self.drops_first_edge(room, task.config));
            }
            if task.edge >= state.count {
                continue;
            }
            let edge = room.network.edges[(state.first + task.edge) as usize];
            task.edge += 1;
            if task.edge < state.count {
                self.todo.push(task);
            }
            if let Some(next) = self.step(room, task, edge, manner) {
                self.todo.push(next);
            }
        }
    }

    /// At the end of a rule: back to the callers on the stack. False if the walk goes on behind every call.
    fn leave(&mut self, room: &mut Room<'_>, task: Task, manner: Manner, out: &mut ConfigSet) -> bool {
        let config = task.config;
        if config.stack == EMPTY {
            if manner.bottom == Bottom::Real {
                out.add(config, room.stacks, manner.bottom);
                return true;
            }
            return false;
        }
        for at in (0..room.stacks.entries(config.stack).len()).rev() {
            let (state, stack) = room.stacks.entries(config.stack)[at];
            match state {
                EMPTY_RETURN => self.todo.push(Task { config: Config { stack: EMPTY, ..config }, ..task }),
                UNKNOWN_RETURN => {
                    self.needs_more = true;
                    self.todo.clear();
                    return true;
                }
                state => {
                    let state = room.network.shortcut[state as usize];
                    let config = Config { state, stack, ..config };
                    self.todo.push(Task { config, depth: task.depth - 1, ..task });
                }
            }
        }
        true
    }

    fn step(&mut self, room: &mut Room<'_>, task: Task, edge: Edge, manner: Manner) -> Option<Task> {
        let mut next = Task { edge: ARRIVE, ..task };
        match edge {
            Edge::Epsilon(_) => {}
            Edge::Action(_) => next.collect = false,
            Edge::Call(call) => {
                next.config.stack = room.stacks.push(task.config.stack, call.follow);
                if task.depth >= 0 {
                    next.depth += 1;
                }
            }
            Edge::Precedence(precedence, _) => {
                if task.collect && task.depth == 0 {
                    match manner.bottom {
                        Bottom::Real if precedence < manner.precedence => return None,
                        Bottom::Real => {}
                        Bottom::Wildcard => {
                            next.config.condition =
                                room.conditions.and_precedence(task.config.condition, precedence);
                        }
                    }
                }
            }
            Edge::Predicate(code, _) => {
                if task.collect && (task.depth == 0 || !room.contextual[code.index()]) {
                    match manner.bottom {
                        Bottom::Real if !room.conditions.code_holds(code) => return None,
                        Bottom::Real => {}
                        Bottom::Wildcard => {
                            next.config.condition = room.conditions.and_code(task.config.condition, code);
                        }
                    }
                }
            }
            Edge::Token(..) | Edge::Set(..) => {
                if !(manner.at_eof && room.network.matches(edge, 0)) {
                    return None;
                }
            }
            Edge::Return { outermost, .. } => {
                if outermost && manner.precedence_rule == Some(room.network.state(task.config.state).rule) {
                    next.config.flags |= Config::SUPPRESSED;
                }
                next.config.flags |= Config::OUTER;
                next.depth -= 1;
            }
        }
        next.config.state = room.network.shortcut[edge.target() as usize];
        let may_go_round = matches!(edge, Edge::Return { .. } | Edge::Token(..) | Edge::Set(..));
        if may_go_round {
            // Equality ignores whether a walk was outside before.
            let key = Config { flags: next.config.flags & Config::SUPPRESSED, ..next.config };
            if !self.busy.insert(key) {
                return None;
            }
        }
        Some(next)
    }

    /// ANTLR's shortcut at the loop of a left-recursive rule: if every caller is the same rule, at a place from
    /// which only its own loop follows, that loop does what this one would do.
    fn drops_first_edge(&mut self, room: &Room<'_>, config: Config) -> bool {
        let network = room.network;
        let entries = room.stacks.entries(config.stack);
        if room.stacks.has_empty(config.stack) {
            return false;
        }
        if entries.iter().any(|entry| entry.0 == UNKNOWN_RETURN) {
            self.needs_more = true;
            self.todo.clear();
            return false;
        }
        let rule = network.state(config.state).rule;
        let block = network.edges(config.state)[0].target();
        let end = network.block_ends[block as usize];
        entries.iter().all(|(state, _)| {
            network.state(*state).rule == rule && returns_into_loop(network, *state, config.state, end)
        })
    }
}

fn returns_into_loop(network: &Network, state: StateId, entry: StateId, end: StateId) -> bool {
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
