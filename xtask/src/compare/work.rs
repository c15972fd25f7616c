//! A reduction in a folder of its own, which can go on another day.
//!
//! The folder has the input, the result, the log of steps, what the tool said, and small files for what must outlive
//! a run: questions, seconds, that it came to its end (`done`), that a checker searched the result in vain (`checked`).

use super::cases::{self, Case, Where};
use super::peers::{self, Row};
use crate::paths;
use anyhow::{Context as _, bail, ensure};
use polysmith_reduce::count_tokens;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Which reductions there are, and where: what the tables by case have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) place: Where,
    /// Only these cases
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// The time for each run; the next call goes on with those that need more
    #[arg(long = "for", value_name = "TIME", default_value = "10m")]
    pub(crate) time: String,
    /// Where results, logs and states are kept [default: a folder under `target`]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Reduce nothing: print what is in the working folder
    #[arg(long)]
    pub(crate) table: bool,
    /// Search finished results for a step that was missed: a run of the test for each that there could be
    #[arg(long)]
    pub(crate) check: bool,
}

impl Options {
    /// The cases that are wanted, in the order of the README, with what the peers came to.
    pub(crate) fn rows(&self) -> anyhow::Result<Vec<Row>> {
        let mut rows = peers::read(&self.place.cases())?;
        if let Some(unknown) = self.only.iter().find(|name| rows.iter().all(|row| row.case != **name)) {
            bail!("there is no case `{unknown}`");
        }
        rows.retain(|row| self.only.is_empty() || self.only.contains(&row.case));
        Ok(rows)
    }

    /// The working folder, by default one of this name.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.work.clone().unwrap_or_else(|| paths::root().join("target").join(name))
    }
}

/// The folder of one reduction.
pub(crate) struct Work<'a> {
    case: &'a Case,
    folder: PathBuf,
    input: PathBuf,
}

/// What a reduction came to.
pub(crate) struct Figures {
    /// Tokens of the input.
    pub(crate) before: usize,
    pub(crate) tokens: usize,
    pub(crate) bytes: usize,
    pub(crate) questions: u64,
    pub(crate) seconds: u64,
    /// Whether it came to its end, not to a limit.
    pub(crate) ended: bool,
    /// Whether a checker searched the result in vain.
    pub(crate) checked: bool,
    /// What the tool said about tokens of the input outside the tree.
    pub(crate) outside: u64,
    /// Tokens and questions after each step.
    steps: Vec<(usize, u64)>,
}

impl Figures {
    /// The questions after which never more than so many tokens were left: a test that changes its mind may take a
    /// reduction back to a longer text.
    pub(crate) fn questions_until(&self, tokens: usize) -> Option<u64> {
        let above = self.steps.iter().rposition(|(now, _)| *now > tokens);
        self.steps.get(above.map_or(0, |last| last + 1)).map(|(_, questions)| *questions)
    }

    /// Tokens taken away per second.
    pub(crate) fn speed(&self) -> f64 {
        (self.before - self.tokens.min(self.before)) as f64 / self.seconds.max(1) as f64
    }
}

impl<'a> Work<'a> {
    /// The work on a case in a folder, which is made if it is not there.
    pub(crate) fn open(folder: &Path, case: &'a Case) -> anyhow::Result<Work<'a>> {
        fs::create_dir_all(folder)?;
        Ok(Work { case, input: case.input(folder)?, folder: folder.to_owned() })
    }

    /// Reduces, or goes on, unless it has come to its end.
    pub(crate) fn go_on(
        &self,
        binary: &Path,
        language: &Path,
        options: impl FnOnce(&mut Command),
    ) -> anyhow::Result<()> {
        if self.is_done() {
            return Ok(());
        }
        let mut command = cases::reduce_by(binary, &self.case.test(), &self.input, language);
        options(&mut command);
        command.arg("--log").arg(self.file("log"));
        let started = Instant::now();
        let output = command.output()?;
        let seconds = number(&self.file("seconds")) + started.elapsed().as_secs();
        fs::write(self.file("seconds"), seconds.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        fs::write(self.file("said"), &said)?;
        ensure!(output.status.success(), "polysmith ended with {}: {}", output.status, said.trim());
        let questions = cases::number_before(&said, " questions,").context("no number of questions")?;
        fs::write(self.file("questions"), questions.to_string())?;
        if cases::is_complete(&self.input) {
            fs::write(self.file("done"), "")?;
        }
        Ok(())
    }

    /// Lets a checker search the result of a reduction that has come to its end, once.
    pub(crate) fn check(&self, search: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<()> {
        if self.is_done() && !self.file("checked").exists() {
            search(&cases::result_of(&self.input))?;
            fs::write(self.file("checked"), "")?;
        }
        Ok(())
    }

    /// What there is; `None` if there is no result yet.
    pub(crate) fn figures(&self) -> anyhow::Result<Option<Figures>> {
        let result = cases::result_of(&self.input);
        if !result.is_file() {
            return Ok(None);
        }
        ensure!(self.case.holds(&result)?, "the result is not interesting");
        let bytes = fs::read(&result)?;
        let said = fs::read_to_string(self.file("said")).unwrap_or_default();
        let outside = said.lines().find(|line| line.contains("tokens lie outside the tree"));
        Ok(Some(Figures {
            before: count_tokens(&fs::read(&self.input)?),
            tokens: count_tokens(&bytes),
            bytes: bytes.len(),
            questions: self.questions(),
            seconds: number(&self.file("seconds")),
            ended: self.is_done(),
            checked: self.file("checked").exists(),
            outside: outside.and_then(|line| cases::number_before(line, " of ")).unwrap_or(0),
            steps: steps(&self.file("log"))?,
        }))
    }

    /// Questions so far.
    pub(crate) fn questions(&self) -> u64 {
        number(&self.file("questions"))
    }

    fn is_done(&self) -> bool {
        self.file("done").exists()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

fn number(file: &Path) -> u64 {
    fs::read_to_string(file).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn steps(log: &Path) -> anyhow::Result<Vec<(usize, u64)>> {
    let text = fs::read_to_string(log)?;
    let step = |line: &str| -> anyhow::Result<(usize, u64)> {
        let step: serde_json::Value = serde_json::from_str(line)?;
        let number = |name: &str| step[name].as_u64().with_context(|| format!("no {name} in {line}"));
        Ok((number("tokens")? as usize, number("questions")?))
    };
    text.lines().map(step).collect()
}
