//! Lists: a vector of values, or a slice of another list.
//!
//! Items are contiguous, so iteration is as fast as over an array. `[first, ..rest]` creates a slice without copying.
//! Appending changes the vector in place if it is not shared (the compiler moves values at their last use, so
//! accumulators are not shared) and copies it otherwise.

use super::{MAX_VALUE_DEPTH, TooDeep, Value, below, depth_of};
use std::sync::atomic::AtomicU64;
use triomphe::Arc;

/// A list value.
pub struct List {
    run: Run,
    depth: u32,
    hash: AtomicU64,
}

enum Run {
    Whole(Vec<Value>),
    /// Items `start..end` of a list that is not a slice itself.
    Window {
        of: Arc<List>,
        start: usize,
        end: usize,
    },
}

impl Default for List {
    fn default() -> List {
        List { run: Run::Whole(Vec::new()), depth: 1, hash: AtomicU64::new(0) }
    }
}

impl List {
    /// Creates a list.
    pub fn new(items: Vec<Value>) -> Result<Arc<List>, TooDeep> {
        let depth = depth_of(&items)?;
        Ok(Arc::new(List { run: Run::Whole(items), depth, hash: AtomicU64::new(0) }))
    }

    /// The items.
    pub fn as_slice(&self) -> &[Value] {
        match &self.run {
            Run::Whole(items) => items,
            Run::Window { of, start, end } => match &of.run {
                Run::Whole(items) => &items[*start..*end],
                Run::Window { .. } => &[],
            },
        }
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Creates a slice of the items `start..end`. The bounds must be valid.
    pub(crate) fn window(list: &Arc<List>, start: usize, end: usize) -> Arc<List> {
        let (of, offset) = match &list.run {
            Run::Whole(_) => (list, 0),
            Run::Window { of, start, .. } => (of, *start),
        };
        let run = Run::Window { of: of.clone(), start: start + offset, end: end + offset };
        Arc::new(List { run, depth: list.depth, hash: AtomicU64::new(0) })
    }

    /// Appends items, in place if the list is not shared.
    pub(crate) fn extended(mut list: Arc<List>, more: &[Value]) -> Result<Arc<List>, TooDeep> {
        let depth = list.depth.max(below(more));
        if depth > MAX_VALUE_DEPTH {
            return Err(TooDeep);
        }
        if let Some(List { run: Run::Whole(items), depth: old, hash }) = Arc::get_mut(&mut list) {
            items.extend_from_slice(more);
            *old = depth;
            *hash = AtomicU64::new(0);
            return Ok(list);
        }
        let mut items = Vec::with_capacity((list.len() + more.len()).max(4) * 3 / 2);
        items.extend_from_slice(list.as_slice());
        items.extend_from_slice(more);
        Ok(Arc::new(List { run: Run::Whole(items), depth, hash: AtomicU64::new(0) }))
    }

    /// Inserts an item at a position, in place if the list is not shared.
    pub(super) fn insert(list: &mut Arc<List>, at: usize, item: Value) -> Result<(), TooDeep> {
        let depth = list.depth.max(item.depth() + 1);
        if depth > MAX_VALUE_DEPTH {
            return Err(TooDeep);
        }
        List::change(list, |items| {
            items.insert(at, item);
            depth
        });
        Ok(())
    }

    /// Removes the item at a position, in place if the list is not shared.
    pub(super) fn remove(list: &mut Arc<List>, at: usize) {
        List::change(list, |items| {
            items.remove(at);
            below(items)
        });
    }

    /// Changes the items, in a copy if the list is shared. `change` returns the new depth.
    fn change(list: &mut Arc<List>, change: impl FnOnce(&mut Vec<Value>) -> u32) {
        if let Some(List { run: Run::Whole(items), depth, hash }) = Arc::get_mut(list) {
            *depth = change(items);
            *hash = AtomicU64::new(0);
            return;
        }
        let mut items = list.as_slice().to_vec();
        let depth = change(&mut items);
        *list = Arc::new(List { run: Run::Whole(items), depth, hash: AtomicU64::new(0) });
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn hash_cell(&self) -> &AtomicU64 {
        &self.hash
    }
}
