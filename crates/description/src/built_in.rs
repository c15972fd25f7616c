//! The descriptions that are part of the binary: the folders of `languages/` and `formats/`.
//!
//! `build.rs` embeds every file. A folder has the name of its language; the main file of a kind is the one with a side
//! file (`Name.toml` beside `Name.g4`), otherwise the first.

use crate::kind::{Capability, DescriptionKind};
use crate::side_file::{self, About};
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

/// The root of the paths of embedded files, as shown in diagnostics.
pub(crate) const ROOT: &str = "<built-in>";

/// The folder of this name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|built_in| built_in.name == name)
}

impl BuiltIn {
    /// The main file of a kind, as a path inside the folder.
    pub fn main_file(&self, kind: DescriptionKind) -> Option<&'static str> {
        let top_level = self.files.iter().map(|(path, _)| *path).filter(|path| !path.contains('/'));
        let of_kind = top_level.filter(|path| DescriptionKind::of(Path::new(path)) == Some(kind));
        let of_kind: Vec<&str> = of_kind.collect();
        let with_side_file = of_kind.iter().copied().find(|path| self.side_file(path).is_some());
        with_side_file.or(of_kind.first().copied())
    }

    /// The main files of all kinds in this folder.
    pub fn main_files(&self) -> impl Iterator<Item = &'static str> {
        DescriptionKind::ALL.into_iter().filter_map(|kind| self.main_file(kind))
    }

    /// Whether one of its descriptions has a capability.
    pub fn can(&self, capability: Capability) -> bool {
        let has_capability = |kind: &DescriptionKind| match (self.main_file(*kind), *kind, capability) {
            (None, _, _) => false,
            (Some(file), DescriptionKind::Grammar, Capability::Check) => self.about(file).has_names,
            (Some(_), _, _) => true,
        };
        DescriptionKind::preferred(Some(capability)).iter().any(has_capability)
    }

    /// Reads what the side file of a description says about the language, without loading the description.
    pub fn about(&self, description: &str) -> About {
        self.side_file(description).map(side_file::about).unwrap_or_default()
    }

    /// The bytes of a file in the folder.
    pub fn read(&self, path: &str) -> Option<&'static [u8]> {
        self.files.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
    }

    /// The path of a file in the folder, for diagnostics and for imports.
    pub fn path(&self, file: &str) -> PathBuf {
        [ROOT, self.name, file].iter().collect()
    }

    fn side_file(&self, description: &str) -> Option<&'static str> {
        let path = Path::new(description).with_extension("toml");
        std::str::from_utf8(self.read(path.to_str()?)?).ok()
    }
}

/// The bytes of an embedded file, by its [`BuiltIn::path`].
pub(crate) fn read(path: &Path) -> Option<&'static [u8]> {
    let mut parts = path.strip_prefix(ROOT).ok()?.iter();
    let folder = find(parts.next()?.to_str()?)?;
    folder.read(parts.as_path().to_str()?)
}
