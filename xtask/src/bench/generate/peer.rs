//! Grammarinator beside us: its generator made from the same grammar and run in one process, without files.

use super::{Subject, figures, shown};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Measures a generator that was made.
const SCRIPT: &str = include_str!("run_grammarinator.py");

/// An installation.
pub(super) struct Grammarinator {
    process: PathBuf,
    python: PathBuf,
}

impl Grammarinator {
    /// In a folder, else on the PATH. Its Python stands beside its commands.
    pub(super) fn find(folder: Option<&Path>) -> Option<Grammarinator> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = folder.map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
        let folder = folders.find(|folder| folder.join("grammarinator-process").is_file())?;
        Some(Grammarinator { process: folder.join("grammarinator-process"), python: folder.join("python") })
    }

    /// Makes a generator and measures it: the columns of the table.
    pub(super) fn speed(&self, subject: &Subject<'_>, seconds: u64) -> anyhow::Result<String> {
        let work = tempfile::tempdir()?;
        let files = subject.files().into_iter().map(|file| copy(&file, work.path()));
        let files = files.collect::<anyhow::Result<Vec<_>>>()?;
        // Without a full character set it refuses sets that have no ASCII character.
        let made = Command::new(&self.process)
            .args(["--no-actions", "-D", "dot=any_unicode_char", "-o"])
            .arg(work.path())
            .args(&files)
            .output()?;
        expect(&made, "grammarinator-process")?;
        let entries = fs::read_dir(work.path())?.filter_map(Result::ok).map(|entry| entry.path());
        let generator = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "py");
        let module = entries.into_iter().find(generator).context("it made no generator")?;
        let module = module.file_stem().context("a file has a name")?.to_owned();
        let measured = Command::new(&self.python)
            .args(["-c", SCRIPT])
            .arg(work.path())
            .arg(module)
            .args([subject.start, &seconds.to_string()])
            .output()?;
        expect(&measured, "its generator")?;
        let found = figures(&String::from_utf8(measured.stdout)?)?;
        let found: [f64; 6] = found.try_into().ok().context("the script printed something else")?;
        Ok(format!("{:>7} {}", "", shown(found)))
    }
}

/// Copies a grammar without the name of its base class, which Grammarinator would import as Python.
fn copy(file: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let mut text = fs::read_to_string(file)?;
    if let Some(from) = text.find("superClass")
        && let Some(to) = text[from..].find(';')
    {
        text.replace_range(from..=from + to, "");
    }
    let copy = folder.join(file.file_name().context("a file has a name")?);
    fs::write(&copy, text)?;
    Ok(copy)
}

fn expect(output: &Output, what: &str) -> anyhow::Result<()> {
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{what} failed: {}", said.lines().last().unwrap_or("without a word"));
    }
    Ok(())
}
