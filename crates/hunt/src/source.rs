//! Makes tests.
//!
//! One file per kind of source. The test of an index follows from source, seed and index alone.

mod command;
mod engine;
mod files;
mod mix;

use std::io;

pub use command::CommandSource;
pub use engine::EngineSource;
pub use files::FileSource;
pub use mix::Mix;

/// Makes the test of an index.
pub trait Source: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// What one thread uses to make tests.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    fn worker(&self) -> io::Result<Box<dyn SourceWorker + '_>>;
}

/// Makes tests on one thread.
pub trait SourceWorker {
    /// Writes the test of an index to `test`, which comes empty.
    ///
    /// # Errors
    /// When there is no test for this index: see [`NoTest`].
    fn make(&mut self, index: u64, test: &mut Vec<u8>) -> Result<(), NoTest>;

    /// Which source made the test of an index: its name, or the name of a part of it.
    fn name_of(&self, index: u64) -> String;
}

/// Why there is no test for an index.
#[derive(Debug, thiserror::Error)]
pub enum NoTest {
    /// This index has none; the next may be fine.
    #[error("{0}")]
    Skipped(String),
    /// There are no more tests from this index on.
    #[error("there are no more tests")]
    Exhausted,
    /// No index will ever have one.
    #[error("{0}")]
    Broken(String),
}
