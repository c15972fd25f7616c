//! Call stacks as a graph: prediction follows thousands of stacks at once, and most share most of their frames.
//!
//! A node is a sorted list of (return state, node below); equal nodes have equal numbers, so comparing two sets
//! of stacks is comparing two integers. Nodes are never changed. Merging is memoised and keeps its own stack:
//! how deep two graphs agree comes from the input.
//!
//! Stacks are merged in two ways. In a set of configurations, nodes below the same return state become one
//! ([`Stacks::merge`]). During a walk it can matter whether *all* stacks of a configuration return into the loop of
//! a left-recursive rule, so those that do and those that do not are kept apart, on every level
//! ([`Stacks::merge_apart`]): such a node may have two entries with one return state. [`Stacks::plain`] puts them
//! together.
//!
//! Two bottoms: [`EMPTY`] is "anything" in the first stage of prediction, where it swallows what it is merged
//! with, and the real bottom in the second; [`UNKNOWN`] stands for frames that the second stage has not asked
//! for yet. Each stage has stacks of its own.

use crate::network::{NO_RULE, StateId, Ways};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of a node.
pub(crate) type StackId = u32;

/// The bottom.
pub(crate) const EMPTY: StackId = 0;
/// Frames that were cut off.
pub(crate) const UNKNOWN: StackId = 1;

/// The return state of [`EMPTY`]'s only entry. Sorts behind all real states.
pub(crate) const EMPTY_RETURN: StateId = u32::MAX;
/// The return state of [`UNKNOWN`]'s only entry.
pub(crate) const UNKNOWN_RETURN: StateId = u32::MAX - 1;

/// A return state and what lies below it.
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
    ways: Arc<Ways>,
    bottom: Bottom,
    entries: Vec<Entry>,
    nodes: Vec<Node>,
    singles: FxHashMap<Entry, StackId>,
    several: FxHashMap<Box<[Entry]>, StackId>,
    merged: FxHashMap<(StackId, StackId), StackId>,
    merged_apart: FxHashMap<(StackId, StackId), StackId>,
    frames: Vec<MergeFrame>,
    /// Pairs of nodes merged since this was last asked.
    n_merges: u64,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// Its entries are `entries[first..end]`.
    first: u32,
    end: u32,
    /// The left-recursive rule into whose loop all entries return; [`NO_RULE`] if there is none.
    common_loop: u32,
    /// The same stacks with nothing kept apart.
    plain: StackId,
}

#[derive(Debug, Clone)]
struct MergeFrame {
    a: StackId,
    b: StackId,
    i: usize,
    j: usize,
    out: Vec<Entry>,
}

impl MergeFrame {
    fn new((a, b): (StackId, StackId)) -> MergeFrame {
        MergeFrame { a, b, i: 0, j: 0, out: Vec::new() }
    }
}

impl Stacks {
    pub(crate) fn new(ways: Arc<Ways>, bottom: Bottom) -> Stacks {
        let node = |id| Node { first: id, end: id + 1, common_loop: NO_RULE, plain: id };
        Stacks {
            ways,
            bottom,
            entries: vec![(EMPTY_RETURN, EMPTY), (UNKNOWN_RETURN, UNKNOWN)],
            nodes: vec![node(EMPTY), node(UNKNOWN)],
            singles: FxHashMap::default(),
            several: FxHashMap::default(),
            merged: FxHashMap::default(),
            merged_apart: FxHashMap::default(),
            frames: Vec::new(),
            n_merges: 0,
        }
    }

    /// How many pairs of nodes were merged since this was last asked: work that steps of a walk do not show.
    #[inline]
    pub(crate) fn merges_since(&mut self) -> u64 {
        std::mem::take(&mut self.n_merges)
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        let n_merged = self.merged.len() + self.merged_apart.len();
        self.entries.len() * 28 + self.nodes.len() * 16 + self.several.len() * 64 + n_merged * 20
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
        if let Some(id) = self.singles.get(&(state, below)) {
            return *id;
        }
        let id = self.add(&[(state, below)]);
        self.singles.insert((state, below), id);
        id
    }

    fn add(&mut self, entries: &[Entry]) -> StackId {
        let id = self.nodes.len() as StackId;
        let first = self.entries.len() as u32;
        self.entries.extend_from_slice(entries);
        let loop_of = |entry: &Entry| self.ways.loops.get(entry.0 as usize).copied().unwrap_or(NO_RULE);
        let rule = loop_of(&entries[0]);
        let common_loop = if entries.iter().all(|entry| loop_of(entry) == rule) { rule } else { NO_RULE };
        self.nodes.push(Node { first, end: first + entries.len() as u32, common_loop, plain: id });
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
            [(state, below)] => self.push(*below, *state),
            _ => {
                if let Some(id) = self.several.get(entries) {
                    return *id;
                }
                let id = self.add(entries);
                self.several.insert(entries.into(), id);
                id
            }
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
        frames.push(MergeFrame::new((a, b)));
        let mut result = EMPTY;
        while let Some(frame) = frames.last_mut() {
            if let Some(first) = self.merge_entries::<APART>(frame) {
                frames.push(MergeFrame::new(first));
                continue;
            }
            let done = frames.pop().expect("the loop looked at it");
            self.n_merges += 1;
            result = self.intern(&done.out);
            let pair = (done.a.min(done.b), done.a.max(done.b));
            if APART { &mut self.merged_apart } else { &mut self.merged }.insert(pair, result);
        }
        self.frames = frames;
        result
    }

    /// The answer where it is known without looking at entries.
    fn merged_already<const APART: bool>(&self, a: StackId, b: StackId) -> Option<StackId> {
        if a == b {
            return Some(a);
        }
        if self.bottom == Bottom::Wildcard && (a == EMPTY || b == EMPTY) {
            return Some(EMPTY);
        }
        if APART { &self.merged_apart } else { &self.merged }.get(&(a.min(b), a.max(b))).copied()
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

    /// Whether what lies below a return state returns into the loop of that state's rule.
    fn returns_into_own_loop(&self, (state, below): Entry) -> bool {
        let common_loop = self.common_loop(below);
        common_loop != NO_RULE && self.ways.rules[state as usize] == common_loop
    }
}

#[cfg(test)]
mod tests;
