//! Computes start states and edges that are needed for the first time.

use super::closure::{ClosureContext, ClosureMode};
use super::conditions::NONE;
use super::configs::{Config, ConfigSet, conflicts, unique_alt};
use super::dfa::{AMBIGUOUS, ANSWER, DEAD_EDGE, DfaId, Options, Verdict};
use super::queue::VisitOrder;
use super::stacks::{Bottom, EMPTY, StackId, Stacks};
use super::{Predictor, Question};
use crate::network::Network;
use rustc_hash::FxHashMap;

/// Configurations that a walk visits depth first before it starts again with merging. Both find the same; merging costs
/// more for each of them and, where stacks are deep, far more: with too few, awk and a thousand rules in a chain get slow
/// (with 200 the latter takes minutes instead of two seconds); with too many, cold starts do (Java 8: the first parse takes
/// 33 ms with 500, 27 with 200, 28 with 100).
const SHORT_WALK: u64 = 500;
/// The same at a decision whose last long walk was cheap with merging ([`CHEAP_MERGING`]): most that follow are long, too.
const SHORT_WALK_WHERE_CHEAP: u64 = 10;
/// Merging has paid if it took no more steps than this, those inside stacks counted. Where stacks are deep it takes
/// hundreds of times as many.
const CHEAP_MERGING: u64 = 2 * SHORT_WALK;

impl Predictor {
    /// The start of a decision in the first stage.
    pub(super) fn start(&mut self, network: &Network, question: Question<'_>) -> DfaId {
        let decision = question.decision as usize;
        let state = network.decisions[decision].state;
        if network.state(state).precedence_decision {
            let key = (question.decision, question.precedence);
            if let Some(start) = self.precedence_starts.get(&key) {
                return *start;
            }
            self.start_closure(network, question, EMPTY, Bottom::Wildcard, VisitOrder::Merged);
            if !self.filter_by_precedence(question.precedence) {
                self.start_closure(network, question, EMPTY, Bottom::Wildcard, VisitOrder::DepthFirst);
                self.filter_by_precedence(question.precedence);
            }
            let start = self.open_state(question.decision * 2);
            self.precedence_starts.insert(key, start);
            return start;
        }
        if self.starts[decision] == u32::MAX {
            self.start_closure(network, question, EMPTY, Bottom::Wildcard, VisitOrder::Merged);
            self.starts[decision] = self.open_state(question.decision * 2);
        }
        self.starts[decision]
    }

    /// The start of a decision with these callers; `None` if it needs more of them.
    pub(super) fn full_start(
        &mut self,
        network: &Network,
        question: Question<'_>,
        stack: StackId,
    ) -> Option<DfaId> {
        self.start_closure(network, question, stack, Bottom::Real, VisitOrder::Merged);
        if self.closure.needs_more {
            return None;
        }
        Some(self.open_state(question.decision * 2 + 1))
    }

    fn stacks_of(&mut self, bottom: Bottom) -> &mut Stacks {
        match bottom {
            Bottom::Wildcard => &mut self.stacks,
            Bottom::Real => &mut self.real_stacks,
        }
    }

    fn open_state(&mut self, realm: u32) -> DfaId {
        self.dfa.state(&self.out.list, realm, Verdict::Open)
    }

    /// Fills `out` with what is reachable from the decision.
    fn start_closure(
        &mut self,
        network: &Network,
        question: Question<'_>,
        stack: StackId,
        bottom: Bottom,
        order: VisitOrder,
    ) {
        let edges = network.edges(network.decisions[question.decision as usize].state);
        let mode = self.mode(network, question, bottom, false, true);
        let starts = edges.iter().enumerate().map(|(at, edge)| Config {
            state: edge.target(),
            alt: (at + 1) as u16,
            flags: 0,
            stack,
            condition: NONE,
        });
        self.out.clear();
        self.close(network, starts.clone(), (question.decision, mode), order);
        if self.closure.order_matters && order == VisitOrder::Merged {
            self.out.clear();
            self.close(network, starts, (question.decision, mode), VisitOrder::DepthFirst);
        }
    }

    fn mode(
        &self,
        network: &Network,
        question: Question<'_>,
        bottom: Bottom,
        at_eof: bool,
        collect: bool,
    ) -> ClosureMode {
        let state = network.state(network.decisions[question.decision as usize].state);
        let precedence_rule = state.precedence_decision.then_some(state.rule);
        ClosureMode { bottom, at_eof, collect, precedence_rule, precedence: question.precedence }
    }

    /// Adds to `out` what is reachable from some configurations of a decision. `VisitOrder::Merged` allows merging, for walks
    /// that get long.
    fn close(
        &mut self,
        network: &Network,
        from: impl DoubleEndedIterator<Item = Config> + Clone,
        (decision, mode): (u32, ClosureMode),
        order: VisitOrder,
    ) {
        let (stacks, stage) = match mode.bottom {
            Bottom::Wildcard => (&mut self.stacks, 0),
            Bottom::Real => (&mut self.real_stacks, 1),
        };
        let merges_well = &mut self.merges_well[decision as usize][stage];
        let mut context =
            ClosureContext { network, facts: &self.facts, stacks, conditions: &mut self.conditions };
        if order == VisitOrder::Merged {
            let most = if *merges_well { SHORT_WALK_WHERE_CHEAP } else { SHORT_WALK };
            if self.closure.extend(
                &mut context,
                from.clone(),
                mode,
                (VisitOrder::DepthFirst, most),
                &mut self.out,
            ) {
                return;
            }
            self.out.clear();
        }
        let before = self.closure.steps;
        self.closure.extend(&mut context, from, mode, (order, u64::MAX), &mut self.out);
        *merges_well = order == VisitOrder::Merged && self.closure.steps - before <= CHEAP_MERGING;
    }

    /// At the precedence decision: operators that bind too loosely are dropped, and so is leaving where going on
    /// leads to the same place. False if the order of the configurations matters and they must be in ANTLR's.
    fn filter_by_precedence(&mut self, precedence: u32) -> bool {
        let configs = std::mem::take(&mut self.out.list);
        self.out.clear();
        let mut entered = FxHashMap::default();
        let mut in_any_order = true;
        for config in configs.iter().filter(|config| config.alt == 1) {
            if let Some(condition) = self.conditions.without_precedence(config.condition, precedence) {
                // The last one counts.
                let before = entered.insert(config.state, config.stack);
                in_any_order &= before.is_none_or(|stack| stack == config.stack);
                self.out.add(Config { condition, ..*config }, &mut self.stacks);
            }
        }
        for config in configs.iter().filter(|config| config.alt != 1) {
            let same = entered.get(&config.state) == Some(&config.stack);
            if config.has(Config::SUPPRESSED) || !same {
                self.out.add(*config, &mut self.stacks);
            }
        }
        in_any_order
    }

    /// Moves every configuration over a token, into `out`. False if none survives.
    fn reach(
        &mut self,
        network: &Network,
        configs: &[Config],
        token: usize,
        (decision, mode): (u32, ClosureMode),
    ) -> bool {
        let is_stop = |c: &Config| network.stops[network.state(c.state).rule as usize] == c.state;
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        let mut ended = Vec::new();
        for config in configs {
            if is_stop(config) {
                if mode.bottom == Bottom::Real || token == 0 {
                    ended.push(*config);
                }
                continue;
            }
            for edge in network.edges(config.state) {
                if network.matches(*edge, token) {
                    moved.add(config.at(edge.target()), self.stacks_of(mode.bottom));
                }
            }
        }
        self.out.clear();
        if ended.is_empty() && token != 0 && unique_alt(&moved.list).is_some() {
            std::mem::swap(&mut self.out, &mut moved);
        } else {
            self.close(network, moved.list.iter().copied(), (decision, mode), VisitOrder::Merged);
        }
        self.moved = moved;
        if token == 0 {
            retain(&mut self.out, is_stop);
        }
        if mode.bottom == Bottom::Wildcard || !self.out.list.iter().any(is_stop) {
            let mut out = std::mem::take(&mut self.out);
            for config in ended {
                out.add(config, self.stacks_of(mode.bottom));
            }
            self.out = out;
        }
        !self.out.list.is_empty()
    }

    /// Learns an edge of the first stage.
    pub(super) fn learn(
        &mut self,
        network: &Network,
        question: Question<'_>,
        state: DfaId,
        token: usize,
    ) -> u32 {
        self.grown = true;
        let configs = self.dfa.configs(state);
        let mode = self.mode(network, question, Bottom::Wildcard, token == 0, false);
        let edge = if self.reach(network, &configs, token, (question.decision, mode)) {
            self.judge(network, question.decision)
        } else {
            DEAD_EDGE
        };
        self.dfa.set_edge(state, token, edge);
        edge
    }

    /// What the configurations in `out` say in the first stage.
    fn judge(&mut self, network: &Network, decision: u32) -> u32 {
        let configs = &self.out.list;
        let conditional = configs.iter().any(|config| config.condition != NONE);
        let unique = unique_alt(configs);
        if let (Some(alt), false) = (unique, conditional) {
            return ANSWER | u32::from(alt);
        }
        let all_ended =
            configs.iter().all(|c| network.stops[network.state(c.state).rule as usize] == c.state);
        let conflict = unique.is_none() && {
            let found = conflicts(configs, &mut self.groups);
            all_ended || (found.some && !found.lone_state)
        };
        let verdict = if unique.is_none() && !conflict {
            Verdict::Open
        } else if let (true, Some(options)) = (conditional, options(configs)) {
            Verdict::Conditional { options, conflict }
        } else if let Some(alt) = unique {
            return ANSWER | u32::from(alt);
        } else {
            Verdict::Conflict
        };
        let state = self.dfa.state(&self.out.list, decision * 2, verdict);
        self.dfa.edge_to(state)
    }

    /// Learns an edge of the second stage; `None` if it needs more callers.
    pub(super) fn learn_full(
        &mut self,
        network: &Network,
        question: Question<'_>,
        state: DfaId,
        token: usize,
    ) -> Option<u32> {
        self.grown = true;
        let configs = self.dfa.configs(state);
        let mode = self.mode(network, question, Bottom::Real, token == 0, false);
        let alive = self.reach(network, &configs, token, (question.decision, mode));
        if self.closure.needs_more {
            return None;
        }
        let edge = if !alive {
            DEAD_EDGE
        } else if let Some(alt) = unique_alt(&self.out.list) {
            ANSWER | u32::from(alt)
        } else if let Some(alt) = conflicts(&self.out.list, &mut self.groups).common_least {
            ANSWER | AMBIGUOUS | u32::from(alt)
        } else {
            self.open_state(question.decision * 2 + 1)
        };
        self.dfa.set_edge(state, token, edge);
        Some(edge)
    }
}

/// The conditions of each alternative: it fits if one of them holds; none at all means that it always fits.
/// `None` if every alternative always fits.
fn options(configs: &[Config]) -> Option<Options> {
    let mut alts: Vec<u16> = configs.iter().map(|config| config.alt).collect();
    alts.sort_unstable();
    alts.dedup();
    let of = |alt: u16| {
        let mut conditions: Vec<u32> =
            configs.iter().filter(|config| config.alt == alt).map(|config| config.condition).collect();
        if conditions.contains(&NONE) {
            conditions.clear();
        }
        conditions.sort_unstable();
        conditions.dedup();
        (alt, conditions)
    };
    let options: Vec<_> = alts.into_iter().map(of).collect();
    options.iter().any(|(_, conditions)| !conditions.is_empty()).then(|| options.into())
}

/// Keeps the configurations for which `keep` holds. Only for sets to which nothing is merged afterwards but
/// configurations that were kept aside.
fn retain(set: &mut ConfigSet, keep: impl Fn(&Config) -> bool) {
    let kept: Vec<Config> = set.list.iter().filter(|config| keep(config)).copied().collect();
    set.replace(kept);
}

#[cfg(test)]
mod tests;
