//! Lists of generators, computed once for the same inherited values.
//!
//! Nodes of one expression ask for the same list again and again. A few lists per generator are kept, with all values
//! that its rule can read; a list follows from them, so this changes nothing but the time. One comparison is mostly
//! that of pointers.

use polysmith_attributes::Value;

/// So many lists are kept for each generator.
const KEPT: usize = 8;

#[derive(Debug)]
struct Entry {
    inputs: Box<[Value]>,
    list: Value,
    /// The sources that were really read.
    read: u64,
}

/// The lists of a program.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// By production.
    known: Vec<Vec<Entry>>,
    /// Whose turn it is to be replaced.
    next: usize,
}

impl Lists {
    pub(crate) fn start(&mut self, n_productions: usize) {
        self.known.iter_mut().for_each(Vec::clear);
        self.known.resize_with(n_productions, Vec::new);
    }

    /// The list for these inputs, and what was read to make it.
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
        if known.len() < KEPT {
            known.push(entry);
        } else {
            self.next = (self.next + 1) % KEPT;
            known[self.next] = entry;
        }
    }
}
