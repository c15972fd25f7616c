//! `--record DIR`: every candidate that is asked about, beside the text that it was made from.
//!
//! `DIR/0001/base.c` is the first best text, `DIR/0001/00001.c` the first candidate made from it, and so on. What is
//! recorded can be parsed afterwards: no candidate has more errors than its base, unless `--beyond-grammar` allowed it.

use super::files::Files;
use anyhow::Context as _;
use polysmith_reduce::{Answer, Candidate, Question, Stop, Text, Ticket};
use polysmith_run::files::write_file;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A question that keeps what it is asked.
pub(super) struct Recorder<'a, Q> {
    question: &'a mut Q,
    folder: PathBuf,
    extension: String,
    base: Option<Arc<Text>>,
    bases: usize,
    candidates: usize,
}

impl<'a, Q: Question> Recorder<'a, Q> {
    pub(super) fn new(question: &'a mut Q, folder: &Path, files: &Files) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
        let extension =
            files.names()[0].extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
        Ok(Recorder { question, folder: folder.to_owned(), extension, base: None, bases: 0, candidates: 0 })
    }

    /// Keeps the first file of a candidate; several files are several languages or parts of one.
    fn keep(&mut self, candidate: &Candidate) -> anyhow::Result<()> {
        if candidate.edits().iter().next().is_none() {
            return Ok(());
        }
        let is_new = self.base.as_ref().is_none_or(|base| !Arc::ptr_eq(base, candidate.base()));
        if is_new {
            self.bases += 1;
            self.candidates = 0;
            self.base = Some(Arc::clone(candidate.base()));
            let unchanged = Candidate::unchanged(Arc::clone(candidate.base()));
            write_file(&self.path("base"), &unchanged.bytes())?;
        }
        self.candidates += 1;
        Ok(write_file(&self.path(&format!("{:05}", self.candidates)), &candidate.bytes())?)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{:04}", self.bases)).join(format!("{name}{}", self.extension))
    }
}

impl<Q: Question> Question for Recorder<'_, Q> {
    fn width(&self) -> usize {
        self.question.width()
    }

    fn submit(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), Stop> {
        self.keep(candidate)
            .map_err(|error| Stop::Broken(format!("cannot record a candidate: {error:#}")))?;
        self.question.submit(ticket, candidate)
    }

    fn wait(&mut self) -> Result<(Ticket, Answer), Stop> {
        self.question.wait()
    }

    fn cancel(&mut self, ticket: Ticket) {
        self.question.cancel(ticket);
    }
}
