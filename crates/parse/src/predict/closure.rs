//! Follows edges that cost nothing until a token is needed.
//!
//! In the first stage (`Bottom::Wildcard`) a walk that leaves the decision's rule goes on behind every call of it; in
//! the second it goes where the real callers are, and stops with [`Walk::needs_more`] if it would need a frame that
//! was cut off.
//!
//! Short walks go depth first, as ANTLR's do; a walk that gets long is taken again with merging: what is found is a
//! set, and every step treats each stack by itself, so stacks may be merged on the way ([`Queue`]).
//! Two things look at more than one stack or at the order. ANTLR's shortcut at the loop of a left-recursive rule asks
//! whether all stacks of a configuration return into that loop: merging keeps those apart. And a place behind the
//! decision's rule is visited once, even if predicates count for one visitor and not for another: then the walk ends
//! with [`Walk::order_matters`] and is to be taken again depth first.

use super::conditions::Conditions;
use super::configs::{Config, ConfigSet};
use super::queue::{Order, Place, Queue};
use super::stacks::{Bottom, EMPTY, EMPTY_RETURN, Stacks, UNKNOWN_RETURN};
use crate::network::{Edge, Network, StateKind, Ways};
use rustc_hash::FxHashMap;

/// What a walk needs to know, and the memory that it uses again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walk {
    queue: Queue,
    /// Places behind edges that may lead round for ever; whether predicates counted there.
    busy: FxHashMap<Config, bool>,
    /// A frame below those given was asked for.
    pub(crate) needs_more: bool,
    /// What was found depends on the order of the walk.
    pub(crate) order_matters: bool,
    pub(crate) steps: u64,
    /// After so many steps nothing more is walked, and what was found is not to be used.
    pub(crate) limit: u64,
}

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
    pub(crate) ways: &'a Ways,
    pub(crate) stacks: &'a mut Stacks,
    pub(crate) conditions: &'a mut Conditions,
}

impl Walk {
    pub(crate) fn exhausted(&self) -> bool {
        self.steps > self.limit
    }

    /// Adds everything reachable from some configurations to `out`; false if that takes more than `most` steps.
    pub(crate) fn closure(
        &mut self,
        room: &mut Room<'_>,
        from: impl DoubleEndedIterator<Item = Config>,
        manner: Manner,
        (order, most): (Order, u64),
        out: &mut ConfigSet,
    ) -> bool {
        self.queue.start(order);
        self.busy.clear();
        self.order_matters = false;
        for config in from.rev() {
            let config = config.at(room.network.shortcut[config.state as usize]);
            let rule = room.ways.rules[config.state as usize] as usize;
            let collect = manner.collect && (room.ways.own_conditions[rule] || room.ways.free_predicates);
            self.queue.put(Place { config, depth: 0, collect, round: false }, room.ways, room.stacks);
        }
        let mut left = most;
        while let Some(place) = self.queue.next() {
            self.steps += 1 + room.stacks.merges_since();
            if self.exhausted() || left == 0 {
                return self.exhausted();
            }
            left -= 1;
            if (!place.round || self.is_first(place)) && self.queue.is_new(place) {
                self.visit(room, place, manner, out);
            }
        }
        true
    }

    /// Whether nobody came here before over an edge that may lead round. Equality ignores whether a walk was outside
    /// before, and whether predicates count.
    fn is_first(&mut self, place: Place) -> bool {
        let key = Config { flags: place.config.flags & Config::SUPPRESSED, ..place.config };
        let before = self.busy.insert(key, place.collect);
        self.order_matters |=
            self.queue.order == Order::Merged && before.is_some_and(|collect| collect != place.collect);
        before.is_none()
    }

    fn visit(&mut self, room: &mut Room<'_>, place: Place, manner: Manner, out: &mut ConfigSet) {
        let Config { state: id, stack, .. } = place.config;
        let state = *room.network.state(id);
        if state.kind == StateKind::RuleStop && self.leave(room, place, manner, out) {
            return;
        }
        if state.consumes {
            out.add(Config { stack: room.stacks.plain(stack), ..place.config }, room.stacks);
            if !manner.at_eof {
                return;
            }
        }
        let first = u32::from(state.precedence_decision && self.drops_first_edge(room, place.config));
        let edges = &room.network.edges[(state.first + first) as usize..(state.first + state.count) as usize];
        match self.queue.order {
            Order::Merged => {
                for edge in edges {
                    self.follow(room, place, *edge, manner, out);
                }
            }
            Order::DepthFirst => {
                for edge in edges.iter().rev() {
                    if let Some(next) = ahead(room, place, *edge, manner) {
                        self.queue.put(next, room.ways, room.stacks);
                    }
                }
            }
        }
    }

    /// Along an edge; where a token is needed there, the walk ends at once.
    #[inline(always)]
    fn follow(&mut self, room: &mut Room<'_>, place: Place, edge: Edge, manner: Manner, out: &mut ConfigSet) {
        let Some(next) = ahead(room, place, edge, manner) else { return };
        let state = room.network.state(next.config.state);
        if state.consumes && state.kind != StateKind::RuleStop && !next.round && !manner.at_eof {
            out.add(Config { stack: room.stacks.plain(next.config.stack), ..next.config }, room.stacks);
        } else {
            self.queue.put(next, room.ways, room.stacks);
        }
    }

    /// At the end of a rule: back to the callers on the stack. False if the walk goes on behind every call.
    fn leave(&mut self, room: &mut Room<'_>, place: Place, manner: Manner, out: &mut ConfigSet) -> bool {
        let config = place.config;
        if config.stack == EMPTY {
            if manner.bottom == Bottom::Real {
                out.add(config, room.stacks);
                return true;
            }
            return false;
        }
        for at in (0..room.stacks.entries(config.stack).len()).rev() {
            let (state, stack) = room.stacks.entries(config.stack)[at];
            let next = match state {
                EMPTY_RETURN => Place { config: Config { stack: EMPTY, ..config }, ..place },
                UNKNOWN_RETURN => {
                    self.needs_more = true;
                    self.queue.stop();
                    return true;
                }
                state => {
                    let state = room.network.shortcut[state as usize];
                    outwards(Place { config: Config { state, stack, ..config }, ..place }, room.ways)
                }
            };
            self.queue.put(Place { round: false, ..next }, room.ways, room.stacks);
        }
        true
    }

    /// ANTLR's shortcut at the loop of a left-recursive rule: if every caller is the same rule, at a place from
    /// which only its own loop follows, that loop does what this one would do.
    fn drops_first_edge(&mut self, room: &Room<'_>, config: Config) -> bool {
        if room.stacks.has_empty(config.stack) {
            return false;
        }
        if room.stacks.entries(config.stack).iter().any(|entry| entry.0 == UNKNOWN_RETURN) {
            self.needs_more = true;
            self.queue.stop();
            return false;
        }
        room.stacks.common_loop(config.stack) == room.ways.rules[config.state as usize]
    }
}

/// A place of a caller of what `place` was in.
fn outwards(place: Place, ways: &Ways) -> Place {
    if !place.collect {
        return place;
    }
    let depth = (place.depth - 1).max(-1);
    let collect = depth >= 0 || ways.free_predicates;
    Place { depth: if collect { depth } else { 0 }, collect, ..place }
}

/// A place of a rule called in `place`.
fn inwards(place: Place, rule: u32, ways: &Ways) -> Place {
    if !place.collect || place.depth < 0 {
        return place;
    }
    // What needs a token does not end in this walk.
    let depth = if ways.nullable[rule as usize] { place.depth + 1 } else { -1 };
    let collect = depth >= 0 || ways.free_predicates;
    Place { depth: if collect { depth } else { 0 }, collect, ..place }
}

/// Where an edge leads, past places from which there is one way only; `None` if it is closed. Rules begin and calls
/// return at places where ways come together, so it does not go past those.
#[inline(always)]
fn ahead(room: &mut Room<'_>, mut place: Place, mut edge: Edge, manner: Manner) -> Option<Place> {
    loop {
        place = step(room, place, edge, manner)?;
        let state = room.network.state(place.config.state);
        let comes_together = matches!(edge, Edge::Call(_) | Edge::Return { .. });
        let ends = state.consumes || state.count != 1 || state.kind == StateKind::RuleStop;
        if comes_together || ends || manner.at_eof {
            return Some(place);
        }
        edge = room.network.edges[state.first as usize];
    }
}

/// Where an edge leads; `None` if it is closed.
#[inline(always)]
fn step(room: &mut Room<'_>, place: Place, edge: Edge, manner: Manner) -> Option<Place> {
    let mut next = Place { round: false, ..place };
    let condition = place.config.condition;
    match edge {
        Edge::Epsilon(_) => {}
        Edge::Action(_) => (next.collect, next.depth) = (false, 0),
        Edge::Call(call) => {
            next = inwards(next, call.rule, room.ways);
            next.config.stack = room.stacks.push(place.config.stack, call.follow);
        }
        Edge::Precedence(precedence, _) => {
            if place.collect && place.depth == 0 {
                match manner.bottom {
                    Bottom::Real if precedence < manner.precedence => return None,
                    Bottom::Real => {}
                    Bottom::Wildcard => {
                        next.config.condition = room.conditions.and_precedence(condition, precedence);
                    }
                }
            }
        }
        Edge::Predicate(code, _) => {
            if place.collect && (place.depth == 0 || !room.ways.contextual[code.index()]) {
                match manner.bottom {
                    Bottom::Real if !room.conditions.code_holds(code) => return None,
                    Bottom::Real => {}
                    Bottom::Wildcard => {
                        next.config.condition = room.conditions.and_code(condition, code);
                    }
                }
            }
        }
        Edge::Token(..) | Edge::Set(..) => {
            if !(manner.at_eof && room.network.matches(edge, 0)) {
                return None;
            }
            next.round = true;
        }
        Edge::Return { outermost, .. } => {
            if outermost && manner.precedence_rule == Some(room.network.state(place.config.state).rule) {
                next.config.flags |= Config::SUPPRESSED;
            }
            next.config.flags |= Config::OUTER;
            next = outwards(next, room.ways);
            next.round = true;
        }
    }
    next.config.state = room.network.shortcut[edge.target() as usize];
    Some(next)
}
