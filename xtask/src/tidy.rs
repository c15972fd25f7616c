//! `cargo xtask tidy`: the house rules, as a test with helpful words.
//!
//! One file per rule in `tidy/`. A rule looks at the tracked files and returns its complaints.

mod directions;
mod heads;
mod purity;
mod shapes;
mod sizes;
mod words;

use crate::paths;
use anyhow::{Context as _, ensure};
use std::process::Command;

/// Check the house rules
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// A tracked file.
pub(crate) struct Tracked {
    /// Relative to the root, with slashes.
    pub(crate) path: String,
    /// Its text; a binary file has none.
    pub(crate) text: Option<String>,
}

impl Tracked {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// What a rule has to say.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    /// Worth a look.
    pub(crate) notes: Vec<String>,
    /// Must be changed.
    pub(crate) failures: Vec<String>,
}

/// Runs all rules; true if none failed.
pub(crate) fn run(_: &Args) -> anyhow::Result<bool> {
    let files = tracked_files()?;
    let mut complaints = Complaints::default();
    for rule in [sizes::check, shapes::check, heads::check, directions::check, purity::check, words::check] {
        rule(&files, &mut complaints);
    }
    for note in &complaints.notes {
        println!("note: {note}");
    }
    for failure in &complaints.failures {
        println!("error: {failure}");
    }
    println!("tidy: {} files, {} errors", files.len(), complaints.failures.len());
    Ok(complaints.failures.is_empty())
}

fn tracked_files() -> anyhow::Result<Vec<Tracked>> {
    let root = paths::root();
    let mut git = Command::new("git");
    // The folder may belong to another user, as in a container.
    git.args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root);
    let output = git.output().context("cannot run git")?;
    ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    let list = String::from_utf8(output.stdout)?;
    let names = list.split('\0').filter(|name| !name.is_empty());
    let existing = names.filter(|name| root.join(name).is_file());
    Ok(existing
        .map(|name| Tracked { path: name.to_owned(), text: std::fs::read_to_string(root.join(name)).ok() })
        .collect())
}
