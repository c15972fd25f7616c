//! The journal of a reduction: answers on disk, the best result, the log, the history, the progress line.

use super::files::Files;
use crate::progress::Progress;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_asker::State;
use polysmith_reduce::{Answer, Journal, Key, Status, Step, Stop, Text};
use polysmith_run::files::write_file;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Keeps everything that a reduction leaves behind while it runs.
pub(super) struct Keeper<'a> {
    state: State,
    files: &'a Files,
    log: Option<BufWriter<File>>,
    history: Option<PathBuf>,
    line: Progress,
    /// Whether the best result is written at every step.
    saves_steps: bool,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(
        state: State,
        files: &'a Files,
        log: Option<&Path>,
        history: Option<&Path>,
        talk: Talk,
    ) -> anyhow::Result<Keeper<'a>> {
        let open = |path: &Path| {
            File::create(path).with_context(|| format!("cannot write the log `{}`", path.display()))
        };
        let log = log.map(open).transpose()?.map(BufWriter::new);
        if let Some(history) = history {
            fs::create_dir_all(history)
                .with_context(|| format!("cannot create the folder `{}`", history.display()))?;
        }
        let line = Progress::begin(talk, None, "reducing").unit("questions");
        let (history, saves_steps) = (history.map(Path::to_owned), files.are_replaced()?);
        Ok(Keeper { state, files, log, history, line, saves_steps })
    }

    pub(super) fn finish_line(&self) {
        self.line.clear();
    }

    /// Ends the journal; a complete reduction leaves no state behind.
    pub(super) fn close(mut self, slowest_yes: Option<Duration>, complete: bool) -> anyhow::Result<()> {
        if let Some(log) = &mut self.log {
            log.flush()?;
        }
        match (complete, slowest_yes) {
            (true, _) => self.state.remove()?,
            (false, Some(time)) => self.state.keep_slowest_yes(time)?,
            (false, None) => {}
        }
        Ok(())
    }

    /// Takes the state away: there is nothing to resume.
    pub(super) fn remove(self) -> anyhow::Result<()> {
        Ok(self.state.remove()?)
    }

    fn keep_step(&mut self, step: &Step, text: &Text) -> anyhow::Result<()> {
        if self.saves_steps {
            self.files.write(text)?;
        }
        if let Some(log) = &mut self.log {
            let Step { n, pass, edit, size, questions } = step;
            let (tokens, bytes) = (size.tokens, size.bytes);
            let line = serde_json::json!({
                "n": n, "pass": pass, "edit": edit, "tokens": tokens, "bytes": bytes, "questions": questions
            });
            writeln!(log, "{line}")?;
            log.flush()?;
        }
        if let Some(history) = &self.history {
            for (part, name) in text.parts().iter().zip(self.files.names()) {
                if part.present {
                    let name = name.display().to_string().replace('/', "-");
                    write_file(&history.join(format!("{:05}-{name}", step.n)), text.slice(&part.range))?;
                }
            }
        }
        Ok(())
    }
}

fn broken(what: &str, error: impl std::fmt::Display) -> Stop {
    Stop::Broken(format!("cannot keep {what}: {error:#}"))
}

impl Journal for Keeper<'_> {
    fn known(&self, key: Key) -> Option<Answer> {
        self.state.known(key)
    }

    fn answered(&mut self, key: Key, answer: Answer) -> Result<(), Stop> {
        self.state.keep(key, answer).map_err(|error: io::Error| broken("an answer", error))
    }

    fn accepted(&mut self, step: &Step, text: &Text) -> Result<(), Stop> {
        self.keep_step(step, text).map_err(|error| broken("the best result", error))
    }

    fn progress(&mut self, status: &Status) {
        let Status { before, now, questions, pass, round } = status;
        self.line
            .set(*questions as u64, || format!("{}/{} tokens, {pass} {round}", now.tokens, before.tokens));
    }
}
