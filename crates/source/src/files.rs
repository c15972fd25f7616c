//! The only door through which descriptions reach the disk.
//!
//! A front end asks for its file, its imports and its side files by path and gets bytes. Tests hand it a
//! [`Memory`]; the tool hands it a [`Disk`]; built-in languages are a `Memory` too.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Where a front end finds its files.
pub trait Files {
    /// The bytes of a file. Missing files are `ErrorKind::NotFound`.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
}

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// Files that exist only in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// Adds a file, or replaces it.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// This memory with one more file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Memory {
        self.add(path, bytes);
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
