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
//! No alternatives are told apart: a state is a set of places of all alternatives before the one that is meant. The places
//! are those *behind* a token. What lies between them and the next token is walked when that token is known, and only
//! as far as rules can begin with it ([`Look`]): of an expression's hundred beginnings a few are looked at.
//!
//! Inside of brackets the walks are followed for [`FOLLOWED`] tokens; if anything is left then, the rest up to the closing
//! bracket is skipped ([`Brackets`]). So what lies deep inside is never looked at, and need not be learned.

mod brackets;

pub(crate) use brackets::Brackets;

use crate::index::{Index, Mix};
use crate::network::{Edge, Look, Network, StateId, StateKind};
use rustc_hash::FxHashMap;

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
#[derive(Debug, Clone, Copy)]
struct Frame {
    below: u32,
    follow: StateId,
    rule: u32,
    is_region: bool,
}

/// A state of the network with its open calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    state: StateId,
    stack: u32,
}

impl Place {
    /// The end of the rule that texts begin with: nothing need follow, and prediction may wait for ever.
    const END: Place = Place { state: u32::MAX, stack: BOTTOM };
    /// In a state of its own: too many places to follow.
    const ANYWHERE: Place = Place { state: u32::MAX - 1, stack: BOTTOM };

    /// In the decision's own rule only operators of this precedence count, until a token was read.
    fn least(precedence: u32) -> Place {
        Place { state: u32::MAX - 2, stack: precedence }
    }

    /// The precedence of [`Place::least`].
    fn as_least(self) -> Option<u32> {
        (self.state == u32::MAX - 2).then_some(self.stack)
    }

    fn hash(self) -> u32 {
        Mix::default().and_both(self.state, self.stack).hash()
    }
}

/// A decision, the alternative that is meant, and the precedence of the invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Doubt {
    pub(crate) decision: u32,
    pub(crate) meant: u16,
    pub(crate) precedence: u32,
}

/// What follows from the grammar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) network: &'a Network,
    pub(crate) look: &'a Look,
    pub(crate) brackets: &'a Brackets,
}

/// What has been learned.
#[derive(Debug, Clone)]
pub(crate) struct Doubts {
    /// The rule that texts begin with.
    start: u32,
    width: usize,
    frames: Vec<Frame>,
    frame_index: Index,
    starts: FxHashMap<Doubt, DoubtId>,
    /// By state: where its places end in `places`; they begin where those of the state before end.
    ends: Vec<u32>,
    places: Vec<Place>,
    state_index: Index,
    rows: Vec<DoubtId>,
    edges: FxHashMap<(DoubtId, u32), DoubtId>,
    /// By state and opening bracket: the state behind its partner.
    jumps: FxHashMap<(DoubtId, u32), DoubtId>,
    walk: Walk,
}

/// One walk to the next token: what it has met, what it has found behind the token.
#[derive(Debug, Clone, Default)]
struct Walk {
    token: u32,
    met: Vec<Place>,
    met_index: Index,
    found: Vec<Place>,
}

impl Doubts {
    pub(crate) fn new(network: &Network) -> Doubts {
        let bottom = Frame { below: BOTTOM, follow: u32::MAX, rule: u32::MAX, is_region: false };
        let mut doubts = Doubts {
            start: u32::MAX,
            width: network.n_types + 1,
            frames: vec![bottom, bottom],
            frame_index: Index::default(),
            starts: FxHashMap::default(),
            ends: Vec::new(),
            places: Vec::new(),
            state_index: Index::default(),
            rows: Vec::new(),
            edges: FxHashMap::default(),
            jumps: FxHashMap::default(),
            walk: Walk::default(),
        };
        doubts.id_of_found();
        doubts.walk.found.push(Place::ANYWHERE);
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

    /// Bytes used, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.rows.len() * 4 + self.edges.len() * 16 + self.places.len() * 8 + self.frames.len() * 32
    }

    /// The state before the first token.
    pub(crate) fn watch(&mut self, network: &Network, doubt: Doubt) -> Watch {
        let known = self.starts.get(&doubt).copied();
        let state = known.unwrap_or_else(|| self.learn_start(network, doubt));
        Watch { state, behind: UNKNOWN, bracket: (0, 0), depth: 0, inside: 0 }
    }

    /// One more token; 0 is the end of the input.
    #[inline]
    pub(crate) fn follow(&mut self, ground: Ground<'_>, watch: &mut Watch, token: u32) {
        let closer = ground.brackets.closer(token);
        if watch.behind == UNKNOWN {
            let before = watch.state;
            watch.state = self.behind(ground, before, token);
            if watch.state != NOTHING && closer != 0 {
                watch.behind = self.jump(ground, before, token);
                watch.bracket = (token, closer);
                (watch.depth, watch.inside) = (1, 0);
            }
            return;
        }
        watch.depth += u32::from(token == watch.bracket.0);
        watch.depth -= u32::from(token == watch.bracket.1);
        let is_closed = watch.depth == 0;
        if !watch.skips() {
            watch.state = self.behind(ground, watch.state, token);
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
        let decision = network.decisions[doubt.decision as usize].state;
        let before = usize::from(doubt.meant).saturating_sub(1);
        let place = |edge: &Edge| Place { state: network.shortcut[edge.target() as usize], stack: OWN };
        self.walk.found.clear();
        self.walk.found.extend(network.edges(decision).iter().take(before).map(place));
        if network.state(decision).precedence_decision && before > 0 {
            self.walk.found.push(Place::least(doubt.precedence));
        }
        let state = self.id_of_found();
        self.starts.insert(doubt, state);
        state
    }

    /// The state behind one more token.
    #[inline]
    fn behind(&mut self, ground: Ground<'_>, state: DoubtId, token: u32) -> DoubtId {
        let known = if self.width <= WIDEST_ROW {
            self.rows[state as usize * self.width + token as usize]
        } else {
            self.edges.get(&(state, token)).copied().unwrap_or(UNKNOWN)
        };
        if known == UNKNOWN { self.learn(ground, state, token) } else { known }
    }

    fn learn(&mut self, ground: Ground<'_>, state: DoubtId, token: u32) -> DoubtId {
        let next = self.step(ground, state, token, |_, target| Some(target));
        if self.width <= WIDEST_ROW {
            self.rows[state as usize * self.width + token as usize] = next;
        } else {
            self.edges.insert((state, token), next);
        }
        next
    }

    /// The state behind the bracket that a token opens.
    fn jump(&mut self, ground: Ground<'_>, state: DoubtId, token: u32) -> DoubtId {
        if let Some(behind) = self.jumps.get(&(state, token)) {
            return *behind;
        }
        let behind = self.step(ground, state, token, |opener, _| ground.brackets.behind(opener));
        self.jumps.insert((state, token), behind);
        behind
    }

    /// The state to which all places of a state come over a token. `land` says where a walk goes on that has taken the
    /// token at a state of the network and would come to another one; if it does not know, nobody does.
    fn step(
        &mut self,
        ground: Ground<'_>,
        state: DoubtId,
        token: u32,
        land: impl Fn(StateId, StateId) -> Option<StateId>,
    ) -> DoubtId {
        if state == VAGUE {
            return VAGUE;
        }
        self.walk.begin(token);
        let mut least = 0;
        let from = if state == 0 { 0 } else { self.ends[state as usize - 1] };
        for at in from..self.ends[state as usize] {
            let place = self.places[at as usize];
            if place == Place::END {
                self.walk.found.push(Place::END);
            } else if let Some(precedence) = place.as_least() {
                least = precedence;
            } else {
                self.walk.meet(ground, place.state, place.stack);
            }
        }
        let mut next = 0;
        while let Some(place) = self.walk.met.get(next).copied() {
            next += 1;
            if next > MOST_PLACES || !self.pass(ground, place, least, &land) {
                return VAGUE;
            }
        }
        self.id_of_found()
    }

    /// Walks on from a place to the token; false if nobody knows where the token leads.
    fn pass(
        &mut self,
        ground: Ground<'_>,
        place: Place,
        least: u32,
        land: &impl Fn(StateId, StateId) -> Option<StateId>,
    ) -> bool {
        let Ground { network, look, .. } = ground;
        let Place { state, stack } = place;
        if network.state(state).kind == StateKind::RuleStop {
            self.leave(ground, place, network.state(state).rule);
            return true;
        }
        for edge in network.edges(state) {
            match *edge {
                Edge::Token(..) | Edge::Set(..) => {
                    if network.matches(*edge, self.walk.token as usize) {
                        let Some(target) = land(state, edge.target()) else { return false };
                        let stack = if stack == OWN { BOTTOM } else { stack };
                        let state = network.shortcut[target as usize];
                        self.walk.found.push(Place { state, stack });
                    }
                }
                Edge::Call(call) => {
                    let first = look.next(network, call.start);
                    if first.contains(self.walk.token as usize) {
                        let callee =
                            self.call(ground, stack, network.shortcut[call.follow as usize], call.rule);
                        self.walk.meet(ground, call.start, callee);
                    } else if first.epsilon {
                        self.walk.meet(ground, call.follow, stack);
                    }
                }
                Edge::Precedence(precedence, _) if stack == OWN && precedence < least => {}
                edge => self.walk.meet(ground, edge.target(), stack),
            }
        }
        true
    }

    /// The end of a rule.
    fn leave(&mut self, ground: Ground<'_>, place: Place, rule: u32) {
        let frame = self.frames[place.stack as usize];
        let is_bottom = place.stack <= OWN;
        if is_bottom || frame.is_region {
            let stack = if is_bottom { BOTTOM } else { place.stack };
            for edge in ground.network.edges(place.state) {
                self.walk.meet(ground, edge.target(), stack);
            }
        }
        if is_bottom && rule == self.start {
            self.walk.found.push(Place::END);
        }
        if !is_bottom && (!frame.is_region || frame.rule == rule) {
            self.walk.meet(ground, frame.follow, frame.below);
        }
    }

    /// A call on a stack.
    fn call(&mut self, ground: Ground<'_>, stack: u32, follow: StateId, rule: u32) -> u32 {
        let is_last = ground.network.state(follow).kind == StateKind::RuleStop;
        if is_last && stack > OWN {
            // What the caller returns to, the callee may return to at once.
            return stack;
        }
        if self.frames[stack as usize].is_region {
            return stack;
        }
        let hash = Mix::default().and_both(stack, follow).and(rule.into()).hash();
        let frames = &self.frames;
        let is_same = |at: u32| {
            let frame = &frames[at as usize];
            (frame.below, frame.follow, frame.rule) == (stack, follow, rule)
        };
        let at = frames.len();
        if let Some(known) = self.frame_index.get_or_insert(hash, at, is_same) {
            return known;
        }
        let open = std::iter::successors(Some(stack), |at| Some(frames[*at as usize].below))
            .take_while(|at| *at > OWN)
            .filter(|at| frames[*at as usize].rule == rule)
            .count();
        self.frames.push(Frame { below: stack, follow, rule, is_region: open >= REPEATS });
        at as u32
    }

    /// The state whose places the walk has found.
    fn id_of_found(&mut self) -> DoubtId {
        let found = &mut self.walk.found;
        found.sort_unstable();
        found.dedup();
        let mix = |mix: Mix, place: &Place| mix.and_both(place.state, place.stack);
        let hash = found.iter().fold(Mix::default(), mix).hash();
        let (ends, places) = (&self.ends, &self.places);
        let is_same = |id: u32| {
            let from = if id == 0 { 0 } else { ends[id as usize - 1] };
            places[from as usize..ends[id as usize] as usize] == found[..]
        };
        let id = ends.len();
        if let Some(known) = self.state_index.get_or_insert(hash, id, is_same) {
            return known;
        }
        self.places.extend_from_slice(found);
        self.ends.push(self.places.len() as u32);
        if self.width <= WIDEST_ROW {
            self.rows.resize(self.rows.len() + self.width, UNKNOWN);
        }
        id as DoubtId
    }
}

impl Walk {
    fn begin(&mut self, token: u32) {
        self.token = token;
        self.met.clear();
        self.met_index.clear();
        self.found.clear();
    }

    /// A state is to be walked on from, if that can lead to the token.
    fn meet(&mut self, ground: Ground<'_>, state: StateId, stack: u32) {
        let state = ground.network.shortcut[state as usize];
        let next = ground.look.next(ground.network, state);
        if !next.epsilon && !next.contains(self.token as usize) {
            return;
        }
        let place = Place { state, stack };
        let (at, met) = (self.met.len(), &self.met);
        if self.met_index.get_or_insert(place.hash(), at, |at| met[at as usize] == place).is_none() {
            self.met.push(place);
        }
    }
}

#[cfg(test)]
mod tests;
