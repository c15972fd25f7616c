//! Indexes of maps: which entries have a wanted key, for a key function.
//!
//! `(Map:where m key wanted)` would be a scan. Instead all maps that are made from each other share a memory: for each
//! key function that was asked for, the entries by key, and the map that this describes. When a map is asked, only the
//! difference between that map and this one is looked at, which the shared structure of the two gives without a walk
//! over what they have in common. The answers are kept as lists: one that no change concerned is handed out again as
//! it is. An index never changes an answer: it is a memory.

use super::{List, Map, TooDeep, Value};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use triomphe::Arc;

/// How many key functions a family of maps remembers; the oldest goes first.
const MAX_FUNCTIONS: usize = 12;

/// How many of them may capture values: such a function is another one for other values, and may never come again.
const MAX_CAPTURING: usize = 2;

/// How many maps of the family are remembered for each: scopes are entered and left again.
const MAX_STATES: usize = 4;

/// The entries of a map by a key function.
#[derive(Clone, Default)]
pub(crate) struct Index {
    /// The map that the index describes.
    of: OrdMap<Value, Value>,
    by: OrdMap<Value, Arc<Group>>,
}

/// The entries that have one key: the map's keys, ascending, and beside them the values.
#[derive(Clone, Default)]
struct Group {
    keys: Vec<Value>,
    values: Arc<List>,
}

/// What a family of maps remembers for a key function, the latest last.
struct Known {
    function: Value,
    states: Vec<Arc<Index>>,
}

/// The indexes that a family of maps knows.
#[derive(Clone, Default)]
pub(super) struct Indexes(Arc<Mutex<Vec<Known>>>);

impl Indexes {
    /// A thread that panicked left the memory in order: it is replaced as a whole.
    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    /// Takes a change in: the key that the function gave for the value, and whether the entry came or went.
    pub(crate) fn apply(
        &mut self,
        key: Value,
        entry: &Value,
        value: &Value,
        added: bool,
    ) -> Result<(), TooDeep> {
        let mut group = self.by.remove(&key).unwrap_or_default();
        let inner = Arc::make_mut(&mut group);
        let place = inner.keys.binary_search(entry);
        match (place, added) {
            (Err(at), true) => {
                inner.keys.insert(at, entry.clone());
                List::insert(&mut inner.values, at, value.clone())?;
            }
            (Ok(at), false) => {
                inner.keys.remove(at);
                List::remove(&mut inner.values, at);
            }
            _ => {}
        }
        if !inner.keys.is_empty() {
            self.by.insert(key, group);
        }
        Ok(())
    }

    /// The values under a key, in the order of the map.
    pub(crate) fn values(&self, key: &Value) -> Arc<List> {
        self.by.get(key).map(|group| group.values.clone()).unwrap_or_default()
    }
}

impl Map {
    /// The index for a function as far as it is known, and the changes since: map key, value, whether it was added.
    pub(crate) fn index(&self, function: &Value) -> (Arc<Index>, Vec<(Value, Value, bool)>) {
        let known = self.indexes.known();
        let states = known.iter().find(|known| known.function == *function).map(|known| &known.states[..]);
        let states = states.unwrap_or_default();
        let exact = states.iter().rfind(|index| index.of.ptr_eq(&self.entries));
        if let Some(index) = exact {
            return (index.clone(), Vec::new());
        }
        let mut index = states.last().cloned().unwrap_or_default();
        drop(known);
        let mut changes = Vec::new();
        for item in index.of.diff(&self.entries) {
            match item {
                DiffItem::Add(key, value) => changes.push((key.clone(), value.clone(), true)),
                DiffItem::Remove(key, value) => changes.push((key.clone(), value.clone(), false)),
                DiffItem::Update { old, new } => {
                    changes.push((old.0.clone(), old.1.clone(), false));
                    changes.push((new.0.clone(), new.1.clone(), true));
                }
            }
        }
        Arc::make_mut(&mut index).of = self.entries.clone();
        (index, changes)
    }

    /// Keeps an index for the next question, to this map or to one of its family.
    pub(crate) fn remember(&self, function: &Value, index: Arc<Index>) {
        let mut known = self.indexes.known();
        if let Some(known) = known.iter_mut().find(|known| known.function == *function) {
            if known.states.len() >= MAX_STATES {
                known.states.remove(0);
            }
            known.states.push(index);
            return;
        }
        let captures = |function: &Value| matches!(function, Value::Closure(_));
        let n_capturing = known.iter().filter(|known| captures(&known.function)).count();
        if captures(function) && n_capturing >= MAX_CAPTURING {
            let oldest = known.iter().position(|known| captures(&known.function)).unwrap_or(0);
            known.remove(oldest);
        } else if known.len() >= MAX_FUNCTIONS {
            known.remove(0);
        }
        known.push(Known { function: function.clone(), states: vec![index] });
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "index with {} keys", self.by.len())
    }
}
