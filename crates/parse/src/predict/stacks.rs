//! Call stacks as a graph: prediction follows thousands of stacks at once, and most share most of their frames.
//!
//! A node is a sorted list of (return state, node below); equal nodes have equal numbers, so comparing two sets
//! of stacks is comparing two integers. Nodes are never changed. Merging is memoised and keeps its own stack:
//! how deep two graphs agree comes from the input.
//!
//! Two bottoms: [`EMPTY`] is "anything" in the first stage of prediction, where it swallows what it is merged
//! with, and the real bottom in the second; [`UNKNOWN`] stands for frames that the second stage has not asked
//! for yet.

use crate::network::StateId;
use rustc_hash::FxHashMap;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Bottom {
    /// It covers every stack.
    Wildcard,
    /// It is one stack like others.
    Real,
}

/// The arena.
#[derive(Debug, Clone)]
pub(crate) struct Stacks {
    entries: Vec<Entry>,
    /// Where each node's entries begin; they end where the next node's begin.
    starts: Vec<u32>,
    singles: FxHashMap<Entry, StackId>,
    several: FxHashMap<Box<[Entry]>, StackId>,
    merged: FxHashMap<(StackId, StackId, Bottom), StackId>,
    frames: Vec<MergeFrame>,
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
    pub(crate) fn new() -> Stacks {
        Stacks {
            entries: vec![(EMPTY_RETURN, EMPTY), (UNKNOWN_RETURN, UNKNOWN)],
            starts: vec![0, 1, 2],
            singles: FxHashMap::default(),
            several: FxHashMap::default(),
            merged: FxHashMap::default(),
            frames: Vec::new(),
        }
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        self.entries.len() * 28 + self.starts.len() * 4 + self.several.len() * 64 + self.merged.len() * 24
    }

    /// The entries of a node, by return state.
    #[inline]
    pub(crate) fn entries(&self, id: StackId) -> &[Entry] {
        &self.entries[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// Whether one of the stacks is the empty one.
    pub(crate) fn has_empty(&self, id: StackId) -> bool {
        self.entries(id).last().is_some_and(|entry| entry.0 == EMPTY_RETURN)
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
        self.entries.extend_from_slice(entries);
        self.starts.push(self.entries.len() as u32);
        (self.starts.len() - 2) as StackId
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

    /// All stacks of both.
    pub(crate) fn merge(&mut self, a: StackId, b: StackId, bottom: Bottom) -> StackId {
        if let Some(known) = self.merged_already(a, b, bottom) {
            return known;
        }
        let mut frames = std::mem::take(&mut self.frames);
        frames.push(MergeFrame { a, b, i: 0, j: 0, out: Vec::new() });
        let mut result = EMPTY;
        while let Some(frame) = frames.last_mut() {
            if let Some((a, b)) = self.merge_entries(frame, bottom) {
                frames.push(MergeFrame { a, b, i: 0, j: 0, out: Vec::new() });
                continue;
            }
            let done = frames.pop().expect("the loop looked at it");
            result = self.intern(&done.out);
            self.merged.insert((done.a.min(done.b), done.a.max(done.b), bottom), result);
        }
        self.frames = frames;
        result
    }

    /// The answer where it is known without looking at entries.
    fn merged_already(&self, a: StackId, b: StackId, bottom: Bottom) -> Option<StackId> {
        if a == b {
            return Some(a);
        }
        if bottom == Bottom::Wildcard && (a == EMPTY || b == EMPTY) {
            return Some(EMPTY);
        }
        self.merged.get(&(a.min(b), a.max(b), bottom)).copied()
    }

    /// Merges two sorted lists as far as possible; returns a pair of nodes that must be merged first.
    fn merge_entries(&self, frame: &mut MergeFrame, bottom: Bottom) -> Option<(StackId, StackId)> {
        let (left, right) = (self.entries(frame.a), self.entries(frame.b));
        loop {
            match (left.get(frame.i), right.get(frame.j)) {
                (None, None) => return None,
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let below = match self.merged_already(x.1, y.1, bottom) {
                        Some(below) => below,
                        None => return Some((x.1, y.1)),
                    };
                    frame.out.push((x.0, below));
                    frame.i += 1;
                    frame.j += 1;
                }
                (Some(x), Some(y)) if x.0 < y.0 => {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_equal_numbers() {
        let mut s = Stacks::new();
        let (a, b) = (s.push(EMPTY, 5), s.push(EMPTY, 3));
        let (ax, bx) = (s.push(a, 9), s.push(b, 9));
        let one = s.merge(ax, bx, Bottom::Real);
        let ab = s.merge(b, a, Bottom::Real);
        assert_eq!(one, s.push(ab, 9));
        assert_eq!(s.entries(ab), [(3, EMPTY), (5, EMPTY)]);
    }

    #[test]
    fn the_bottom_swallows_or_stays() {
        let mut s = Stacks::new();
        let a = s.push(EMPTY, 5);
        assert_eq!(s.merge(a, EMPTY, Bottom::Wildcard), EMPTY);
        let both = s.merge(a, EMPTY, Bottom::Real);
        assert!(s.has_empty(both));
        assert_eq!(s.entries(both).len(), 2);
    }

    #[test]
    fn deep_stacks_merge_without_recursion() {
        let mut s = Stacks::new();
        let (mut a, mut b) = (s.push(EMPTY, 1), s.push(EMPTY, 2));
        for _ in 0..200_000 {
            (a, b) = (s.push(a, 7), s.push(b, 7));
        }
        assert_ne!(s.merge(a, b, Bottom::Real), a);
    }
}
