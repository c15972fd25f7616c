//! Leads a draft to what has not been covered yet.
//!
//! The draft walks over *places*: first those of single rules, towards alternatives and repetition counts, then
//! those of k-paths. For each place it is known how many wanted goals it has left and how many rule calls below it
//! the nearest place with some lies; a choice takes what is wanted itself, else the way to the nearest. What a
//! draft has met it does not want a second time; when the last goal of a place is met, the distances are found
//! again by one breadth-first search.

use super::map::Map;
use crate::tables::Tables;
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::{Goals, NOWHERE, Times};
use polysmith_grammar::{BlockId, Grammar};

/// Does not lead to anything wanted.
pub(crate) const FAR: u32 = u32::MAX;
/// Slots per breadth-first search that are worth one more place being up to date.
const SLOTS_PER_STALE_PLACE: usize = 20_000;

/// What the parts of a draft are made of that lead nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    /// As few tokens as possible.
    Least,
    /// Whatever is drawn.
    Random,
}

/// What is wanted, and where it lies.
#[derive(Debug)]
pub(crate) struct Steer {
    map: Map,
    /// By goal.
    wanted: Vec<bool>,
    /// By goal: the draft has met it.
    is_met: Vec<bool>,
    /// By place: wanted goals that the draft has not met.
    left: Vec<u32>,
    /// By place: rule calls to the nearest place with some left.
    distances: Vec<u32>,
    /// Places that ran out of goals since the distances were found.
    stale: usize,
    queue: Vec<u32>,
    /// The wanted goals that the draft has met, in order, and where.
    met: Vec<(usize, u32)>,
    /// So many goals are enough for this draft.
    appetite: usize,
    fill: Fill,
    /// Goals met when a loop was last prolonged.
    prolonged_at: Option<usize>,
    /// Wanted alternatives that the parser would not take.
    lost: Vec<usize>,
}

impl Steer {
    /// Towards the goals of one stage, of which none is wanted yet.
    pub(crate) fn new(grammar: &Grammar, tables: &Tables, goals: Goals, for_paths: bool) -> Steer {
        let map = Map::new(grammar, tables, goals, for_paths);
        Steer {
            wanted: vec![false; map.goals.len()],
            is_met: vec![false; map.goals.len()],
            left: vec![0; map.paths().n_places()],
            distances: vec![FAR; map.paths().n_places()],
            stale: usize::MAX,
            queue: Vec::new(),
            met: Vec::new(),
            appetite: usize::MAX,
            fill: Fill::Least,
            prolonged_at: None,
            lost: Vec::new(),
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
        if place == NOWHERE || self.is_met[goal] {
            return;
        }
        let left = &mut self.left[place as usize];
        *left = if wanted { *left + 1 } else { left.saturating_sub(1) };
    }

    pub(crate) fn is_wanted(&self, goal: usize) -> bool {
        self.wanted[goal]
    }

    /// A draft begins.
    pub(crate) fn begin(&mut self, appetite: usize, fill: Fill) {
        for (goal, place) in std::mem::take(&mut self.met) {
            self.is_met[goal] = false;
            if self.wanted[goal] {
                self.left[place as usize] += 1;
            }
            self.stale = usize::MAX;
        }
        (self.appetite, self.fill, self.prolonged_at) = (appetite, fill, None);
        self.lost.clear();
    }

    /// The draft steps back to where it had met so many goals.
    pub(crate) fn rewind(&mut self, met: usize) {
        for (goal, place) in self.met.drain(met..) {
            self.is_met[goal] = false;
            self.left[place as usize] += 1;
            self.stale = usize::MAX;
        }
    }

    /// The parser would not take an option; of alternatives the wanted ones are remembered.
    pub(crate) fn lost(&mut self, option: usize) {
        if option < self.map.goals.first_path() && self.wanted[option] {
            self.lost.push(option);
        }
    }

    /// The wanted alternatives that the parser would not take.
    pub(crate) fn all_lost(&self) -> &[usize] {
        &self.lost
    }

    /// What the draft has met, in order.
    pub(crate) fn met(&self) -> &[(usize, u32)] {
        &self.met
    }

    /// Whether parts that lead nowhere should be as small as possible.
    pub(crate) fn is_thrifty(&self) -> bool {
        self.fill == Fill::Least
    }

    /// Whether an alternative is to be tried although the parser was never seen to take it.
    pub(crate) fn insists_on(&self, alt: usize) -> bool {
        self.appetite == 1 && !self.map.for_paths && self.wanted[alt]
    }

    /// The place behind a call.
    pub(crate) fn enter(&self, place: u32, rule: polysmith_grammar::RuleId) -> u32 {
        let paths = self.map.paths();
        paths.slot(place, Symbol::Rule(rule)).map_or(NOWHERE, |slot| paths.next(slot))
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
        self.wanted[goal] && !self.is_met[goal]
    }

    fn is_hungry(&self) -> bool {
        self.met.len() < self.appetite
    }

    /// How many rule calls below an alternative something wanted lies; 0 if in the alternative itself.
    pub(crate) fn distance(&mut self, place: u32, alt: usize) -> u32 {
        if place == NOWHERE || !self.is_hungry() {
            return FAR;
        }
        self.refresh();
        let paths = self.map.paths();
        if !self.map.for_paths {
            let counted = |group: &u32| {
                let block = BlockId::new(*group as usize);
                Times::ALL.iter().any(|times| self.wants(self.map.goals.count(block, *times)))
            };
            if self.wants(alt) || self.map.groups.row(alt).iter().any(counted) {
                return 0;
            }
        }
        let first = paths.slots(place).start;
        let mut nearest = FAR;
        for symbol in self.map.symbols.row(alt) {
            let slot = first + symbol;
            if self.map.for_paths && self.wants(self.map.goals.first_path() + slot as usize) {
                return 0;
            }
            if let Some(distance) = self.distances.get(paths.next(slot) as usize) {
                nearest = nearest.min(distance.saturating_add(1));
            }
        }
        nearest
    }

    /// The same for a group: the nearest of its alternatives, those inside included.
    pub(crate) fn group_distance(&mut self, tables: &Tables, place: u32, block: BlockId) -> u32 {
        let alternatives = tables.blocks[block.index()].alternatives.clone();
        alternatives
            .filter(|alt| tables.weights[*alt as usize] > 0)
            .map(|alt| self.distance(place, alt as usize))
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
        let inside = if most >= 1 { self.group_distance(tables, place, block) } else { FAR };
        let wants = |times| !self.map.for_paths && self.wants(self.map.goals.count(block, times));
        match most {
            2.. if wants(Times::Many) => Some(2),
            1.. if inside == 0 || wants(Times::Once) => Some(1),
            _ if wants(Times::Never) => Some(0),
            _ => (inside <= height).then_some(1),
        }
    }

    /// Whether a loop should go on: it leads to something, and the last time it was prolonged paid off.
    pub(crate) fn prolongs(&mut self, tables: &Tables, place: u32, block: BlockId, height: u32) -> bool {
        if self.prolonged_at == Some(self.met.len()) || self.group_distance(tables, place, block) > height {
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
        self.distances.fill(FAR);
        self.queue.clear();
        for (place, left) in self.left.iter().enumerate() {
            if *left > 0 {
                self.distances[place] = 0;
                self.queue.push(place as u32);
            }
        }
        let mut at = 0;
        while let Some(place) = self.queue.get(at).copied() {
            at += 1;
            let next = self.distances[place as usize] + 1;
            for caller in self.map.callers.row(place as usize) {
                if self.distances[*caller as usize] == FAR {
                    self.distances[*caller as usize] = next;
                    self.queue.push(*caller);
                }
            }
        }
    }
}
