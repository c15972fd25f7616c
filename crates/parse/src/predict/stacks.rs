//! Call stacks as a graph: prediction follows thousands of stacks at once, and most share most of their frames.
//!
//! A node is a sorted list of (return state, node below); equal nodes have equal numbers, so comparing two sets
//! of stacks is comparing two integers. Nodes are never changed. Merging is memoised and keeps its own stack:
//! how deep two graphs agree comes from the input.
//!
//! Stacks are merged in two facts. In a set of configurations, nodes below the same return state become one
//! ([`Stacks::merge`]). During a walk it can matter whether *all* stacks of a configuration return into the loop of
//! a left-recursive rule, so those that do and those that do not are kept apart, on every level
//! ([`Stacks::merge_apart`]): such a node may have two entries with one return state. [`Stacks::plain`] puts them
//! together.
//!
//! Two bottoms: [`EMPTY`] is "anything" in the first stage of prediction, where it swallows what it is merged
//! with, and the real bottom in the second; [`UNKNOWN`] represents frames that the second stage has not asked
//! for yet. Each stage has stacks of its own.

use crate::index::{Index, Mix};
use crate::network::{NO_RULE, NetworkFacts, StateId};
use std::sync::Arc;

/// Number of a node.
pub(crate) type StackId = u32;

/// The bottom.
pub(crate) const EMPTY: StackId = 0;
/// Frames that were cut off.
pub(crate) const UNKNOWN: StackId = 1;

/// The return state of [`EMPTY`]'s only entry. Sorts after all real states.
pub(crate) const EMPTY_RETURN: StateId = u32::MAX;
/// The return state of [`UNKNOWN`]'s only entry.
pub(crate) const UNKNOWN_RETURN: StateId = u32::MAX - 1;

/// A return state and what is below it.
pub(crate) type Entry = (StateId, StackId);

/// What [`EMPTY`] means when two stacks are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bottom {
    /// It covers every stack.
    Wildcard,
    /// It is one stack like others.
    Real,
}

/// The arena.
#[derive(Debug, Clone)]
pub(crate) struct Stacks {
    facts: Arc<NetworkFacts>,
    bottom: Bottom,
    entries: Vec<Entry>,
    nodes: Vec<StackNode>,
    /// Nodes by their entries.
    ids: Index,
    merged: Merged,
    merged_apart: Merged,
    frames: Vec<MergeFrame>,
    /// Room for the entries of frames.
    spare: Vec<Vec<Entry>>,
    /// Pairs of nodes merged since this was last asked.
    n_merges: u64,
}

#[derive(Debug, Clone, Copy)]
struct StackNode {
    /// Its entries are `entries[first..end]`.
    first: u32,
    end: u32,
    /// The left-recursive rule into whose loop all entries return; [`NO_RULE`] if there is none.
    common_loop: u32,
    /// The same stacks with nothing kept apart.
    plain: StackId,
}

/// Pairs of nodes, the smaller one first, with what they are together.
#[derive(Debug, Clone, Default)]
struct Merged {
    list: Vec<[StackId; 3]>,
    index: Index,
}

impl Merged {
    #[inline]
    fn get(&self, a: StackId, b: StackId) -> Option<StackId> {
        let is_same = |at: u32| self.list[at as usize][..2] == [a, b];
        self.index.get(hash_of(&[(a, b)]), is_same).map(|at| self.list[at as usize][2])
    }

    fn insert(&mut self, a: StackId, b: StackId, both: StackId) {
        self.index.insert(hash_of(&[(a, b)]), self.list.len() as u32);
        self.list.push([a, b, both]);
    }
}

#[inline]
fn hash_of(entries: &[Entry]) -> u32 {
    entries.iter().fold(Mix::default(), |mix, (a, b)| mix.and_both(*a, *b)).hash()
}

#[derive(Debug, Clone)]
struct MergeFrame {
    a: StackId,
    b: StackId,
    i: usize,
    j: usize,
    out: Vec<Entry>,
}

impl Stacks {
    pub(crate) fn new(facts: Arc<NetworkFacts>, bottom: Bottom) -> Stacks {
        let node = |id| StackNode { first: id, end: id + 1, common_loop: NO_RULE, plain: id };
        Stacks {
            facts,
            bottom,
            entries: vec![(EMPTY_RETURN, EMPTY), (UNKNOWN_RETURN, UNKNOWN)],
            nodes: vec![node(EMPTY), node(UNKNOWN)],
            ids: Index::default(),
            merged: Merged::default(),
            merged_apart: Merged::default(),
            frames: Vec::new(),
            spare: Vec::new(),
            n_merges: 0,
        }
    }

    /// The number of pairs of nodes merged since this was last asked: work that steps of a walk do not show.
    #[inline]
    pub(crate) fn merges_since(&mut self) -> u64 {
        std::mem::take(&mut self.n_merges)
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        let n_merged = self.merged.list.len() + self.merged_apart.list.len();
        self.entries.len() * 8 + self.nodes.len() * 16 + n_merged * 12 + (self.ids.len() + n_merged) * 36
    }

    /// The entries of a node, by return state.
    #[inline]
    pub(crate) fn entries(&self, id: StackId) -> &[Entry] {
        let node = self.nodes[id as usize];
        &self.entries[node.first as usize..node.end as usize]
    }

    /// Whether one of the stacks is the empty one.
    pub(crate) fn has_empty(&self, id: StackId) -> bool {
        self.entries(id).last().is_some_and(|entry| entry.0 == EMPTY_RETURN)
    }

    /// The left-recursive rule into whose loop every stack returns; [`NO_RULE`] if there is none.
    #[inline]
    pub(crate) fn common_loop(&self, id: StackId) -> u32 {
        self.nodes[id as usize].common_loop
    }

    /// The same stacks as a node with one entry for each return state, on every level.
    #[inline]
    pub(crate) fn plain(&self, id: StackId) -> StackId {
        self.nodes[id as usize].plain
    }

    /// One more frame on top.
    #[inline]
    pub(crate) fn push(&mut self, below: StackId, state: StateId) -> StackId {
        self.node(&[(state, below)])
    }

    /// The node with these entries.
    #[inline]
    fn node(&mut self, entries: &[Entry]) -> StackId {
        let hash = hash_of(entries);
        let known = self.ids.get(hash, |id| self.entries(id) == entries);
        known.unwrap_or_else(|| self.add(entries, hash))
    }

    #[inline(never)]
    fn add(&mut self, entries: &[Entry], hash: u32) -> StackId {
        let id = self.nodes.len() as StackId;
        self.ids.insert(hash, id);
        let first = self.entries.len() as u32;
        self.entries.extend_from_slice(entries);
        let loop_of = |entry: &Entry| self.facts.loops.get(entry.0 as usize).copied().unwrap_or(NO_RULE);
        let rule = loop_of(&entries[0]);
        let common_loop = if entries.iter().all(|entry| loop_of(entry) == rule) { rule } else { NO_RULE };
        self.nodes.push(StackNode { first, end: first + entries.len() as u32, common_loop, plain: id });
        let apart = entries.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if apart || entries.iter().any(|entry| self.plain(entry.1) != entry.1) {
            self.nodes[id as usize].plain = self.put_together(entries);
        }
        id
    }

    fn put_together(&mut self, entries: &[Entry]) -> StackId {
        let mut out: Vec<Entry> = Vec::with_capacity(entries.len());
        for (state, below) in entries {
            let below = self.plain(*below);
            match out.last_mut() {
                Some(last) if last.0 == *state => last.1 = self.merge(last.1, below),
                _ => out.push((*state, below)),
            }
        }
        self.intern(&out)
    }

    fn intern(&mut self, entries: &[Entry]) -> StackId {
        match entries {
            [(EMPTY_RETURN, _)] => EMPTY,
            [(UNKNOWN_RETURN, _)] => UNKNOWN,
            _ => self.node(entries),
        }
    }

    /// All stacks of both, which are plain.
    pub(crate) fn merge(&mut self, a: StackId, b: StackId) -> StackId {
        self.merge_as::<false>(a, b)
    }

    /// All stacks of both; on every level, those that return into a loop are kept apart from the others.
    pub(crate) fn merge_apart(&mut self, a: StackId, b: StackId) -> StackId {
        self.merge_as::<true>(a, b)
    }

    fn merge_as<const APART: bool>(&mut self, a: StackId, b: StackId) -> StackId {
        if let Some(known) = self.merged_already::<APART>(a, b) {
            return known;
        }
        let mut frames = std::mem::take(&mut self.frames);
        frames.push(self.merge_frame((a, b)));
        let mut result = EMPTY;
        while let Some(frame) = frames.last_mut() {
            if let Some(first) = self.merge_entries::<APART>(frame) {
                frames.push(self.merge_frame(first));
                continue;
            }
            let done = frames.pop().expect("the loop looked at it");
            self.n_merges += 1;
            result = self.intern(&done.out);
            self.spare.push(done.out);
            let merged = if APART { &mut self.merged_apart } else { &mut self.merged };
            merged.insert(done.a.min(done.b), done.a.max(done.b), result);
        }
        self.frames = frames;
        result
    }

    fn merge_frame(&mut self, (a, b): (StackId, StackId)) -> MergeFrame {
        let mut out = self.spare.pop().unwrap_or_default();
        out.clear();
        MergeFrame { a, b, i: 0, j: 0, out }
    }

    /// The answer where it is known without looking at entries.
    fn merged_already<const APART: bool>(&self, a: StackId, b: StackId) -> Option<StackId> {
        if a == b {
            return Some(a);
        }
        if self.bottom == Bottom::Wildcard && (a == EMPTY || b == EMPTY) {
            return Some(EMPTY);
        }
        if APART { &self.merged_apart } else { &self.merged }.get(a.min(b), a.max(b))
    }

    /// Merges two sorted lists as far as possible; returns a pair of nodes that must be merged first.
    fn merge_entries<const APART: bool>(&self, frame: &mut MergeFrame) -> Option<(StackId, StackId)> {
        let (left, right) = (self.entries(frame.a), self.entries(frame.b));
        let key = |entry: &Entry| (entry.0, APART && self.returns_into_own_loop(*entry));
        loop {
            match (left.get(frame.i), right.get(frame.j)) {
                (None, None) => return None,
                (Some(x), Some(y)) if key(x) == key(y) => {
                    let below = match self.merged_already::<APART>(x.1, y.1) {
                        Some(below) => below,
                        None => return Some((x.1, y.1)),
                    };
                    frame.out.push((x.0, below));
                    frame.i += 1;
                    frame.j += 1;
                }
                (Some(x), Some(y)) if key(x) < key(y) => {
                    frame.out.push(*x);
                    frame.i += 1;
                }
                (Some(x), None) => {
                    frame.out.push(*x);
                    frame.i += 1;
                }
                (_, Some(y)) => {
                    frame.out.push(*y);
                    frame.j += 1;
                }
            }
        }
    }

    /// Whether what is below a return state returns into the loop of that state's rule.
    fn returns_into_own_loop(&self, (state, below): Entry) -> bool {
        let common_loop = self.common_loop(below);
        common_loop != NO_RULE && self.facts.rules[state as usize] == common_loop
    }
}

#[cfg(test)]
mod tests;
