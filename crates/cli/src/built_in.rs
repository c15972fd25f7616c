//! The descriptions that are part of the binary: the folders of `languages/` and `formats/`.
//!
//! `build.rs` embeds every file. A folder is named after its language; the main file of a kind is the one with
//! a side file (`Name.toml` beside `Name.g4`), else the only one.

use crate::front_ends::Kind;
use polysmith_source::Memory;
use std::path::{Path, PathBuf};

/// One embedded folder.
#[derive(Debug)]
pub struct BuiltIn {
    /// The name that users write.
    pub name: &'static str,
    /// Paths inside the folder, sorted, with their bytes.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// All embedded folders, sorted by name.
pub const ALL: &[BuiltIn] = include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// The folder of this name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|built_in| built_in.name == name)
}

impl BuiltIn {
    /// The main file of a kind, as a path inside the folder.
    pub fn main_file(&self, kind: Kind) -> Option<&'static str> {
        let top_level = self.files.iter().map(|(path, _)| *path).filter(|path| !path.contains('/'));
        let of_kind: Vec<&str> = top_level.filter(|path| Kind::of(Path::new(path)) == Some(kind)).collect();
        let with_side_file = of_kind.iter().copied().find(|path| self.side_file(path).is_some());
        with_side_file.or(of_kind.first().copied())
    }

    /// The kinds of description in this folder.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(|kind| self.main_file(*kind).is_some())
    }

    /// The text of the side file of a description.
    pub fn side_file(&self, description: &str) -> Option<&'static str> {
        let path = Path::new(description).with_extension("toml");
        std::str::from_utf8(self.read(path.to_str()?)?).ok()
    }

    /// The bytes of a file in the folder.
    pub fn read(&self, path: &str) -> Option<&'static [u8]> {
        self.files.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
    }

    /// Where a file of the folder seems to lie, for diagnostics and for imports beside it.
    pub fn path(&self, file: &str) -> PathBuf {
        ["<built-in>", self.name, file].iter().collect()
    }

    /// The folder as files that a front end can read.
    pub fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        for (file, bytes) in self.files {
            memory.add(self.path(file), *bytes);
        }
        memory
    }
}
