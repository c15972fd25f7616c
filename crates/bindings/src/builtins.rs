//! Names that are always there.

use rustc_hash::FxHashSet;

/// A list of names; one that ends in `*` is the beginning of names.
#[derive(Debug, Clone, Default)]
pub struct Builtins {
    names: FxHashSet<Vec<u8>>,
    prefixes: Vec<Vec<u8>>,
}

impl Builtins {
    /// Adds the names of a text: one or more per line, separated by blanks; a `#` begins a comment.
    pub fn add_text(&mut self, text: &str) {
        for line in text.lines() {
            let names = line.split('#').next().unwrap_or_default();
            names.split_whitespace().for_each(|name| self.add(name));
        }
    }

    /// Adds a name, or with `*` at its end all names that begin like it.
    pub fn add(&mut self, name: &str) {
        match name.strip_suffix('*') {
            Some(prefix) => self.prefixes.push(prefix.as_bytes().to_vec()),
            None => {
                self.names.insert(name.as_bytes().to_vec());
            }
        }
    }

    /// Whether the name is one of them.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.names.contains(name) || self.prefixes.iter().any(|prefix| name.starts_with(prefix))
    }
}
