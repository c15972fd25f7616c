//! Whether alternatives before a given one can still match: an approximation with finitely many states.
//!
//! Prediction takes the first alternative with which the text can be read on. Who writes a text that is read with one
//! alternative only needs to know when all alternatives *before* it have dropped out. Prediction itself finds that out,
//! but its automata have a state for each stack of open calls, and random texts nest ever differently: it never stops
//! learning. Here the same walks are taken with stacks that are cut where they repeat themselves: a call of a rule that
//! is open [`REPEATS`] times already opens a *region*, in which calls are not remembered and a rule may return to any of
//! its callers. So the number of states is bounded, though large grammars have tens of thousands, and everything that
//! prediction considers is considered here too (predicates are passable, precedence counts only where prediction drops
//! for it): where nothing is left, nothing is left there.
//!
//! No alternatives are told apart: a state is a set of places of all alternatives before the one that is meant.
//!
//! Inside of brackets the walks are followed for [`FOLLOWED`] tokens; if anything is left then, the rest up to the closing
//! bracket is skipped ([`Brackets`]). So what lies deep inside is never looked at, and need not be learned.

mod brackets;

pub(crate) use brackets::Brackets;

use crate::network::{Edge, Network, StateId, StateKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A rule that is open so many times is not followed exactly when it is called again.
const REPEATS: usize = 4;
/// Larger sets are not computed: the answer is then "perhaps".
const MOST_PLACES: usize = 3_000;
/// Wider rows are kept as single edges.
const WIDEST_ROW: usize = 1_024;

/// So many tokens behind an opening bracket are looked at.
const FOLLOWED: u32 = 2;

/// A state of the approximation.
type DoubtId = u32;

/// Nothing is left: no alternative before the one that is meant can match.
const NOTHING: DoubtId = 0;
/// Too many places to follow.
const VAGUE: DoubtId = 1;
/// Not learned yet, or none.
const UNKNOWN: DoubtId = u32::MAX;

/// A doubt that is followed token by token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Watch {
    /// [`UNKNOWN`] while something is skipped.
    state: DoubtId,
    /// The state behind the closing bracket, if one is open.
    behind: DoubtId,
    /// The opening and the closing type, how many of them are open, and how many tokens were seen inside.
    bracket: (u32, u32),
    depth: u32,
    inside: u32,
}

impl Watch {
    /// No alternative before the one that is meant can match.
    pub(crate) fn is_sure(self) -> bool {
        self.state == NOTHING
    }

    /// Whether more tokens up to the closing bracket tell nothing.
    pub(crate) fn skips(self) -> bool {
        self.state == UNKNOWN
    }
}

/// Nothing is known of the callers.
const BOTTOM: u32 = 0;
/// The same before the decision's rule was left.
const OWN: u32 = 1;

/// An open call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Frame {
    below: u32,
    follow: StateId,
    rule: u32,
    is_region: bool,
}

/// A state of the network with its open calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place {
    state: StateId,
    stack: u32,
}

/// A decision, the alternative that is meant, and the precedence of the invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Doubt {
    pub(crate) decision: u32,
    pub(crate) meant: u16,
    pub(crate) precedence: u32,
}

/// What has been learned.
#[derive(Debug, Clone)]
pub(crate) struct Doubts {
    /// The rule that texts begin with: behind its end prediction may wait for ever.
    start: u32,
    width: usize,
    frames: Vec<Frame>,
    frame_ids: FxHashMap<Frame, u32>,
    starts: FxHashMap<Doubt, DoubtId>,
    sets: Vec<Box<[Place]>>,
    ids: FxHashMap<Box<[Place]>, DoubtId>,
    n_places: usize,
    rows: Vec<DoubtId>,
    edges: FxHashMap<(DoubtId, u32), DoubtId>,
    /// By state and opening bracket: the state behind its partner.
    jumps: FxHashMap<(DoubtId, u32), DoubtId>,
    seen: FxHashSet<Place>,
    open: Vec<Place>,
    found: Vec<Place>,
}

impl Doubts {
    pub(crate) fn new(network: &Network) -> Doubts {
        let bottom = Frame { below: BOTTOM, follow: u32::MAX, rule: u32::MAX, is_region: false };
        let mut doubts = Doubts {
            start: u32::MAX,
            width: network.n_types + 1,
            frames: vec![bottom, bottom],
            frame_ids: FxHashMap::default(),
            starts: FxHashMap::default(),
            sets: Vec::new(),
            ids: FxHashMap::default(),
            n_places: 0,
            rows: Vec::new(),
            edges: FxHashMap::default(),
            jumps: FxHashMap::default(),
            seen: FxHashSet::default(),
            open: Vec::new(),
            found: Vec::new(),
        };
        doubts.id_of_found();
        // A set that no walk finds stands for all that are too large.
        doubts.found.push(Place { state: u32::MAX, stack: u32::MAX });
        doubts.id_of_found();
        doubts
    }

    /// Texts begin with this rule. What was learned for another one is dropped, and whatever takes more than `most` bytes;
    /// says whether that was so.
    pub(crate) fn begin_text(&mut self, network: &Network, start: u32, most: usize) -> bool {
        let drops = self.start != start || self.memory() > most;
        if drops {
            *self = Doubts { start, ..Doubts::new(network) };
        }
        drops
    }

    fn memory(&self) -> usize {
        self.rows.len() * 4 + self.edges.len() * 16 + self.n_places * 16 + self.frames.len() * 32
    }

    /// The state before the first token.
    pub(crate) fn watch(&mut self, network: &Network, doubt: Doubt) -> Watch {
        let known = self.starts.get(&doubt).copied();
        let state = known.unwrap_or_else(|| self.learn_start(network, doubt));
        Watch { state, behind: UNKNOWN, bracket: (0, 0), depth: 0, inside: 0 }
    }

    /// One more token; 0 is the end of the input.
    #[inline]
    pub(crate) fn follow(&mut self, network: &Network, brackets: &Brackets, watch: &mut Watch, token: u32) {
        if watch.behind == UNKNOWN {
            let before = watch.state;
            watch.state = self.behind(network, before, token);
            if watch.state != NOTHING && brackets.closer(token) != 0 {
                watch.behind = self.jump(network, brackets, before, token);
                watch.bracket = (token, brackets.closer(token));
                (watch.depth, watch.inside) = (1, 0);
            }
            return;
        }
        watch.depth += u32::from(token == watch.bracket.0);
        watch.depth -= u32::from(token == watch.bracket.1);
        let is_closed = watch.depth == 0;
        if !watch.skips() {
            watch.state = self.behind(network, watch.state, token);
            watch.inside += 1;
            if watch.inside == FOLLOWED && watch.state != NOTHING && !is_closed {
                watch.state = UNKNOWN;
            }
        } else if is_closed {
            watch.state = watch.behind;
        }
        if is_closed {
            watch.behind = UNKNOWN;
        }
    }

    fn learn_start(&mut self, network: &Network, doubt: Doubt) -> DoubtId {
        let decision = network.state(network.decisions[doubt.decision as usize].state);
        let edges = network.edges(network.decisions[doubt.decision as usize].state);
        self.begin_walk();
        for edge in edges.iter().take(usize::from(doubt.meant).saturating_sub(1)) {
            self.visit(network, edge.target(), OWN);
        }
        let least = if decision.precedence_decision { doubt.precedence } else { 0 };
        let state = self.finish_walk(network, least);
        self.starts.insert(doubt, state);
        state
    }

    /// The state behind one more token.
    #[inline]
    fn behind(&mut self, network: &Network, state: DoubtId, token: u32) -> DoubtId {
        let known = if self.width <= WIDEST_ROW {
            self.rows[state as usize * self.width + token as usize]
        } else {
            self.edges.get(&(state, token)).copied().unwrap_or(UNKNOWN)
        };
        if known == UNKNOWN { self.learn(network, state, token) } else { known }
    }

    fn learn(&mut self, network: &Network, state: DoubtId, token: u32) -> DoubtId {
        self.begin_walk();
        let places = std::mem::take(&mut self.sets[state as usize]);
        for place in &places {
            if state == VAGUE {
                break;
            }
            if network.state(place.state).kind == StateKind::RuleStop {
                self.found.push(*place);
            }
            for edge in network.edges(place.state) {
                if network.matches(*edge, token as usize) {
                    self.visit(network, edge.target(), place.stack);
                }
            }
        }
        self.sets[state as usize] = places;
        let next = if state == VAGUE { VAGUE } else { self.finish_walk(network, 0) };
        if self.width <= WIDEST_ROW {
            self.rows[state as usize * self.width + token as usize] = next;
        } else {
            self.edges.insert((state, token), next);
        }
        next
    }

    /// The state behind the bracket that a token opens.
    fn jump(&mut self, network: &Network, brackets: &Brackets, state: DoubtId, token: u32) -> DoubtId {
        if let Some(behind) = self.jumps.get(&(state, token)) {
            return *behind;
        }
        self.begin_walk();
        let places = std::mem::take(&mut self.sets[state as usize]);
        let mut is_vague = state == VAGUE;
        for place in places.iter().filter(|_| state != VAGUE) {
            if network.state(place.state).kind == StateKind::RuleStop {
                self.found.push(*place);
            }
            if network.edges(place.state).iter().any(|edge| network.matches(*edge, token as usize)) {
                match brackets.behind(place.state) {
                    Some(behind) => self.visit(network, behind, place.stack),
                    None => is_vague = true,
                }
            }
        }
        self.sets[state as usize] = places;
        let behind = if is_vague { VAGUE } else { self.finish_walk(network, 0) };
        self.jumps.insert((state, token), behind);
        behind
    }

    fn begin_walk(&mut self) {
        self.seen.clear();
        self.open.clear();
        self.found.clear();
    }

    fn visit(&mut self, network: &Network, state: StateId, stack: u32) {
        let place = Place { state: network.shortcut[state as usize], stack };
        if self.seen.insert(place) {
            self.open.push(place);
        }
    }

    /// Walks all edges that consume nothing. In the decision's own rule only operators of `least` precedence count.
    fn finish_walk(&mut self, network: &Network, least: u32) -> DoubtId {
        while let Some(place) = self.open.pop() {
            if self.seen.len() > MOST_PLACES {
                return VAGUE;
            }
            let state = network.state(place.state);
            if state.kind == StateKind::RuleStop {
                self.leave(network, place, state.rule);
                continue;
            }
            if state.consumes {
                let stack = if place.stack == OWN { BOTTOM } else { place.stack };
                self.found.push(Place { stack, ..place });
                continue;
            }
            for edge in network.edges(place.state) {
                match edge {
                    Edge::Call(call) => {
                        let follow = network.shortcut[call.follow as usize];
                        let is_last = network.state(follow).kind == StateKind::RuleStop;
                        let stack = match place.stack {
                            // What the caller returns to, the callee may return to at once.
                            stack if is_last && stack > OWN => stack,
                            stack => self.call(stack, follow, call.rule),
                        };
                        self.visit(network, call.start, stack);
                    }
                    Edge::Precedence(precedence, _) if place.stack == OWN && *precedence < least => {}
                    edge => self.visit(network, edge.target(), place.stack),
                }
            }
        }
        self.id_of_found()
    }

    /// The end of a rule.
    fn leave(&mut self, network: &Network, place: Place, rule: u32) {
        let frame = self.frames[place.stack as usize];
        let is_bottom = place.stack <= OWN;
        if is_bottom || frame.is_region {
            let stack = if is_bottom { BOTTOM } else { place.stack };
            for edge in network.edges(place.state) {
                self.visit(network, edge.target(), stack);
            }
        }
        if is_bottom && rule == self.start {
            self.found.push(Place { stack: BOTTOM, ..place });
        }
        if !is_bottom && (!frame.is_region || frame.rule == rule) {
            self.visit(network, frame.follow, frame.below);
        }
    }

    /// A call on a stack.
    fn call(&mut self, stack: u32, follow: StateId, rule: u32) -> u32 {
        if self.frames[stack as usize].is_region {
            return stack;
        }
        let open = std::iter::successors(Some(stack), |at| Some(self.frames[*at as usize].below))
            .take_while(|at| *at > OWN)
            .filter(|at| self.frames[*at as usize].rule == rule)
            .count();
        let frame = Frame { below: stack, follow, rule, is_region: open >= REPEATS };
        *self.frame_ids.entry(frame).or_insert_with(|| {
            self.frames.push(frame);
            self.frames.len() as u32 - 1
        })
    }

    /// The state whose places are in `found`.
    fn id_of_found(&mut self) -> DoubtId {
        self.found.sort_unstable();
        self.found.dedup();
        if let Some(id) = self.ids.get(&self.found[..]) {
            return *id;
        }
        let id = self.sets.len() as DoubtId;
        let set: Box<[Place]> = self.found[..].into();
        self.n_places += set.len();
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        if self.width <= WIDEST_ROW {
            self.rows.resize(self.rows.len() + self.width, UNKNOWN);
        }
        id
    }
}

#[cfg(test)]
mod tests;
