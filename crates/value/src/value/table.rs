//! Sets and maps: persistent B-trees in the order of their keys.
//!
//! Each maintains the sum of the fingerprints of its entries, so the fingerprint of a table of thousands of names is
//! available in constant time: engines use it as the key of their caches.

use super::index::Indexes;
use super::order::pair_fingerprint;
use super::{MAX_VALUE_DEPTH, TooDeep, Value};
use imbl::{OrdMap, OrdSet};

/// A set value.
#[derive(Clone, Default)]
pub struct Set {
    items: OrdSet<Value>,
    /// An upper bound of the depth of the items: removing items does not lower it.
    depth: u32,
    sum: u64,
}

/// A map value.
#[derive(Clone, Default)]
pub struct Map {
    pub(super) entries: OrdMap<Value, Value>,
    depth: u32,
    sum: u64,
    pub(super) indexes: Indexes,
}

impl Set {
    /// The items, ascending.
    pub fn items(&self) -> &OrdSet<Value> {
        &self.items
    }

    /// Adds an item.
    pub fn insert(&mut self, item: Value) -> Result<(), TooDeep> {
        self.depth = deeper(self.depth, item.depth())?;
        let fingerprint = item.fingerprint();
        if self.items.insert(item).is_none() {
            self.sum = self.sum.wrapping_add(fingerprint);
        }
        Ok(())
    }

    /// Removes an item.
    pub fn remove(&mut self, item: &Value) {
        if self.items.remove(item).is_some() {
            self.sum = self.sum.wrapping_sub(item.fingerprint());
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth + 1
    }

    pub(super) fn sum(&self) -> u64 {
        self.sum
    }
}

impl Map {
    /// The entries, by ascending key.
    pub fn entries(&self) -> &OrdMap<Value, Value> {
        &self.entries
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: Value, value: Value) -> Result<(), TooDeep> {
        self.depth = deeper(self.depth, key.depth().max(value.depth()))?;
        if self.entries.is_empty() {
            // Maps that only share the empty map they started from, maybe in other threads, are not a family.
            self.indexes = Indexes::default();
        }
        let hash = key.fingerprint();
        self.sum = self.sum.wrapping_add(pair_fingerprint(hash, value.fingerprint()));
        if let Some(old) = self.entries.insert(key, value) {
            self.sum = self.sum.wrapping_sub(pair_fingerprint(hash, old.fingerprint()));
        }
        Ok(())
    }

    /// Removes a key and returns its value.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        let old = self.entries.remove(key)?;
        self.sum = self.sum.wrapping_sub(pair_fingerprint(key.fingerprint(), old.fingerprint()));
        Some(old)
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth + 1
    }

    pub(super) fn sum(&self) -> u64 {
        self.sum
    }
}

fn deeper(old: u32, new: u32) -> Result<u32, TooDeep> {
    if new >= MAX_VALUE_DEPTH { Err(TooDeep) } else { Ok(old.max(new)) }
}

impl std::fmt::Debug for Map {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.entries)
    }
}
