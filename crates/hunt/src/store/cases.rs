//! Tests as files that are named by their content.

use std::fs;
use std::io;
use std::path::PathBuf;

use polysmith_run::files::write_file;

/// The folder with all tests of a store.
#[derive(Debug)]
pub(super) struct Cases {
    folder: PathBuf,
}

impl Cases {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Writes a test, unless it is there. Returns its hash.
    pub(super) fn keep(&self, test: &[u8]) -> io::Result<String> {
        let hash = blake3::hash(test).to_hex()[..32].to_owned();
        let path = self.path(&hash);
        if !path.exists() {
            path.parent().map(fs::create_dir_all).transpose()?;
            // A temporary name, then a rename: the file is whole or absent.
            write_file(&path, test).map_err(io::Error::other)?;
        }
        Ok(hash)
    }

    /// Reads a test.
    pub(super) fn read(&self, hash: &str) -> io::Result<Vec<u8>> {
        let path = self.path(hash);
        fs::read(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("`{}`: {error}", path.display())))
    }

    fn path(&self, hash: &str) -> PathBuf {
        let head: String = hash.chars().take(2).collect();
        self.folder.join(head).join(hash)
    }
}
