//! Leads a draft to what has not been covered yet.
//!
//! The draft walks over *places*: first those of single rules, towards alternatives and repetition counts, then
//! those of k-paths. For each place it is known how many wanted goals it has left and how far below it the nearest
//! place with some is; a choice takes what is wanted itself, else the way to the nearest. What a draft has met it
//! does not want a second time; when the last goal of a place is met, the distances are found again by one search
//! (Dijkstra's, backwards from the goals).
//!
//! The cost of a way is its number of rule calls plus the *penalties* on it: drafts that passed a place and met nothing at
//! all. So what cannot be reached on one way is looked for on others, and does not keep drafts from everything that is
//! further away.

use super::map::Map;
use crate::tables::Tables;
use crate::tuning::{MAX_GOAL_LOSSES, SLOTS_PER_STALE_PLACE};
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::{GoalKind, Goals, NOWHERE, Times};
use polysmith_grammar::{BlockId, Grammar, RuleId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost of what does not lead to a goal.
pub(crate) const FAR: u32 = u32::MAX;

/// How to derive what does not lead to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    /// As few tokens as possible.
    Least,
    /// Whatever is drawn.
    Random,
}

/// A way to something wanted. Cheap ones are less, then those with few calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    /// Rule calls plus penalties.
    cost: u32,
    /// Rule calls.
    calls: u32,
}

impl Way {
    const HERE: Way = Way { cost: 0, calls: 0 };
    const NONE: Way = Way { cost: FAR, calls: FAR };

    /// One call further away.
    fn longer(self, cost: u32) -> Way {
        Way { cost: self.cost.saturating_add(cost), calls: self.calls.saturating_add(1) }
    }
}

/// What is wanted, and where it is.
#[derive(Debug)]
pub(crate) struct Steering {
    map: Map,
    /// By goal.
    wanted: Vec<bool>,
    /// By goal: the draft has met it.
    is_met: Vec<bool>,
    /// By place: wanted goals that the draft has not met.
    left: Vec<u32>,
    /// By place: the way to the nearest place with some left.
    ways: Vec<Way>,
    /// By place: drafts that passed it and met nothing.
    penalties: Vec<u32>,
    /// The places on the way to goals that the draft passed.
    route: Vec<u32>,
    /// Places that ran out of goals since the distances were found.
    stale: usize,
    queue: BinaryHeap<Reverse<(Way, u32)>>,
    /// The wanted goals that the draft has met, in order, and where.
    met: Vec<(usize, u32)>,
    /// After this number of goals the draft is finished as cheaply as possible.
    max_goals: usize,
    fill: Fill,
    /// Also tries what the decision statistics rule out, if that leads to a goal.
    ignores_statistics: bool,
    /// Goals met when a loop was last prolonged.
    prolonged_at: Option<usize>,
    /// Wanted alternatives that the parser would not take.
    lost: Vec<usize>,
    /// By goal: how often the draft lost it by backtracking.
    losses: Vec<u8>,
    /// The goals that it lost.
    lost_goals: Vec<usize>,
    /// The goals that were given up last, because the draft made no progress.
    dropped: Vec<usize>,
}

impl Steering {
    /// Towards the goals of one stage, of which none is wanted yet.
    pub(crate) fn new(grammar: &Grammar, tables: &Tables, goals: Goals, for_paths: bool) -> Steering {
        let map = Map::new(grammar, tables, goals, for_paths);
        Steering {
            wanted: vec![false; map.goals.len()],
            is_met: vec![false; map.goals.len()],
            left: vec![0; map.paths().n_places()],
            ways: vec![Way::NONE; map.paths().n_places()],
            penalties: vec![0; map.paths().n_places()],
            route: Vec::new(),
            stale: usize::MAX,
            queue: BinaryHeap::new(),
            met: Vec::new(),
            max_goals: usize::MAX,
            fill: Fill::Least,
            ignores_statistics: false,
            prolonged_at: None,
            lost: Vec::new(),
            losses: vec![0; map.goals.len()],
            lost_goals: Vec::new(),
            dropped: Vec::new(),
            map,
        }
    }

    /// The goals, of all stages.
    pub(crate) fn goals(&self) -> &Goals {
        &self.map.goals
    }

    /// Whether a number is a goal of this stage.
    pub(crate) fn is_goal(&self, goal: usize) -> bool {
        self.map.is_goal(goal)
    }

    /// From now on a goal is wanted, or not.
    pub(crate) fn want(&mut self, grammar: &Grammar, goal: usize, wanted: bool) {
        if std::mem::replace(&mut self.wanted[goal], wanted) == wanted {
            return;
        }
        self.stale = usize::MAX;
        let place = self.map.place_of(grammar, goal);
        // What the draft has met is not among those left; the next draft sees to it.
        if place == NOWHERE || self.is_met[goal] || self.is_abandoned(goal) {
            return;
        }
        let left = &mut self.left[place as usize];
        *left = if wanted { *left + 1 } else { left.saturating_sub(1) };
    }

    pub(crate) fn is_wanted(&self, goal: usize) -> bool {
        self.wanted[goal]
    }

    /// A draft begins.
    pub(crate) fn begin(
        &mut self,
        grammar: &Grammar,
        max_goals: usize,
        fill: Fill,
        ignores_statistics: bool,
    ) {
        for goal in std::mem::take(&mut self.lost_goals) {
            let was_spoiled = self.is_abandoned(goal);
            self.losses[goal] = 0;
            if was_spoiled && std::mem::replace(&mut self.wanted[goal], false) {
                self.want(grammar, goal, true);
            }
        }
        for (goal, place) in std::mem::take(&mut self.met) {
            self.is_met[goal] = false;
            if self.wanted[goal] {
                self.left[place as usize] += 1;
            }
            self.stale = usize::MAX;
        }
        (self.max_goals, self.fill, self.ignores_statistics, self.prolonged_at) =
            (max_goals, fill, ignores_statistics, None);
        self.route.clear();
        self.lost.clear();
        self.dropped.clear();
    }

    /// The draft returns to a checkpoint where it had met this number of goals.
    pub(crate) fn rewind(&mut self, met: usize) {
        for (goal, place) in self.met.drain(met..) {
            self.is_met[goal] = false;
            self.losses[goal] += 1;
            if self.losses[goal] == 1 {
                self.lost_goals.push(goal);
            }
            if self.losses[goal] < MAX_GOAL_LOSSES {
                self.left[place as usize] += 1;
            }
            self.stale = usize::MAX;
        }
    }

    /// Whether the draft lost a goal too often to want it again.
    fn is_abandoned(&self, goal: usize) -> bool {
        self.losses[goal] >= MAX_GOAL_LOSSES
    }

    /// The goals that the draft gave up: to be finished at all, or because it lost them too often.
    pub(crate) fn given_up(&self) -> impl Iterator<Item = usize> + '_ {
        let spoiled = self.lost_goals.iter().copied().filter(|goal| self.is_abandoned(*goal));
        self.dropped.iter().copied().chain(spoiled)
    }

    /// Gives up the goals met last, each time twice as many. Returns the number of goals that are kept.
    pub(crate) fn give_up(&mut self) -> usize {
        let more = (2 * self.dropped.len()).max(1);
        let kept = self.met.len().saturating_sub(more);
        self.dropped.clear();
        self.dropped.extend(self.met[kept..].iter().map(|(goal, _)| *goal));
        kept
    }

    /// Sets the number of goals after which the draft is finished as cheaply as possible.
    pub(crate) fn limit_goals(&mut self, max_goals: usize) {
        self.max_goals = max_goals;
    }

    /// The parser would not take an alternative; the wanted ones are remembered.
    pub(crate) fn lost(&mut self, alt: usize) {
        if self.map.goals.kind(alt) == GoalKind::Alternative && self.wanted[alt] {
            self.lost.push(alt);
        }
    }

    /// The wanted alternatives that the parser would not take.
    pub(crate) fn all_lost(&self) -> Vec<usize> {
        let mut lost = self.lost.clone();
        lost.sort_unstable();
        lost.dedup();
        lost
    }

    /// What the draft has met, in order.
    pub(crate) fn met(&self) -> &[(usize, u32)] {
        &self.met
    }

    /// Whether parts that lead nowhere should be as small as possible.
    pub(crate) fn fills_least(&self) -> bool {
        self.fill == Fill::Least
    }

    /// The draft has met nothing: the places that it passed seem further away from now on.
    pub(crate) fn penalize_route(&mut self) {
        self.route.sort_unstable();
        self.route.dedup();
        for place in self.route.drain(..) {
            self.penalties[place as usize] += 1;
        }
        self.stale = usize::MAX;
    }

    /// Whether an alternative is tried although the decision statistics rule it out.
    pub(crate) fn insists_on(&self, place: u32, alt: usize) -> bool {
        let leads = || self.ignores_statistics && self.wants_more() && self.known_way(place, alt).cost < FAR;
        self.max_goals == 1 && ((!self.map.for_paths && self.wanted[alt]) || leads())
    }

    /// The place inside a call.
    pub(crate) fn enter(&mut self, place: u32, rule: RuleId) -> u32 {
        let paths = self.map.paths();
        let next = paths.slot(place, Symbol::Rule(rule)).map_or(NOWHERE, |slot| paths.next(slot));
        if self.wants_more() && self.ways.get(next as usize).is_some_and(|way| way.cost < FAR) {
            self.route.push(next);
        }
        next
    }

    /// An alternative was taken.
    pub(crate) fn took(&mut self, place: u32, alt: usize) {
        if !self.map.for_paths {
            self.meet(place, alt);
        }
    }

    /// A group had this number of iterations.
    pub(crate) fn counted(&mut self, place: u32, block: BlockId, count: u32) {
        if !self.map.for_paths {
            self.meet(place, self.map.goals.count(block, Times::of(count as usize)));
        }
    }

    /// A symbol was written or called.
    pub(crate) fn passed(&mut self, place: u32, symbol: Symbol) {
        if self.map.for_paths
            && let Some(slot) = self.map.paths().slot(place, symbol)
        {
            self.meet(place, self.map.goals.first_path() + slot as usize);
        }
    }

    fn meet(&mut self, place: u32, goal: usize) {
        if !self.wants(goal) || place == NOWHERE {
            return;
        }
        self.is_met[goal] = true;
        self.met.push((goal, place));
        let left = &mut self.left[place as usize];
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.stale = self.stale.saturating_add(1);
        }
    }

    #[inline]
    fn wants(&self, goal: usize) -> bool {
        self.wanted[goal] && !self.is_met[goal] && !self.is_abandoned(goal)
    }

    fn wants_more(&self) -> bool {
        self.met.len() < self.max_goals
    }

    /// How far below an alternative the nearest wanted goal is; 0 if in the alternative itself, [`FAR`] if it takes more
    /// than `height` rule calls.
    pub(crate) fn distance(&mut self, place: u32, alt: usize, height: u32) -> u32 {
        if place == NOWHERE || !self.wants_more() {
            return FAR;
        }
        self.refresh();
        match self.known_way(place, alt) {
            way if way.calls <= height => way.cost,
            _ => FAR,
        }
    }

    fn known_way(&self, place: u32, alt: usize) -> Way {
        if place == NOWHERE {
            return Way::NONE;
        }
        let paths = self.map.paths();
        if !self.map.for_paths {
            let counted = |group: &u32| {
                let block = BlockId::new(*group as usize);
                Times::ALL.iter().any(|times| self.wants(self.map.goals.count(block, *times)))
            };
            if self.wants(alt) || self.map.groups.row(alt).iter().any(counted) {
                return Way::HERE;
            }
        }
        let first = paths.slots(place).start;
        let mut nearest = Way::NONE;
        for symbol in self.map.symbols.row(alt) {
            let slot = first + symbol;
            if self.map.for_paths && self.wants(self.map.goals.first_path() + slot as usize) {
                return Way::HERE;
            }
            if let Some(way) = self.ways.get(paths.next(slot) as usize) {
                nearest = nearest.min(way.longer(1));
            }
        }
        nearest
    }

    /// The same for a group: the nearest of its alternatives, those inside included.
    pub(crate) fn group_distance(&mut self, tables: &Tables, place: u32, block: BlockId, height: u32) -> u32 {
        let alternatives = tables.block(block).alternatives.clone();
        alternatives
            .filter(|alt| tables.weights[*alt as usize] > 0)
            .map(|alt| self.distance(place, alt as usize, height))
            .min()
            .unwrap_or(FAR)
    }

    /// How often to repeat a group, if something is wanted of it.
    pub(crate) fn count(
        &mut self,
        tables: &Tables,
        place: u32,
        block: BlockId,
        height: u32,
        most: u32,
    ) -> Option<u32> {
        if place == NOWHERE || !self.wants_more() {
            return None;
        }
        let inside = if most >= 1 { self.group_distance(tables, place, block, height) } else { FAR };
        let wants = |times| !self.map.for_paths && self.wants(self.map.goals.count(block, times));
        match most {
            2.. if wants(Times::Many) => Some(2),
            1.. if inside == 0 || wants(Times::Once) => Some(1),
            _ if wants(Times::Never) => Some(0),
            _ => (inside < FAR).then_some(1),
        }
    }

    /// Whether a loop should go on: it leads to something, and the last time it was prolonged paid off.
    pub(crate) fn prolongs(&mut self, tables: &Tables, place: u32, block: BlockId, height: u32) -> bool {
        if self.prolonged_at == Some(self.met.len())
            || self.group_distance(tables, place, block, height) == FAR
        {
            return false;
        }
        self.prolonged_at = Some(self.met.len());
        true
    }

    /// Finds the distances again if too many places have run out.
    fn refresh(&mut self) {
        if self.stale <= self.map.paths().len() / SLOTS_PER_STALE_PLACE {
            return;
        }
        self.stale = 0;
        self.ways.fill(Way::NONE);
        self.queue.clear();
        for (place, left) in self.left.iter().enumerate() {
            if *left > 0 {
                self.ways[place] = Way { cost: self.penalties[place], calls: 0 };
                self.queue.push(Reverse((self.ways[place], place as u32)));
            }
        }
        while let Some(Reverse((way, place))) = self.queue.pop() {
            if self.ways[place as usize] != way {
                continue;
            }
            for caller in self.map.callers.row(place as usize) {
                let longer = way.longer(1 + self.penalties[*caller as usize]);
                if longer < self.ways[*caller as usize] {
                    self.ways[*caller as usize] = longer;
                    self.queue.push(Reverse((longer, *caller)));
                }
            }
        }
    }
}
