//! Findings and progress on disk.
//!
//! [`SqliteStore`] is the store of a folder; the trait leaves room for others.

mod cases;
mod schema;
mod sqlite;

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

pub use sqlite::SqliteStore;

use crate::counts::Counts;
use crate::finding::{Finding, Sighting, State};

/// Keeps findings and progress.
pub trait Store {
    /// How far the campaign is.
    ///
    /// # Errors
    /// When the store cannot be read; the same holds for all methods.
    fn progress(&self) -> Result<Progress, StoreError>;

    /// Writes sightings and progress at once: both or neither. Returns the numbers of new findings.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn commit(&mut self, commit: &Commit, progress: &Progress) -> Result<Vec<i64>, StoreError>;

    /// The coarse keys of all findings, one for each finding.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn coarse_keys(&self) -> Result<Vec<String>, StoreError>;

    /// How many findings there are.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn count_findings(&self) -> Result<u64, StoreError>;

    /// A finding by its number.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn finding(&self, id: i64) -> Result<Option<Finding>, StoreError>;

    /// All findings, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn findings(&self) -> Result<Vec<Finding>, StoreError>;

    /// Sets what people decided about a finding.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn set_state(&mut self, id: i64, state: State) -> Result<(), StoreError>;
}

/// What is written at once.
#[derive(Clone, Debug, Default)]
pub struct Commit {
    /// What was seen.
    pub sightings: Vec<Sighting>,
}

/// How far a campaign is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// All batches below this number are done.
    pub next: u64,
    /// Batches from there on that were begun, with the number of their indices that are done.
    pub beyond: BTreeMap<u64, u64>,
    /// What was counted.
    pub counts: Counts,
}

impl Progress {
    /// Notes that the first `done` indices of a batch of `size` are done.
    pub(crate) fn done(&mut self, batch: u64, done: u64, size: u64) {
        self.beyond.insert(batch, done);
        while self.beyond.get(&self.next).is_some_and(|done| *done >= size) {
            self.beyond.remove(&self.next);
            self.next += 1;
        }
    }
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database reports an error.
    #[error("the store cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    /// A file of the store cannot be read or written.
    #[error("the store cannot be used: {0}")]
    Files(#[from] io::Error),
    /// Something in the store is not what was written.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// A later version of the program wrote it.
    #[error("the store has format {0}; this version reads formats up to {known}", known = schema::VERSION)]
    TooNew(i64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_that_end_out_of_order_are_remembered_until_those_before_them_end() {
        let mut progress = Progress::default();
        progress.done(1, 16, 16);
        progress.done(2, 3, 16);
        assert_eq!((progress.next, progress.beyond.len()), (0, 2));
        progress.done(0, 16, 16);
        assert_eq!((progress.next, progress.beyond.clone()), (2, [(2, 3)].into()));
        progress.done(2, 16, 16);
        assert_eq!((progress.next, progress.beyond.len()), (3, 0));
    }
}
