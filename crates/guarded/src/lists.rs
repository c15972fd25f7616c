//! A cache of the lists of generators, by inherited values.
//!
//! Nodes of one expression need the same list many times. A few lists per generator are cached, with all values that
//! its rule can read. A list is a function of these values, so the cache changes only the time. Most comparisons
//! compare pointers.

use polysmith_attributes::Value;

/// The number of cached lists per generator.
const LISTS_PER_GENERATOR: usize = 8;

#[derive(Debug)]
struct Entry {
    inputs: Box<[Value]>,
    list: Value,
    /// The bit set of the sources that were read.
    read: u64,
}

/// The cached lists of a program.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// By production.
    known: Vec<Vec<Entry>>,
    /// The index of the next entry to replace.
    next: usize,
}

impl Lists {
    pub(crate) fn start(&mut self, n_productions: usize) {
        self.known.iter_mut().for_each(Vec::clear);
        self.known.resize_with(n_productions, Vec::new);
    }

    /// The cached list for these inputs, and the sources that were read to compute it.
    pub(crate) fn find<'a>(
        &self,
        production: u32,
        inputs: impl Iterator<Item = &'a Value> + Clone,
    ) -> Option<(Value, u64)> {
        let same = |entry: &&Entry| entry.inputs.iter().eq(inputs.clone());
        self.known[production as usize].iter().find(same).map(|entry| (entry.list.clone(), entry.read))
    }

    pub(crate) fn keep(&mut self, production: u32, inputs: Box<[Value]>, list: Value, read: u64) {
        let known = &mut self.known[production as usize];
        let entry = Entry { inputs, list, read };
        if known.len() < LISTS_PER_GENERATOR {
            known.push(entry);
        } else {
            self.next = (self.next + 1) % LISTS_PER_GENERATOR;
            known[self.next] = entry;
        }
    }
}
