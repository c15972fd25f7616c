//! Indexes of maps: which entries have a wanted key, for a key function.
//!
//! `(Map:where m key wanted)` would be a scan. Instead a map remembers, for each key function that was asked for, the
//! entries by key, and the state of the map that this describes. A map that is made from another takes the indexes
//! along; when it is asked, only the difference between then and now is looked at, which the shared structure of the
//! two maps gives without a walk over what they have in common. An index never changes an answer: it is a memory.

use super::{Map, Value};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::sync::Mutex;

/// How many key functions a map remembers; the oldest goes first. More occur only if functions capture values.
const MAX_INDEXES: usize = 12;

/// The entries of a map by a key function.
#[derive(Clone, Default)]
pub(crate) struct Index {
    function: Value,
    /// The map that the index describes.
    of: OrdMap<Value, Value>,
    by: OrdMap<Value, OrdMap<Value, Value>>,
}

/// The indexes that a map knows.
#[derive(Default)]
pub(super) struct Indexes(Mutex<Vec<Index>>);

impl Clone for Indexes {
    fn clone(&self) -> Indexes {
        Indexes(Mutex::new(self.known().clone()))
    }
}

impl Indexes {
    /// A thread that panicked left the memory in order: it is replaced as a whole.
    fn known(&self) -> std::sync::MutexGuard<'_, Vec<Index>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Index {
    /// Takes a change in: the key that the function gave for the value, and whether the entry came or went.
    pub(crate) fn apply(&mut self, key: Value, entry: &Value, value: &Value, added: bool) {
        let mut entries = self.by.remove(&key).unwrap_or_default();
        if added {
            entries.insert(entry.clone(), value.clone());
        } else {
            entries.remove(entry);
        }
        if !entries.is_empty() {
            self.by.insert(key, entries);
        }
    }

    /// The values under a key, in the order of the map.
    pub(crate) fn values(&self, key: &Value) -> Vec<Value> {
        self.by.get(key).map(|entries| entries.values().cloned().collect()).unwrap_or_default()
    }
}

impl Map {
    /// The index for a function as far as it is known, and the changes since: map key, value, whether it was added.
    pub(crate) fn index(&self, function: &Value) -> (Index, Vec<(Value, Value, bool)>) {
        let known = self.indexes.known().iter().find(|index| index.function == *function).cloned();
        let mut index = known.unwrap_or_else(|| Index { function: function.clone(), ..Index::default() });
        let mut changes = Vec::new();
        if !index.of.ptr_eq(&self.entries) {
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
            index.of = self.entries.clone();
        }
        (index, changes)
    }

    /// Keeps an index for the next question, and for the maps that are made from this one.
    pub(crate) fn remember(&self, index: Index) {
        let mut known = self.indexes.known();
        match known.iter_mut().find(|other| other.function == index.function) {
            Some(other) => *other = index,
            None => {
                if known.len() >= MAX_INDEXES {
                    known.remove(0);
                }
                known.push(index);
            }
        }
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "index with {} keys", self.by.len())
    }
}
