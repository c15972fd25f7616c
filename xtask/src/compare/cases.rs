//! The reduction cases, and one run of the tool on one of them.

use crate::paths;
use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the cases and the tool are.
#[derive(Debug, clap::Args)]
pub(crate) struct Where {
    /// The folder with the cases
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The program to measure
    #[arg(long, value_name = "FILE")]
    polysmith: Option<PathBuf>,
}

impl Where {
    pub(crate) fn cases(&self) -> PathBuf {
        self.cases.clone().unwrap_or_else(|| paths::shared().join("data/reduce-cases"))
    }

    pub(crate) fn case(&self, name: &str) -> anyhow::Result<Case> {
        let folder = self.cases().join(name);
        ensure!(folder.join("interesting.sh").is_file(), "there is no case {}", folder.display());
        Ok(Case { folder })
    }

    /// The release binary.
    pub(crate) fn binary(&self) -> anyhow::Result<PathBuf> {
        let binary = self.polysmith.clone().unwrap_or_else(|| paths::root().join("target/release/polysmith"));
        ensure!(
            binary.is_file(),
            "{} is missing: `cargo build --release -p polysmith` makes it",
            binary.display()
        );
        Ok(binary)
    }
}

/// An input with a test.
pub(crate) struct Case {
    folder: PathBuf,
}

impl Case {
    pub(crate) fn test(&self) -> PathBuf {
        self.folder.join("interesting.sh")
    }

    /// A copy of the input in a folder, made by its script where there is one. Not made again if it is there.
    pub(crate) fn input(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let script = self.folder.join("make-input.py");
        if script.is_file() {
            let input = folder.join("input.json");
            if !input.is_file() {
                let status = Command::new("python3").arg(&script).arg(&input).status()?;
                ensure!(status.success(), "{} failed", script.display());
            }
            return Ok(input);
        }
        let is_input = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "input");
        let mut entries = fs::read_dir(&self.folder)?.flatten().map(|entry| entry.path());
        let original = entries.find(is_input).context("no input")?;
        let input = folder.join(original.file_name().context("no name")?);
        if !input.is_file() {
            fs::write(&input, fs::read(&original)?)?;
        }
        Ok(input)
    }

    /// Whether the test says yes to a file.
    pub(crate) fn holds(&self, file: &Path) -> anyhow::Result<bool> {
        Ok(Command::new(self.test()).arg(file).output()?.status.success())
    }
}

/// The tool at work on an input, without a grammar.
pub(crate) fn reduce(binary: &Path, test: &Path, input: &Path) -> Command {
    let mut command = Command::new(binary);
    command.arg("reduce").args([test, input]).args(["--language", "none"]);
    command
}

/// Where the result goes.
pub(crate) fn result_of(input: &Path) -> PathBuf {
    let extension = input.extension().unwrap_or_default().to_string_lossy().into_owned();
    input.with_extension(format!("reduced.{extension}"))
}

/// Where the state lies until a reduction has come to its end.
pub(crate) fn state_of(input: &Path) -> PathBuf {
    let mut name = input.as_os_str().to_owned();
    name.push(".polysmith");
    PathBuf::from(name)
}

/// The number before a word of what the tool says, as in `2910 questions`.
pub(crate) fn number_before(said: &str, word: &str) -> Option<u64> {
    let before = &said[..said.find(word)?];
    before.split_whitespace().next_back()?.parse().ok()
}
