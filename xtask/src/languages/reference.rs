//! The reference tool: a real compiler or interpreter that checks a text and never runs it.

use super::plan::Plan;
use anyhow::{Context as _, ensure};
use polysmith_run::{Ended, Limits, Outcome, Pool, Start, Stdin};
use regex::Regex;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What one run of a tool may use.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(30),
    processor: None,
    processes: None,
    memory: Some(2 << 30),
    file: Some(256 << 20),
    output: 1 << 20,
};

/// How long a linter may look at all files.
const LINT_TIME: Duration = Duration::from_secs(600);

/// What the tool says about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No error at all.
    Valid,
    /// Errors, but none of syntax. The first one.
    Meaning(String),
    /// An error of syntax. The first one.
    Syntax(String),
    /// The tool did not finish.
    Unknown(String),
}

/// The reference tool of a language, and a folder for its files.
pub(super) struct Reference<'a> {
    plan: &'a Plan,
    error: Regex,
    syntax_error: Regex,
    work: tempfile::TempDir,
}

impl<'a> Reference<'a> {
    pub(super) fn new(plan: &'a Plan) -> anyhow::Result<Reference<'a>> {
        let syntax_error = plan.syntax_error.as_ref().unwrap_or(&plan.error);
        Ok(Reference {
            plan,
            error: Regex::new(&plan.error)?,
            syntax_error: Regex::new(syntax_error)?,
            work: tempfile::tempdir()?,
        })
    }

    /// Prepares a file for the grammar; the error is the tool's first one.
    pub(super) fn prepare(
        &self,
        file: &Path,
        headers: &[OsString],
    ) -> anyhow::Result<Result<Vec<u8>, String>> {
        let Some(command) = &self.plan.prepare else {
            return Ok(Ok(std::fs::read(file)?));
        };
        let output = self.work.path().join("prepared");
        let outcome = self.run(command, file, &output, headers)?;
        if outcome.ended != Ended::Exited(0) {
            return Ok(Err(self.first_error(&outcome)));
        }
        Ok(Ok(std::fs::read(output)?))
    }

    /// What the tool says about a text.
    pub(super) fn check(&self, text: &str) -> anyhow::Result<Verdict> {
        let file = self.work.path().join("input").with_extension(&self.plan.extension);
        std::fs::write(&file, text)?;
        let outcome = self.run(&self.plan.check, &file, Path::new(""), &[])?;
        let said = String::from_utf8_lossy(&outcome.stderr);
        if let Some(line) = said.lines().find(|line| self.syntax_error.is_match(line)) {
            return Ok(Verdict::Syntax(self.message(line)));
        }
        Ok(match outcome.ended {
            Ended::Exited(0) => Verdict::Valid,
            Ended::Exited(_) => Verdict::Meaning(self.first_error(&outcome)),
            ended => Verdict::Unknown(ended.to_string()),
        })
    }

    /// What a linter prints about the files of a folder.
    pub(super) fn lint(&self, command: &[String], files: &Path, tools: &Path) -> anyhow::Result<String> {
        let replace = |word: &String| match word.as_str() {
            "{files}" => files.into(),
            "{tools}" => tools.into(),
            _ => OsString::from(word),
        };
        let arguments: Vec<OsString> = command[1..].iter().map(replace).collect();
        let limits = Limits { time: LINT_TIME, ..LIMITS };
        let outcome = self.start(&command[0], &arguments, &limits)?;
        let said = String::from_utf8_lossy(&outcome.stderr);
        ensure!(
            outcome.ended == Ended::Exited(0),
            "the linter failed: {}: {}",
            outcome.ended,
            said.trim_end()
        );
        Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
    }

    fn first_error(&self, outcome: &Outcome) -> String {
        let said = String::from_utf8_lossy(&outcome.stderr);
        let line = said.lines().find(|line| self.error.is_match(line));
        line.map_or_else(|| outcome.ended.to_string(), |line| self.message(line))
    }

    /// The message of a line, without the place.
    fn message(&self, line: &str) -> String {
        let end = self.error.find(line).map_or(0, |found| found.end());
        line[end..].to_owned()
    }

    fn run(
        &self,
        command: &[String],
        file: &Path,
        output: &Path,
        headers: &[OsString],
    ) -> anyhow::Result<Outcome> {
        let mut arguments: Vec<OsString> = Vec::new();
        for word in &command[1..] {
            match word.as_str() {
                "{file}" => arguments.push(file.into()),
                "{output}" => arguments.push(output.into()),
                "{headers}" => arguments.extend_from_slice(headers),
                _ => arguments.push(word.into()),
            }
        }
        self.start(&command[0], &arguments, &LIMITS)
    }

    fn start(&self, program: &str, arguments: &[OsString], limits: &Limits) -> anyhow::Result<Outcome> {
        let start = Start {
            program: program.as_ref(),
            arguments,
            folder: self.work.path(),
            environment: &[("LC_ALL", "C".as_ref())],
            stdin: Stdin::Empty,
            capture: true,
        };
        Pool::new().run(&start, limits).with_context(|| format!("cannot start {program}"))
    }
}

/// The options that name all folders with headers of a package.
pub(super) fn headers(plan: &Plan, files: &[PathBuf]) -> Vec<OsString> {
    let Some(headers) = &plan.headers else { return Vec::new() };
    let ends = |path: &&PathBuf| path.to_string_lossy().ends_with(&headers.ends);
    let mut folders: Vec<&Path> = files.iter().filter(ends).filter_map(|path| path.parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    folders.iter().flat_map(|folder| [OsString::from(&headers.option), folder.into()]).collect()
}
