//! A memory of proved failures within one program: "this class is impossible for these inherited values".
//!
//! An entry has only the values that the proof depends on, so that it applies to many contexts. A failure is not
//! stored if a limit, the length of a list, a pattern of another search or the identity of a node contributed to it:
//! then the values alone do not determine it. The literals of a program are fixed, so the memory is valid for one
//! program.

use crate::answer::Blame;
use crate::patterns::bit;
use polysmith_attributes::Value;
use rustc_hash::FxHashMap;

#[derive(Debug)]
struct Entry {
    class: u32,
    inherited: u64,
    values: Vec<Value>,
    blame: Blame,
}

/// The failures that are valid for the rest of a program.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By class, the sets of attributes that its entries depend on.
    sets: Vec<Vec<u64>>,
    entries: FxHashMap<u64, Vec<Entry>>,
}

impl Memory {
    /// Clears the memory.
    pub(crate) fn start(&mut self, n_classes: usize) {
        self.sets.resize(n_classes, Vec::new());
        self.sets.iter_mut().for_each(Vec::clear);
        self.entries.clear();
    }

    /// Stores that a class is impossible for the values of these attributes.
    pub(crate) fn store(&mut self, class: u32, inherited: u64, values: &[Value], blame: Blame) {
        let sets = &mut self.sets[class as usize];
        if !sets.contains(&inherited) {
            sets.push(inherited);
        }
        let kept: Vec<Value> = chosen(values, inherited).cloned().collect();
        let key = key(class, inherited, values);
        self.entries.entry(key).or_default().push(Entry { class, inherited, values: kept, blame });
    }

    /// Whether a class is known to be impossible for these inherited values: the attributes that matter, and the
    /// reason.
    pub(crate) fn recall(&self, class: u32, values: &[Value]) -> Option<(u64, Blame)> {
        self.sets[class as usize].iter().find_map(|inherited| {
            let entries = self.entries.get(&key(class, *inherited, values))?;
            let same = |entry: &&Entry| {
                entry.class == class
                    && entry.inherited == *inherited
                    && entry.values.iter().eq(chosen(values, *inherited))
            };
            entries.iter().find(same).map(|entry| (*inherited, entry.blame))
        })
    }
}

fn chosen(values: &[Value], inherited: u64) -> impl Iterator<Item = &Value> {
    values.iter().zip(0..).filter(move |(_, at)| inherited & bit(*at) != 0).map(|(value, _)| value)
}

fn key(class: u32, inherited: u64, values: &[Value]) -> u64 {
    let start = u64::from(class) ^ inherited.rotate_left(17);
    chosen(values, inherited).fold(start, |hash, value| {
        (hash.rotate_left(5) ^ value.fingerprint()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}
