//! Follows edges that cost nothing until a token is needed.
//!
//! In the first stage (`Bottom::Wildcard`) a walk that leaves the decision's rule goes on after every call of it; in
//! the second it goes where the real callers are, and stops with [`Closure::needs_more`] if it would need a frame that
//! was cut off.
//!
//! Short walks go depth first, as ANTLR's do; a walk that gets long is taken again with merging: what is found is a
//! set, and every step treats each stack by itself, so stacks may be merged on the way ([`Queue`]).
//! Two things look at more than one stack or at the order. ANTLR's shortcut at the loop of a left-recursive rule asks
//! whether all stacks of a configuration return into that loop: merging keeps those apart. And a place after the
//! decision's rule is visited once, even if predicates count for one visitor and not for another: then the walk ends
//! with [`Closure::order_matters`] and is to be taken again depth first.

use super::conditions::Conditions;
use super::configs::{Config, ConfigSet};
use super::queue::{PendingConfig, Queue, VisitOrder};
use super::stacks::{Bottom, EMPTY, EMPTY_RETURN, Stacks, UNKNOWN_RETURN};
use crate::network::{Edge, Network, NetworkFacts, StateKind};
use rustc_hash::FxHashMap;

/// What a walk needs to know, and the memory that it uses again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Closure {
    queue: Queue,
    /// Configurations after edges that may lead round for ever; whether predicates counted there.
    busy: FxHashMap<Config, bool>,
    /// A frame below those given was asked for.
    pub(crate) needs_more: bool,
    /// What was found depends on the order of the walk.
    pub(crate) order_matters: bool,
    pub(crate) steps: u64,
    /// The limit on steps: beyond it nothing more is walked, and what was found must not be used.
    pub(crate) limit: u64,
}

/// How a walk treats what it meets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosureMode {
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
pub(crate) struct ClosureContext<'a> {
    pub(crate) network: &'a Network,
    pub(crate) facts: &'a NetworkFacts,
    pub(crate) stacks: &'a mut Stacks,
    pub(crate) conditions: &'a mut Conditions,
}

impl Closure {
    pub(crate) fn exhausted(&self) -> bool {
        self.steps > self.limit
    }

    /// Adds everything reachable from some configurations to `out`; false if that takes more than `most` steps.
    pub(crate) fn extend(
        &mut self,
        context: &mut ClosureContext<'_>,
        from: impl DoubleEndedIterator<Item = Config>,
        mode: ClosureMode,
        (order, most): (VisitOrder, u64),
        out: &mut ConfigSet,
    ) -> bool {
        self.queue.start(order);
        self.busy.clear();
        self.order_matters = false;
        for config in from.rev() {
            let config = config.at(context.network.shortcut[config.state as usize]);
            let rule = context.facts.rules[config.state as usize] as usize;
            let collect =
                mode.collect && (context.facts.own_conditions[rule] || context.facts.free_predicates);
            self.queue.put(
                PendingConfig { config, depth: 0, collect, round: false },
                context.facts,
                context.stacks,
            );
        }
        let mut left = most;
        while let Some(pending) = self.queue.next() {
            self.steps += 1 + context.stacks.merges_since();
            if self.exhausted() || left == 0 {
                return self.exhausted();
            }
            left -= 1;
            if (!pending.round || self.is_first(pending)) && self.queue.is_new(pending) {
                self.visit(context, pending, mode, out);
            }
        }
        true
    }

    /// Whether no walk came here before over an edge that may lead round. Equality ignores whether a walk was outside
    /// before, and whether predicates count.
    fn is_first(&mut self, pending: PendingConfig) -> bool {
        let key = Config { flags: pending.config.flags & Config::SUPPRESSED, ..pending.config };
        let before = self.busy.insert(key, pending.collect);
        self.order_matters |= self.queue.order == VisitOrder::Merged
            && before.is_some_and(|collect| collect != pending.collect);
        before.is_none()
    }

    fn visit(
        &mut self,
        context: &mut ClosureContext<'_>,
        pending: PendingConfig,
        mode: ClosureMode,
        out: &mut ConfigSet,
    ) {
        let Config { state: id, stack, .. } = pending.config;
        let state = *context.network.state(id);
        if state.kind == StateKind::RuleStop && self.leave(context, pending, mode, out) {
            return;
        }
        if state.consumes {
            out.add(Config { stack: context.stacks.plain(stack), ..pending.config }, context.stacks);
            if !mode.at_eof {
                return;
            }
        }
        let first = u32::from(state.precedence_decision && self.drops_first_edge(context, pending.config));
        let edges =
            &context.network.edges[(state.first + first) as usize..(state.first + state.count) as usize];
        match self.queue.order {
            VisitOrder::Merged => {
                for edge in edges {
                    self.follow(context, pending, *edge, mode, out);
                }
            }
            VisitOrder::DepthFirst => {
                for edge in edges.iter().rev() {
                    if let Some(next) = ahead(context, pending, *edge, mode) {
                        self.queue.put(next, context.facts, context.stacks);
                    }
                }
            }
        }
    }

    /// Along an edge; where a token is needed there, the walk ends at once.
    #[inline(always)]
    fn follow(
        &mut self,
        context: &mut ClosureContext<'_>,
        pending: PendingConfig,
        edge: Edge,
        mode: ClosureMode,
        out: &mut ConfigSet,
    ) {
        let Some(next) = ahead(context, pending, edge, mode) else { return };
        let state = context.network.state(next.config.state);
        if state.consumes && state.kind != StateKind::RuleStop && !next.round && !mode.at_eof {
            out.add(Config { stack: context.stacks.plain(next.config.stack), ..next.config }, context.stacks);
        } else {
            self.queue.put(next, context.facts, context.stacks);
        }
    }

    /// At the end of a rule: back to the callers on the stack. False if the walk goes on after every call.
    fn leave(
        &mut self,
        context: &mut ClosureContext<'_>,
        pending: PendingConfig,
        mode: ClosureMode,
        out: &mut ConfigSet,
    ) -> bool {
        let config = pending.config;
        if config.stack == EMPTY {
            if mode.bottom == Bottom::Real {
                out.add(config, context.stacks);
                return true;
            }
            return false;
        }
        for at in (0..context.stacks.entries(config.stack).len()).rev() {
            let (state, stack) = context.stacks.entries(config.stack)[at];
            let next = match state {
                EMPTY_RETURN => PendingConfig { config: Config { stack: EMPTY, ..config }, ..pending },
                UNKNOWN_RETURN => {
                    self.needs_more = true;
                    self.queue.stop();
                    return true;
                }
                state => {
                    let state = context.network.shortcut[state as usize];
                    outwards(
                        PendingConfig { config: Config { state, stack, ..config }, ..pending },
                        context.facts,
                    )
                }
            };
            self.queue.put(PendingConfig { round: false, ..next }, context.facts, context.stacks);
        }
        true
    }

    /// ANTLR's shortcut at the loop of a left-recursive rule: if every caller is the same rule, at a place from
    /// which only its own loop follows, that loop does what this one would do.
    fn drops_first_edge(&mut self, context: &ClosureContext<'_>, config: Config) -> bool {
        if context.stacks.has_empty(config.stack) {
            return false;
        }
        if context.stacks.entries(config.stack).iter().any(|entry| entry.0 == UNKNOWN_RETURN) {
            self.needs_more = true;
            self.queue.stop();
            return false;
        }
        context.stacks.common_loop(config.stack) == context.facts.rules[config.state as usize]
    }
}

/// A place of a caller of what `place` was in.
fn outwards(pending: PendingConfig, facts: &NetworkFacts) -> PendingConfig {
    if !pending.collect {
        return pending;
    }
    let depth = (pending.depth - 1).max(-1);
    let collect = depth >= 0 || facts.free_predicates;
    PendingConfig { depth: if collect { depth } else { 0 }, collect, ..pending }
}

/// A place of a rule called in `place`.
fn inwards(pending: PendingConfig, rule: u32, facts: &NetworkFacts) -> PendingConfig {
    if !pending.collect || pending.depth < 0 {
        return pending;
    }
    // What needs a token does not end in this walk.
    let depth = if facts.nullable[rule as usize] { pending.depth + 1 } else { -1 };
    let collect = depth >= 0 || facts.free_predicates;
    PendingConfig { depth: if collect { depth } else { 0 }, collect, ..pending }
}

/// Where an edge leads, past places from which there is one way only; `None` if it is closed. Rules begin and calls
/// return at places where ways come together, so it does not go past those.
#[inline(always)]
fn ahead(
    context: &mut ClosureContext<'_>,
    mut pending: PendingConfig,
    mut edge: Edge,
    mode: ClosureMode,
) -> Option<PendingConfig> {
    loop {
        pending = step(context, pending, edge, mode)?;
        let state = context.network.state(pending.config.state);
        let comes_together = matches!(edge, Edge::Call(_) | Edge::Return { .. });
        let ends = state.consumes || state.count != 1 || state.kind == StateKind::RuleStop;
        if comes_together || ends || mode.at_eof {
            return Some(pending);
        }
        edge = context.network.edges[state.first as usize];
    }
}

/// Where an edge leads; `None` if it is closed.
#[inline(always)]
fn step(
    context: &mut ClosureContext<'_>,
    pending: PendingConfig,
    edge: Edge,
    mode: ClosureMode,
) -> Option<PendingConfig> {
    let mut next = PendingConfig { round: false, ..pending };
    let condition = pending.config.condition;
    match edge {
        Edge::Epsilon(_) => {}
        Edge::Action(_) => (next.collect, next.depth) = (false, 0),
        Edge::Call(call) => {
            next = inwards(next, call.rule, context.facts);
            next.config.stack = context.stacks.push(pending.config.stack, call.follow);
        }
        Edge::Precedence(precedence, _) => {
            if pending.collect && pending.depth == 0 {
                match mode.bottom {
                    Bottom::Real if precedence < mode.precedence => return None,
                    Bottom::Real => {}
                    Bottom::Wildcard => {
                        next.config.condition = context.conditions.and_precedence(condition, precedence);
                    }
                }
            }
        }
        Edge::Predicate(code, _) => {
            if pending.collect && (pending.depth == 0 || !context.facts.contextual[code.index()]) {
                match mode.bottom {
                    Bottom::Real if !context.conditions.code_holds(code) => return None,
                    Bottom::Real => {}
                    Bottom::Wildcard => {
                        next.config.condition = context.conditions.and_code(condition, code);
                    }
                }
            }
        }
        Edge::Token(..) | Edge::Set(..) => {
            if !(mode.at_eof && context.network.matches(edge, 0)) {
                return None;
            }
            next.round = true;
        }
        Edge::Return { outermost, .. } => {
            if outermost && mode.precedence_rule == Some(context.network.state(pending.config.state).rule) {
                next.config.flags |= Config::SUPPRESSED;
            }
            next.config.flags |= Config::OUTER;
            next = outwards(next, context.facts);
            next.round = true;
        }
    }
    next.config.state = context.network.shortcut[edge.target() as usize];
    Some(next)
}
