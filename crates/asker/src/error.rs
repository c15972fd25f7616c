//! Why the test cannot be run.

use std::io;
use std::path::PathBuf;

use polysmith_run::FileError;

/// The test cannot be run. The message names the path and what was being done.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// There is no place for temporary files.
    #[error("cannot create a folder for temporary files: {0}")]
    Temporary(io::Error),
    /// A file of the candidate, or one beside it, cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system does not start the test.
    #[error("cannot start `{}`: {error}", program.display())]
    Start {
        /// What was to be started.
        program: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// An answer was waited for that nobody asked for.
    #[error("waited without an open question")]
    NothingAsked,
}

impl AskError {
    /// What the system said.
    fn io_error(&self) -> Option<&io::Error> {
        match self {
            Self::Temporary(error) | Self::Start { error, .. } => Some(error),
            Self::File(error) => Some(error.io_error()),
            Self::NothingAsked => None,
        }
    }

    /// What to do about it.
    pub(crate) fn advice(&self) -> &'static str {
        match self.io_error().map(io::Error::kind) {
            Some(io::ErrorKind::StorageFull) => {
                "; the disk with the temporary files is full (TMPDIR chooses another)"
            }
            Some(io::ErrorKind::PermissionDenied) => "; may the test be run?",
            _ => "",
        }
    }
}
