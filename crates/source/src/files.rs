//! File access for front ends.
//!
//! A front end requests its file, its imports and its side file by path and gets bytes. Tests supply a [`Memory`], the
//! tool a [`Disk`].

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The path of a description that is read from standard input and therefore has no file name.
pub const STDIN: &str = "<stdin>";

/// The files that a front end can read.
pub trait Files {
    /// Reads a file. A missing file is `ErrorKind::NotFound`.
    ///
    /// # Errors
    /// The file is missing or cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns what a path names, or `None` if it names nothing.
    fn entry(&self, path: &Path) -> Option<Entry> {
        self.read(path).ok().map(|_| Entry::File)
    }

    /// Returns the sorted names in a folder, or `None` if there is no such folder. Used only for suggestions.
    fn names(&self, _folder: &Path) -> Option<Vec<String>> {
        None
    }
}

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A file, or anything else that can be read: a pipe, a device.
    File,
    /// A folder.
    Folder,
}

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

#[expect(clippy::disallowed_methods, reason = "the one place where descriptions are read from the disk")]
impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn entry(&self, path: &Path) -> Option<Entry> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(if metadata.is_dir() { Entry::Folder } else { Entry::File })
    }

    fn names(&self, folder: &Path) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(folder).ok()?;
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        Some(names)
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

    /// Returns this memory with one more file.
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

    fn entry(&self, path: &Path) -> Option<Entry> {
        match self.files.contains_key(path) {
            true => Some(Entry::File),
            false => self.names(path).map(|_| Entry::Folder),
        }
    }

    fn names(&self, folder: &Path) -> Option<Vec<String>> {
        let folder = if folder == Path::new(".") { Path::new("") } else { folder };
        let below = self.files.keys().filter_map(|path| path.strip_prefix(folder).ok());
        let first = below.filter_map(|path| Some(path.iter().next()?.to_string_lossy().into_owned()));
        let mut names: Vec<String> = first.collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }
}
