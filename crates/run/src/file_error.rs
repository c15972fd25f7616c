//! The one error of files and folders: what was being done, with which path, and what the system said.

use std::io;
use std::path::{Path, PathBuf};

/// The system refused something that was being done with a file or a folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {error}", path.display())]
pub struct FileError {
    action: &'static str,
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// Makes the error of an action such as `create the folder`, for `map_err`.
    pub fn when(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        move |error| FileError { action, path: path.to_owned(), error }
    }

    /// What the system said.
    #[must_use]
    pub fn io_error(&self) -> &io::Error {
        &self.error
    }
}
