//! Leads a draft to what has not been covered yet.
//!
//! The draft walks over *places*: first those of single rules, towards alternatives and repetition counts, then
//! those of k-paths. For each place it is known how many wanted goals it has left and how far below it the nearest
//! place with some lies; a choice takes what is wanted itself, else the way to the nearest. What a draft has met it
//! does not want a second time; when the last goal of a place is met, the distances are found again by one search
//! (Dijkstra's, backwards from the goals).
//!
//! A way is as long as it has rule calls, and longer by the *disappointments* on it: drafts that were led through a
//! place and met nothing at all. So what cannot be reached on one way is looked for on others, and does not keep
//! drafts from everything that lies further away.

use super::map::Map;
use crate::tables::Tables;
use crate::tuning::{MAX_GOAL_LOSSES, SLOTS_PER_STALE_PLACE};
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::{GoalKind, Goals, NOWHERE, Times};
use polysmith_grammar::{BlockId, Grammar, RuleId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Does not lead to anything wanted.
pub(crate) const FAR: u32 = u32::MAX;

/// What the parts of a draft are made of that lead nowhere.
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
    /// Rule calls and disappointments.
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

/// What is wanted, and where it lies.
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
    /// By place: drafts that were led through it and met nothing.
    disappointments: Vec<u32>,
    /// The places through which the draft was led.
    led: Vec<u32>,
    /// Places that ran out of goals since the distances were found.
    stale: usize,
    queue: BinaryHeap<Reverse<(Way, u32)>>,
    /// The wanted goals that the draft has met, in order, and where.
    met: Vec<(usize, u32)>,
    /// So many goals are enough for this draft.
    appetite: usize,
    fill: Fill,
    /// Tries ways that the parser was never seen to take.
    dares: bool,
    /// Goals met when a loop was last prolonged.
    prolonged_at: Option<usize>,
    /// Wanted alternatives that the parser would not take.
    lost: Vec<usize>,
    /// By goal: how often the draft took it back.
    rewound: Vec<u8>,
    /// The goals that it took back.
    all_rewound: Vec<usize>,
    /// The goals that were given up last, because the draft did not get on.
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
            disappointments: vec![0; map.paths().n_places()],
            led: Vec::new(),
            stale: usize::MAX,
            queue: BinaryHeap::new(),
            met: Vec::new(),
            appetite: usize::MAX,
            fill: Fill::Least,
            dares: false,
            prolonged_at: None,
            lost: Vec::new(),
            rewound: vec![0; map.goals.len()],
            all_rewound: Vec::new(),
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
        if place == NOWHERE || self.is_met[goal] || self.is_spoiled(goal) {
            return;
        }
        let left = &mut self.left[place as usize];
        *left = if wanted { *left + 1 } else { left.saturating_sub(1) };
    }

    pub(crate) fn is_wanted(&self, goal: usize) -> bool {
        self.wanted[goal]
    }

    /// A draft begins.
    pub(crate) fn begin(&mut self, grammar: &Grammar, appetite: usize, fill: Fill, dares: bool) {
        for goal in std::mem::take(&mut self.all_rewound) {
            let was_spoiled = self.is_spoiled(goal);
            self.rewound[goal] = 0;
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
        (self.appetite, self.fill, self.dares, self.prolonged_at) = (appetite, fill, dares, None);
        self.led.clear();
        self.lost.clear();
        self.dropped.clear();
    }

    /// The draft steps back to where it had met so many goals.
    pub(crate) fn rewind(&mut self, met: usize) {
        for (goal, place) in self.met.drain(met..) {
            self.is_met[goal] = false;
            self.rewound[goal] += 1;
            if self.rewound[goal] == 1 {
                self.all_rewound.push(goal);
            }
            if self.rewound[goal] < MAX_GOAL_LOSSES {
                self.left[place as usize] += 1;
            }
            self.stale = usize::MAX;
        }
    }

    /// Whether the draft took a goal back so often that it does not want it any more.
    fn is_spoiled(&self, goal: usize) -> bool {
        self.rewound[goal] >= MAX_GOAL_LOSSES
    }

    /// The goals that the draft gave up: to be finished at all, or because it took them back too often.
    pub(crate) fn given_up(&self) -> impl Iterator<Item = usize> + '_ {
        let spoiled = self.all_rewound.iter().copied().filter(|goal| self.is_spoiled(*goal));
        self.dropped.iter().copied().chain(spoiled)
    }

    /// The draft does not get on: some goals fewer than it has met, each time twice as many.
    pub(crate) fn give_up(&mut self) -> usize {
        let more = (2 * self.dropped.len()).max(1);
        let kept = self.met.len().saturating_sub(more);
        self.dropped.clear();
        self.dropped.extend(self.met[kept..].iter().map(|(goal, _)| *goal));
        kept
    }

    /// Sets the number of goals after which the draft is finished as cheaply as possible.
    pub(crate) fn limit_goals(&mut self, max_goals: usize) {
        self.appetite = max_goals;
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

    /// The draft has met nothing: other ways seem shorter from now on.
    pub(crate) fn disappoint(&mut self) {
        self.led.sort_unstable();
        self.led.dedup();
        for place in self.led.drain(..) {
            self.disappointments[place as usize] += 1;
        }
        self.stale = usize::MAX;
    }

    /// Whether an alternative is to be tried although the parser was never seen to take it.
    pub(crate) fn insists_on(&self, place: u32, alt: usize) -> bool {
        let leads = || self.dares && self.is_hungry() && self.known_way(place, alt).cost < FAR;
        self.appetite == 1 && ((!self.map.for_paths && self.wanted[alt]) || leads())
    }

    /// The place behind a call.
    pub(crate) fn enter(&mut self, place: u32, rule: RuleId) -> u32 {
        let paths = self.map.paths();
        let next = paths.slot(place, Symbol::Rule(rule)).map_or(NOWHERE, |slot| paths.next(slot));
        if self.is_hungry() && self.ways.get(next as usize).is_some_and(|way| way.cost < FAR) {
            self.led.push(next);
        }
        next
    }

    /// An alternative was taken.
    pub(crate) fn took(&mut self, place: u32, alt: usize) {
        if !self.map.for_paths {
            self.meet(place, alt);
        }
    }

    /// A group was repeated so often.
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
        self.wanted[goal] && !self.is_met[goal] && !self.is_spoiled(goal)
    }

    fn is_hungry(&self) -> bool {
        self.met.len() < self.appetite
    }

    /// How far below an alternative something wanted lies; 0 if in the alternative itself, [`FAR`] if it takes more
    /// than `height` rule calls.
    pub(crate) fn distance(&mut self, place: u32, alt: usize, height: u32) -> u32 {
        if place == NOWHERE || !self.is_hungry() {
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
        if place == NOWHERE || !self.is_hungry() {
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
                self.ways[place] = Way { cost: self.disappointments[place], calls: 0 };
                self.queue.push(Reverse((self.ways[place], place as u32)));
            }
        }
        while let Some(Reverse((way, place))) = self.queue.pop() {
            if self.ways[place as usize] != way {
                continue;
            }
            for caller in self.map.callers.row(place as usize) {
                let longer = way.longer(1 + self.disappointments[*caller as usize]);
                if longer < self.ways[*caller as usize] {
                    self.ways[*caller as usize] = longer;
                    self.queue.push(Reverse((longer, *caller)));
                }
            }
        }
    }
}
