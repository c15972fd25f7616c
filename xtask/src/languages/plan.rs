//! What a language is compared with: `xtask/languages/NAME.toml`.

use crate::paths;
use anyhow::Context as _;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The data file of a language. In commands `{file}` is the input, `{output}` the file to write, `{headers}` one option
/// per folder with headers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    /// The grammar, from the root of the project; its side file names the start rule.
    pub(super) grammar: PathBuf,
    /// How names of real files end.
    pub(super) files: String,
    /// Parts of paths that are not used.
    #[serde(default)]
    pub(super) skip: Vec<String>,
    /// How the command that prepares a file is told where headers are.
    pub(super) headers: Option<Headers>,
    /// Makes a file that the grammar can read; without it files are read as they are.
    pub(super) prepare: Option<Vec<String>>,
    /// The reference tool: it must check and never run a text.
    pub(super) check: Vec<String>,
    /// The extension that the reference tool wants.
    pub(super) extension: String,
    /// A line of its output that reports an error: a regular expression.
    pub(super) error: String,
    /// An error that is one of syntax. Without it every error is one.
    pub(super) syntax_error: Option<String>,
    /// The tool that says which names are not defined. Without it, none is in a file that the reference tool takes.
    pub(super) linter: Option<Linter>,
    /// A tree-sitter grammar to compare the speed with.
    pub(super) peer: Option<Peer>,
    /// Packages of the registries with real files, each with its version.
    #[serde(default)]
    pub(super) crates: BTreeMap<String, String>,
    /// Packages of npm.
    #[serde(default)]
    pub(super) npm: BTreeMap<String, String>,
    /// Packages of PyPI, as wheels: unpacking one runs nothing.
    #[serde(default)]
    pub(super) pypi: BTreeMap<String, String>,
    /// Packages of Debian; an empty version is the one that the system has.
    #[serde(default)]
    pub(super) debian: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Headers {
    /// How names of headers end.
    pub(super) ends: String,
    /// The option before each folder.
    pub(super) option: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Linter {
    /// Its package of npm, with the version, if it has to be installed.
    pub(super) npm: Option<String>,
    /// Reads the files `0.EXTENSION`, `1.EXTENSION` … of the folder `{files}` and prints a number and a name for each name
    /// that is not defined. `{tools}` is the folder where the package is installed.
    pub(super) command: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Peer {
    pub(super) package: String,
    pub(super) version: String,
}

impl Plan {
    pub(super) fn read(language: &str) -> anyhow::Result<Plan> {
        let path = paths::root().join(format!("xtask/languages/{language}.toml"));
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{language} is compared with nothing: no {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} is wrong", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_file_is_read() {
        let folder = paths::root().join("xtask/languages");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let plan = Plan::read(&path.file_stem().unwrap().to_string_lossy()).unwrap();
            assert!(paths::root().join(&plan.grammar).is_file(), "{}", path.display());
        }
    }
}
