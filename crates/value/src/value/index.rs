//! Indexes of maps: the entries that have a wanted key, for a key function.
//!
//! `(Map:where m key wanted)` would need a scan. Instead, all maps that derive from each other share a cache: for each
//! key function that was used, the entries by key, and the map that this index describes. For a later map, only the
//! difference from that map is processed; persistent maps compute it without visiting the structure that they share.
//! Results are stored as lists, and a list that no change affected is returned again as it is. A cached index never
//! changes a result.

use super::{List, Map, TooDeep, Value};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use triomphe::Arc;

/// How many key functions a family of maps caches; the oldest is evicted first.
const MAX_FUNCTIONS: usize = 12;

/// How many of them may capture values: a closure with other captured values is another function and may never recur.
const MAX_CAPTURING: usize = 2;

/// How many maps of the family are cached for each function: scopes are entered and left again.
const MAX_STATES: usize = 4;

/// The entries of a map by a key function.
#[derive(Clone, Default)]
pub(crate) struct Index {
    /// The map that the index describes.
    of: OrdMap<Value, Value>,
    by: OrdMap<Value, Arc<Group>>,
}

/// The entries with one key: the map's keys, ascending, and in parallel the values.
#[derive(Clone, Default)]
struct Group {
    keys: Vec<Value>,
    values: Arc<List>,
}

/// The cached indexes of a key function, the latest last.
struct Known {
    function: Value,
    states: Vec<Arc<Index>>,
}

/// The cached indexes of a family of maps.
#[derive(Clone, Default)]
pub(super) struct Indexes(Arc<Mutex<Vec<Known>>>);

impl Indexes {
    /// A panic of another thread leaves the cache consistent: entries are replaced as a whole.
    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    /// Applies a change: the key that the function returned for the value, and whether the entry was added or removed.
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

    /// The values with a key, in the order of the map.
    pub(crate) fn values(&self, key: &Value) -> Arc<List> {
        self.by.get(key).map(|group| group.values.clone()).unwrap_or_default()
    }
}

impl Map {
    /// The cached index for a function, and the changes since: map key, value, whether it was added.
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

    /// Caches an index for the next lookup in this map or in one of its family.
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
