//! The journal of a reduction: answers on disk, the best result, the log, the history, the progress line,
//! the objects of `--json`.

use super::files::Files;
use super::options::ResultOptions;
use crate::progress::Progress;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_asker::QuestionFolder;
use polysmith_reduce::{Answer, Journal, Key, Size, Status, Step, Stop, Text};
use polysmith_run::files::write_file;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::time::Duration;

/// Keeps everything that a reduction leaves behind while it runs.
pub(super) struct Keeper<'a> {
    question: QuestionFolder,
    files: &'a Files,
    log: Option<BufWriter<File>>,
    history: Option<PathBuf>,
    line: Progress,
    talk: Talk,
    /// Whether objects are printed.
    json: bool,
    /// Why an object could not be printed.
    stdout_error: Option<io::Error>,
    /// Whether the best result is written at every step.
    saves_steps: bool,
    /// The result of earlier runs; a step that is not smaller is not written.
    earlier: Option<Size>,
    /// Whether something was asked in this run: until then the steps of earlier runs are repeated.
    has_asked: bool,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(
        question: QuestionFolder,
        files: &'a Files,
        results: &ResultOptions,
        talk: Talk,
    ) -> anyhow::Result<Keeper<'a>> {
        let open = |path: &PathBuf| {
            File::create(path).with_context(|| format!("cannot write the log `{}`", path.display()))
        };
        let log = results.log.as_ref().map(open).transpose()?.map(BufWriter::new);
        if let Some(history) = &results.history {
            fs::create_dir_all(history)
                .with_context(|| format!("cannot create the folder `{}`", history.display()))?;
        }
        let line = Progress::begin(talk, None, "reducing").unit("questions");
        Ok(Keeper {
            question,
            files,
            log,
            history: results.history.clone(),
            line,
            talk,
            json: results.json,
            stdout_error: None,
            saves_steps: files.are_replaced()?,
            earlier: None,
            has_asked: false,
        })
    }

    /// `--json`: the first object.
    pub(super) fn begin(&self, paths: &[PathBuf], language: Option<&str>, size: Size) -> anyhow::Result<()> {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let answers = self.question.answers();
        self.print("begin", || {
            serde_json::json!({
                "files": paths, "language": language, "tokens": size.tokens, "bytes": size.bytes, "answers": answers
            })
        })
    }

    /// `--json`: the last object. `status` says how it ended. Reports an object that could not be printed.
    pub(super) fn end(&mut self, status: &str, mut object: serde_json::Value) -> anyhow::Result<()> {
        if let Some(error) = self.stdout_error.take() {
            return Err(error.into());
        }
        object["status"] = status.into();
        self.print("end", || object)
    }

    fn print(&self, kind: &str, object: impl FnOnce() -> serde_json::Value) -> anyhow::Result<()> {
        if self.json {
            let mut printed = Ok(());
            self.line.aside(|| printed = self.talk.json_line(kind, object()));
            printed?;
        }
        Ok(())
    }

    pub(super) fn finish_line(&self) {
        self.line.clear();
    }

    /// Tells how small the result of earlier runs is.
    #[must_use]
    pub(super) fn earlier(self, earlier: Option<Size>) -> Keeper<'a> {
        Keeper { earlier, ..self }
    }

    /// The folder of the question.
    pub(super) fn question(&self) -> &QuestionFolder {
        &self.question
    }

    /// The same, to keep answers in it.
    pub(super) fn question_mut(&mut self) -> &mut QuestionFolder {
        &mut self.question
    }

    /// Writes the outputs: the result as the user gets it, which need not be the one that is kept.
    pub(super) fn write_outputs(&mut self, text: &Text) -> anyhow::Result<()> {
        self.announce(text)?;
        self.files.keep_originals()?;
        self.files.write(text, self.talk)
    }

    /// Notes the hashes of what is about to be written.
    fn announce(&mut self, text: &Text) -> anyhow::Result<()> {
        for part in text.parts().iter().filter(|part| part.present) {
            self.question.announce(text.slice(&part.range))?;
        }
        Ok(())
    }

    /// Writes a result: its hash first, then a copy in the folder of the question, then the outputs.
    pub(super) fn write_result(&mut self, text: &Text, to_outputs: bool) -> anyhow::Result<()> {
        self.announce(text)?;
        self.question.keep_result(self.files.names(), text)?;
        if to_outputs {
            self.files.keep_originals()?;
            self.files.write(text, self.talk)?;
        }
        Ok(())
    }

    /// Ends the journal.
    pub(super) fn close(mut self, slowest_yes: Option<Duration>, is_complete: bool) -> anyhow::Result<()> {
        if let Some(log) = &mut self.log {
            log.flush().context("cannot write the log")?;
        }
        if let Some(time) = slowest_yes {
            self.question.keep_slowest_yes(time)?;
        }
        Ok(self.question.keep_complete(is_complete)?)
    }

    /// Gives the folder of the question back.
    pub(super) fn into_question(self) -> QuestionFolder {
        self.question
    }

    fn keep_step(&mut self, step: &Step, text: &Text) -> anyhow::Result<()> {
        let is_progress = |earlier: Size| step.size < earlier || self.has_asked && step.size == earlier;
        // The empty text is a mistake in the test, or is written at the end.
        if self.earlier.is_none_or(is_progress) && !text.bytes().is_empty() {
            self.write_result(text, self.saves_steps)?;
        }
        let Step { n, pass, edit, size, questions } = step;
        let (tokens, bytes) = (size.tokens, size.bytes);
        let object = || {
            serde_json::json!({
                "n": n, "pass": pass, "edit": edit, "tokens": tokens, "bytes": bytes, "questions": questions
            })
        };
        if let Some(log) = &mut self.log {
            writeln!(log, "{}", object()).and_then(|()| log.flush()).context("cannot write the log")?;
        }
        self.print("step", object)?;
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
        self.question.known(key)
    }

    fn answered(&mut self, key: Key, answer: Answer) -> Result<(), Stop> {
        self.has_asked = true;
        self.question.keep_answer(key, answer).map_err(|error| broken("an answer", error))
    }

    fn accepted(&mut self, step: &Step, text: &Text) -> Result<(), Stop> {
        self.keep_step(step, text).map_err(|error| match error.downcast::<io::Error>() {
            // Only stdout fails in this form. Who read it has seen enough.
            Ok(error) => {
                self.stdout_error = Some(error);
                Stop::Broken("stdout is closed".to_owned())
            }
            Err(error) => broken("a step", error),
        })
    }

    fn progress(&mut self, status: &Status) {
        let Status { before, now, questions, pass, round } = status;
        self.line
            .set(*questions as u64, || format!("{}/{} tokens, {pass} {round}", now.tokens, before.tokens));
    }
}
