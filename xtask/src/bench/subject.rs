//! A grammar of a collection, and what a measuring program says about it.

use crate::table::Row;
use anyhow::bail;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a grammar, and where its texts begin.
pub(super) struct Subject<'a> {
    pub(super) name: &'a str,
    pub(super) main: PathBuf,
    pub(super) lexer: Option<PathBuf>,
    pub(super) start: &'a str,
}

impl<'a> Subject<'a> {
    pub(super) fn of(collection: &Path, row: Row<'a>) -> Subject<'a> {
        let name = row.get("grammar");
        let folder = collection.join(name);
        let lexer = Some(row.get("lexer")).filter(|name| !name.is_empty()).map(|name| folder.join(name));
        Subject { name, main: folder.join(row.get("main")), lexer, start: row.get("start") }
    }

    pub(super) fn files(&self) -> Vec<PathBuf> {
        std::iter::once(self.main.clone()).chain(self.lexer.clone()).collect()
    }

    /// Runs `PROGRAM WHAT MAIN LEXER START MORE…` and returns what it prints.
    pub(super) fn measure<S: AsRef<OsStr>>(
        &self,
        program: &Path,
        what: &str,
        more: &[S],
    ) -> anyhow::Result<String> {
        let lexer = self.lexer.as_deref().unwrap_or(Path::new("-"));
        let output =
            Command::new(program).arg(what).args([&self.main, lexer]).arg(self.start).args(more).output()?;
        if !output.status.success() {
            bail!("the bench fails on {}:\n{}", self.name, String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}
