//! Places that a walk still has to look at.
//!
//! In long walks by rank ([`Ways::ranks`](crate::network::Ways)), and while a place waits, the stacks of all that arrive
//! there are merged: the walk goes through a rule once for all its callers, not once for each. In short walks,
//! and where the order of discovery can be observed, places come depth first and nothing is merged.

use super::configs::Config;
use super::stacks::{StackId, Stacks};
use crate::network::Ways;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{Hash, Hasher};

/// A place of a walk: where it is and what it knows there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) config: Config,
    /// Calls entered that may end without a token; -1 once the walk cannot come back to the decision's own
    /// invocation. 0 if nothing is collected.
    pub(crate) depth: i32,
    /// Predicates met from here on count.
    pub(crate) collect: bool,
    /// It was reached over an edge that may lead round for ever.
    pub(crate) round: bool,
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // In few words: a walk does little else than look up places.
        let Config { state: at, alt, flags, stack, condition } = self.config;
        state.write_u64(u64::from(at) << 32 | u64::from(alt) << 16 | u64::from(flags));
        state.write_u64(u64::from(stack) << 32 | u64::from(condition));
        state.write_u32(self.depth as u32 ^ u32::from(self.collect) << 31);
    }
}

/// In which order a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Order {
    /// By rank, and what comes together is merged.
    #[default]
    Merged,
    /// As ANTLR does: depth first, in the order of the edges.
    DepthFirst,
}

/// The places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queue {
    pub(crate) order: Order,
    depth_first: Vec<Place>,
    by_rank: BinaryHeap<Reverse<(u32, u32)>>,
    slots: Vec<Slot>,
    /// The slot of the place that came last.
    current: usize,
    /// Slots by place, where the stack stands for whether all of it returns into the rule's loop.
    index: FxHashMap<Place, u32>,
    seen: FxHashSet<Place>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    place: Place,
    waits: bool,
    /// The stack of the first place that was asked about.
    first: Option<StackId>,
}

impl Queue {
    /// Before a walk.
    pub(crate) fn start(&mut self, order: Order) {
        self.order = order;
        self.stop();
        self.slots.clear();
        self.index.clear();
        self.seen.clear();
    }

    /// Drops all that waits.
    pub(crate) fn stop(&mut self) {
        self.depth_first.clear();
        self.by_rank.clear();
    }

    /// One more place.
    pub(crate) fn put(&mut self, place: Place, ways: &Ways, stacks: &mut Stacks) {
        if self.order == Order::DepthFirst {
            self.depth_first.push(place);
            return;
        }
        let Config { state, stack, .. } = place.config;
        let looping = stacks.common_loop(stack) == ways.rules[state as usize];
        let config = Config { stack: StackId::from(looping), ..place.config };
        let key = Place { config, round: false, ..place };
        let at = *self.index.entry(key).or_insert_with(|| {
            self.slots.push(Slot { place, waits: false, first: None });
            (self.slots.len() - 1) as u32
        });
        let slot = &mut self.slots[at as usize];
        if slot.waits {
            slot.place.config.stack = stacks.merge_apart(slot.place.config.stack, stack);
            slot.place.round |= place.round;
        } else {
            *slot = Slot { place, waits: true, first: slot.first };
            self.by_rank.push(Reverse((ways.ranks[state as usize], at)));
        }
    }

    /// The next place.
    pub(crate) fn next(&mut self) -> Option<Place> {
        if self.order == Order::DepthFirst {
            return self.depth_first.pop();
        }
        let Reverse((_, at)) = self.by_rank.pop()?;
        self.current = at as usize;
        let slot = &mut self.slots[self.current];
        slot.waits = false;
        Some(slot.place)
    }

    /// Whether the place that came last was never asked about before in this walk.
    pub(crate) fn is_new(&mut self, place: Place) -> bool {
        if self.order == Order::Merged {
            // Most slots are asked about once.
            match &mut self.slots[self.current].first {
                Some(stack) if *stack == place.config.stack => return false,
                Some(_) => {}
                first => {
                    *first = Some(place.config.stack);
                    return true;
                }
            }
        }
        self.seen.insert(Place { round: false, ..place })
    }
}
