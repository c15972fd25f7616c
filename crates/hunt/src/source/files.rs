//! Tests that are files: a corpus, or what another fuzzer left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{NoTest, Source, SourceWorker};

/// The files of a folder and of its folders, in the order of their paths, each once.
pub struct FileSource {
    name: String,
    paths: Vec<PathBuf>,
}

impl FileSource {
    /// The files below a folder.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let (mut open, mut paths) = (vec![folder.to_owned()], Vec::new());
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                // Links are not followed: a cycle would never end.
                match entry.file_type()? {
                    kind if kind.is_dir() => open.push(entry.path()),
                    kind if kind.is_file() => paths.push(entry.path()),
                    _ => {}
                }
            }
        }
        paths.sort();
        Ok(Self { name: folder.display().to_string(), paths })
    }
}

impl Source for FileSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn worker(&self) -> io::Result<Box<dyn SourceWorker + '_>> {
        Ok(Box::new(FileWorker(self)))
    }
}

struct FileWorker<'a>(&'a FileSource);

impl SourceWorker for FileWorker<'_> {
    fn make(&mut self, index: u64, test: &mut Vec<u8>) -> Result<(), NoTest> {
        let path =
            usize::try_from(index).ok().and_then(|index| self.0.paths.get(index)).ok_or(NoTest::Exhausted)?;
        let bytes = fs::read(path);
        *test =
            bytes.map_err(|error| NoTest::Skipped(format!("cannot read `{}`: {error}", path.display())))?;
        Ok(())
    }

    fn name_of(&self, _: u64) -> String {
        self.0.name.clone()
    }
}
