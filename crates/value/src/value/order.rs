//! One structural order, equality and fingerprint over all values.
//!
//! Values of one type compare naturally: numbers by size, strings by code points, records field by field in declared
//! order, variants by declared order of their constructors, then by fields; `nil` is the least. The order is total over
//! values of different types too, so that comparison cannot fail. Equal pointers end a comparison early, and different
//! fingerprints of collections do so for equality.

use super::{Data, List, Map, Set, Text, Value};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering as Memory};
use triomphe::Arc;

impl Value {
    /// The rank of a kind of value. The two forms of numbers, strings and constructors have the same rank.
    fn rank(&self) -> u8 {
        match self {
            Value::Nil => 0,
            Value::Some(_) => 1,
            Value::Bool(_) => 2,
            Value::Int(_) | Value::Big(_) => 3,
            Value::Str(_) => 4,
            Value::Tag(_) | Value::Data(_) => 5,
            Value::List(_) => 6,
            Value::Set(_) => 7,
            Value::Map(_) => 8,
            Value::Function(_) | Value::Closure(_) => 9,
            Value::Node(_) => 10,
        }
    }

    /// A structural hash: equal values have equal fingerprints. Collections maintain it; records and lists cache it.
    /// It is stable only within one version of the program: never store it.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Value::Nil => 0x6e69_6c00,
            Value::Some(inner) => mix(1, inner.fingerprint()),
            Value::Bool(truth) => mix(2, u64::from(*truth)),
            Value::Int(integer) => mix(3, integer.cast_unsigned()),
            Value::Big(integer) => hash_bytes(4, &integer.to_le_bytes()),
            Value::Str(text) => hash_bytes(5, text.as_bytes()),
            Value::Tag(shape) => mix(6, u64::from(*shape)),
            Value::Data(data) => {
                cached(data.hash_cell(), || hash_items(mix(6, data.shape().into()), data.fields()))
            }
            Value::List(list) => cached(list.hash_cell(), || hash_items(7, list.as_slice())),
            Value::Set(set) => mix(8, set.sum()),
            Value::Map(map) => mix(9, map.sum()),
            Value::Function(function) => mix(10, u64::from(*function)),
            Value::Closure(closure) => hash_items(mix(11, closure.function.into()), &closure.captures),
            Value::Node(node) => mix(mix(12, u64::from(node.id())), node.key()),
        }
    }
}

/// Folded multiplication: mixes two words into one, in which every input bit affects every output bit.
fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xD6E8_FEB8_6659_FD93);
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    let low = wide as u64;
    low ^ u64::try_from(wide >> 64).expect("64 bits are left")
}

/// The contribution of one entry to the fingerprint of a map.
pub(super) fn pair_fingerprint(key: u64, value: u64) -> u64 {
    mix(mix(13, key), value)
}

fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = mix(seed, bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    hash
}

fn hash_items(seed: u64, items: &[Value]) -> u64 {
    items.iter().fold(mix(seed, items.len() as u64), |hash, item| mix(hash, item.fingerprint()))
}

/// Returns the cached fingerprint. Two threads may both compute it: they store the same number.
fn cached(cell: &AtomicU64, compute: impl FnOnce() -> u64) -> u64 {
    match cell.load(Memory::Relaxed) {
        0 => {
            let hash = compute().max(1);
            cell.store(hash, Memory::Relaxed);
            hash
        }
        known => known,
    }
}

/// Whether both fingerprints are cached and differ.
fn known_to_differ(a: &AtomicU64, b: &AtomicU64) -> bool {
    let (a, b) = (a.load(Memory::Relaxed), b.load(Memory::Relaxed));
    a != 0 && b != 0 && a != b
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Tag(a), Value::Tag(b)) => a == b,
            (Value::Data(a), Value::Data(b)) => same_data(a, b),
            (Value::List(a), Value::List(b)) => same_list(a, b),
            (Value::Set(a), Value::Set(b)) => {
                Arc::ptr_eq(a, b) || (a.sum() == b.sum() && compare_sets(a, b).is_eq())
            }
            (Value::Map(a), Value::Map(b)) => {
                Arc::ptr_eq(a, b) || (a.sum() == b.sum() && compare_maps(a, b).is_eq())
            }
            _ => self.cmp(other).is_eq(),
        }
    }
}

fn same_data(a: &Data, b: &Data) -> bool {
    a.same(b)
        || (a.shape() == b.shape()
            && !known_to_differ(a.hash_cell(), b.hash_cell())
            && a.fields() == b.fields())
}

fn same_list(a: &Arc<List>, b: &Arc<List>) -> bool {
    Arc::ptr_eq(a, b) || (!known_to_differ(a.hash_cell(), b.hash_cell()) && a.as_slice() == b.as_slice())
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Str(a), Value::Str(b)) => Text::cmp(a, b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Tag(a), Value::Tag(b)) => a.cmp(b),
            (Value::Data(a), Value::Data(b)) => compare_data(a, b),
            // One shape never has both forms; this case only makes the order total.
            (Value::Tag(a), Value::Data(b)) => a.cmp(&b.shape()).then(Ordering::Less),
            (Value::Data(a), Value::Tag(b)) => a.shape().cmp(b).then(Ordering::Greater),
            (Value::Big(a), Value::Big(b)) => a.cmp(b),
            (Value::Int(_), Value::Big(b)) => {
                if **b > dashu_int::IBig::ZERO {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Value::Big(_), Value::Int(_)) => other.cmp(self).reverse(),
            (Value::Some(a), Value::Some(b)) => a.cmp(b),
            (Value::List(a), Value::List(b)) if Arc::ptr_eq(a, b) => Ordering::Equal,
            (Value::List(a), Value::List(b)) => a.as_slice().cmp(b.as_slice()),
            (Value::Set(a), Value::Set(b)) => compare_sets(a, b),
            (Value::Map(a), Value::Map(b)) => compare_maps(a, b),
            (Value::Node(a), Value::Node(b)) => a.cmp(b),
            _ if self.rank() == 9 && other.rank() == 9 => self.code().cmp(&other.code()),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Value {
    /// The sort key of a function: code, then captured values. Checked programs never compare functions.
    fn code(&self) -> (u32, &[Value]) {
        match self {
            Value::Function(function) => (*function, &[]),
            Value::Closure(closure) => (closure.function, &closure.captures),
            _ => (0, &[]),
        }
    }
}

fn compare_data(a: &Data, b: &Data) -> Ordering {
    if a.same(b) {
        Ordering::Equal
    } else {
        a.shape().cmp(&b.shape()).then_with(|| a.fields().cmp(b.fields()))
    }
}

fn compare_sets(a: &Arc<Set>, b: &Arc<Set>) -> Ordering {
    if Arc::ptr_eq(a, b) || a.items().ptr_eq(b.items()) {
        Ordering::Equal
    } else {
        a.items().iter().cmp(b.items().iter())
    }
}

fn compare_maps(a: &Arc<Map>, b: &Arc<Map>) -> Ordering {
    if Arc::ptr_eq(a, b) || a.entries().ptr_eq(b.entries()) {
        Ordering::Equal
    } else {
        a.entries().iter().cmp(b.entries().iter())
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint());
    }
}
