//! Places that a walk still has to look at.
//!
//! In long walks by rank ([`NetworkFacts::ranks`](crate::network::NetworkFacts)), and while a place waits, the stacks of all that arrive
//! there are merged: the walk goes through a rule once for all its callers, not once for each. In short walks,
//! and where the order of discovery can be observed, places come depth first and nothing is merged.

use super::configs::Config;
use super::stacks::{StackId, Stacks};
use crate::index::{Index, Mix};
use crate::network::NetworkFacts;

/// A place of a walk: where it is and what it knows there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PendingConfig {
    pub(crate) config: Config,
    /// Calls entered that may end without a token; -1 once the walk cannot come back to the decision's own
    /// invocation. 0 if nothing is collected.
    pub(crate) depth: i32,
    /// Predicates met from here on count.
    pub(crate) collect: bool,
    /// It was reached over an edge that may lead round for ever.
    pub(crate) round: bool,
}

impl PendingConfig {
    #[inline]
    fn hash(&self) -> u32 {
        let [a, b] = self.config.words();
        Mix::default().and(a).and(b ^ u64::from(self.depth as u32) << 9 ^ u64::from(self.collect) << 8).hash()
    }
}

/// In which order a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum VisitOrder {
    /// By rank, and what comes together is merged.
    #[default]
    Merged,
    /// As ANTLR does: depth first, in the order of the edges.
    DepthFirst,
}

/// The places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queue {
    pub(crate) order: VisitOrder,
    depth_first: Vec<PendingConfig>,
    by_rank: Ranks,
    slots: Vec<Slot>,
    /// The slot of the place that came last.
    current: usize,
    /// Slots by configuration, where the stack is replaced by whether all of it returns into the rule's loop.
    index: Index,
    /// Places that were asked about.
    met: Vec<PendingConfig>,
    met_index: Index,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    pending: PendingConfig,
    looping: bool,
    waits: bool,
    /// The stack of the first place that was asked about.
    first: Option<StackId>,
}

impl Queue {
    /// Before a walk.
    pub(crate) fn start(&mut self, order: VisitOrder) {
        self.order = order;
        self.stop();
        self.slots.clear();
        self.index.clear();
        self.met.clear();
        self.met_index.clear();
    }

    /// Drops all that waits.
    pub(crate) fn stop(&mut self) {
        self.depth_first.clear();
        self.by_rank.clear();
    }

    /// One more place.
    #[inline(always)]
    pub(crate) fn put(&mut self, pending: PendingConfig, facts: &NetworkFacts, stacks: &mut Stacks) {
        if self.order == VisitOrder::DepthFirst {
            self.depth_first.push(pending);
            return;
        }
        let Config { state, stack, .. } = pending.config;
        let looping = stacks.common_loop(stack) == facts.rules[state as usize];
        let as_key = |pending: PendingConfig, looping| PendingConfig {
            config: Config { stack: StackId::from(looping), ..pending.config },
            round: false,
            ..pending
        };
        let key = as_key(pending, looping);
        let is_same = |at: u32| {
            let slot = &self.slots[at as usize];
            as_key(slot.pending, slot.looping) == key
        };
        let next = self.slots.len();
        let at = self.index.get_or_insert(key.hash(), next, is_same).unwrap_or_else(|| {
            self.slots.push(Slot { pending, looping, waits: false, first: None });
            next as u32
        });
        let slot = &mut self.slots[at as usize];
        if slot.waits {
            slot.pending.config.stack = stacks.merge_apart(slot.pending.config.stack, stack);
            slot.pending.round |= pending.round;
        } else {
            *slot = Slot { pending, looping, waits: true, first: slot.first };
            self.by_rank.push(facts.ranks[state as usize], at);
        }
    }

    /// The next place.
    pub(crate) fn next(&mut self) -> Option<PendingConfig> {
        if self.order == VisitOrder::DepthFirst {
            return self.depth_first.pop();
        }
        self.current = self.by_rank.pop()? as usize;
        let slot = &mut self.slots[self.current];
        slot.waits = false;
        Some(slot.pending)
    }

    /// Whether the place that came last was never asked about before in this walk.
    pub(crate) fn is_new(&mut self, pending: PendingConfig) -> bool {
        if self.order == VisitOrder::Merged {
            // Most slots are asked about once.
            match &mut self.slots[self.current].first {
                Some(stack) if *stack == pending.config.stack => return false,
                Some(_) => {}
                first => {
                    *first = Some(pending.config.stack);
                    return true;
                }
            }
        }
        let pending = PendingConfig { round: false, ..pending };
        let is_same = |at: u32| self.met[at as usize] == pending;
        let is_new = self.met_index.get_or_insert(pending.hash(), self.met.len(), is_same).is_none();
        if is_new {
            self.met.push(pending);
        }
        is_new
    }
}

/// Slots that wait, the least rank first, and of one rank the oldest slot.
///
/// Ranks are dense, so a set of bits says which of them have slots, and the next is nearly always near the last.
#[derive(Debug, Clone, Default)]
struct Ranks {
    bits: Vec<u64>,
    /// No rank before this word has slots.
    word: usize,
    /// By rank with slots: the first and the last of them in `links`.
    ends: Vec<(u32, u32)>,
    /// A slot, and the next link of its rank or [`NO_LINK`].
    links: Vec<(u32, u32)>,
}

const NO_LINK: u32 = u32::MAX;

impl Ranks {
    fn clear(&mut self) {
        for word in &mut self.bits[self.word..] {
            *word = 0;
        }
        self.word = self.bits.len();
        self.links.clear();
    }

    fn push(&mut self, rank: u32, slot: u32) {
        let (rank, word) = (rank as usize, rank as usize / 64);
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
            self.ends.resize((word + 1) * 64, (NO_LINK, NO_LINK));
        }
        self.word = self.word.min(word);
        let link = self.links.len() as u32;
        if self.bits[word] >> (rank % 64) & 1 == 0 {
            self.bits[word] |= 1 << (rank % 64);
            self.ends[rank] = (link, link);
            self.links.push((slot, NO_LINK));
            return;
        }
        let (first, last) = self.ends[rank];
        // Nearly always the newest slot of all, and otherwise there are few.
        let mut before = if self.links[last as usize].0 < slot { last } else { NO_LINK };
        let mut after = if before == NO_LINK { first } else { NO_LINK };
        while after != NO_LINK && self.links[after as usize].0 < slot {
            before = after;
            after = self.links[after as usize].1;
        }
        self.links.push((slot, after));
        match before {
            NO_LINK => self.ends[rank].0 = link,
            before => self.links[before as usize].1 = link,
        }
        if after == NO_LINK {
            self.ends[rank].1 = link;
        }
    }

    fn pop(&mut self) -> Option<u32> {
        while *self.bits.get(self.word)? == 0 {
            self.word += 1;
        }
        let bit = self.bits[self.word].trailing_zeros() as usize;
        let rank = self.word * 64 + bit;
        let (slot, next) = self.links[self.ends[rank].0 as usize];
        self.ends[rank].0 = next;
        if next == NO_LINK {
            self.bits[self.word] &= !(1 << bit);
        }
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_by_rank_and_then_by_age() {
        let mut ranks = Ranks::default();
        for _ in 0..2 {
            for (rank, slot) in [(200, 1), (3, 4), (200, 0), (3, 9), (3, 6), (64, 2)] {
                ranks.push(rank, slot);
            }
            assert_eq!([ranks.pop(), ranks.pop()], [Some(4), Some(6)]);
            ranks.push(0, 7);
            let rest: Vec<u32> = std::iter::from_fn(|| ranks.pop()).collect();
            assert_eq!(rest, [7, 9, 2, 0, 1]);
            ranks.push(5, 5);
            ranks.clear();
            assert_eq!(ranks.pop(), None);
        }
    }
}
