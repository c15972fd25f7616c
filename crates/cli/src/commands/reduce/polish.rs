//! The last touch: a final line end, and the layout of `--format-with`, each kept only if the test agrees.
//!
//! The store keeps the text without it, so that a continued run compares sizes with what the search found.

use super::files::Files;
use super::keeper::Keeper;
use super::{Args, Asker};
use crate::talk::Talk;
use polysmith_reduce::{Answer, Candidate, Journal as _, Question as _, Text};
use polysmith_run::{Ended, FileError, Limits, Pool, Start, Stdin, shell};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Output of a formatter that is kept, in bytes. A reduced file is far smaller.
const MAX_OUTPUT: usize = 256 << 20;

/// Polishes a result.
pub(super) struct Polish<'a, 'k> {
    pub(super) args: &'a Args,
    pub(super) files: &'a Files,
    pub(super) asker: &'a mut Asker,
    pub(super) keeper: &'a mut Keeper<'k>,
    /// Whether the test may be asked; else only answers that are known count.
    pub(super) may_ask: bool,
    pub(super) talk: Talk,
}

impl Polish<'_, '_> {
    /// The text as it is written for the user.
    pub(super) fn run(&mut self, text: Arc<Text>) -> anyhow::Result<Arc<Text>> {
        let text = match with_line_ends(&text)? {
            Some(ended) if self.says_yes(&ended)? => ended,
            _ => text,
        };
        let Some(command) = self.args.results.format_with.as_deref().filter(|_| self.may_ask) else {
            return Ok(text);
        };
        match self.format(command, &text)? {
            Ok(formatted) if formatted.bytes() == text.bytes() => {}
            Ok(formatted) if self.says_yes(&formatted)? => return Ok(formatted),
            Ok(_) => {
                self.talk.note("the test does not say yes to the text of `--format-with`; it is not used")
            }
            Err(why) => self.talk.warning(format_args!("`{command}` is not used: {why}")),
        }
        Ok(text)
    }

    fn says_yes(&mut self, text: &Arc<Text>) -> anyhow::Result<bool> {
        let candidate = Candidate::unchanged(Arc::clone(text));
        let key = candidate.key();
        if let Some(answer) = self.keeper.known(key) {
            return Ok(answer == Answer::Yes);
        }
        if !self.may_ask {
            return Ok(false);
        }
        // Who stops now gets the text as it was: nothing is lost.
        let Ok(()) = self.asker.submit(0, &candidate) else { return Ok(false) };
        let Ok((_, answer)) = self.asker.wait() else { return Ok(false) };
        self.keeper.question_mut().keep_answer(key, answer)?;
        Ok(answer == Answer::Yes)
    }

    /// Formats each file; `Err` says why the command is of no use.
    fn format(&self, command: &str, text: &Text) -> anyhow::Result<Result<Arc<Text>, String>> {
        let folder = self.asker.scratch().join("format");
        fs::create_dir_all(&folder).map_err(FileError::when("create the folder", &folder))?;
        let mut formatted = Vec::new();
        for (part, name) in text.parts().iter().zip(self.files.names()) {
            let bytes = text.slice(&part.range);
            match part.present.then(|| self.format_file(command, bytes, &folder.join(name))) {
                None => formatted.push(None),
                Some(done) => match done? {
                    Ok(bytes) => formatted.push(Some(bytes)),
                    Err(why) => return Ok(Err(why)),
                },
            }
        }
        fs::remove_dir_all(&folder).map_err(FileError::when("remove the folder", &folder))?;
        Ok(Ok(Arc::new(Text::of_files(&formatted)?)))
    }

    /// Runs the command on one file: with `{}` it changes the file at that path, without it is a filter.
    fn format_file(
        &self,
        command: &str,
        bytes: &[u8],
        path: &Path,
    ) -> anyhow::Result<Result<Vec<u8>, String>> {
        polysmith_run::files::write_file(path, bytes)?;
        let changes_file = command.contains("{}");
        let line = command.replace("{}", &shell::quote(path).to_string_lossy());
        let arguments: [OsString; 2] = ["-c".into(), line.into()];
        let start = Start {
            program: "/bin/sh".as_ref(),
            arguments: &arguments,
            folder: path.parent().unwrap_or(path),
            environment: &[],
            stdin: if changes_file { Stdin::Empty } else { Stdin::File(path) },
            capture: true,
        };
        let limits = Limits { memory: self.args.question.memory.0, output: MAX_OUTPUT, ..Limits::default() };
        let outcome = Pool::new().run(&start, &limits)?;
        if outcome.ended != Ended::Exited(0) {
            let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
            let line = stderr.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
            return Ok(Err(format!("it ended with {}{line}", outcome.ended)));
        }
        let result = match changes_file {
            true => fs::read(path).map_err(FileError::when("read", path))?,
            false => outcome.stdout,
        };
        Ok(if result.is_empty() && !bytes.is_empty() {
            Err("it printed nothing".to_owned())
        } else {
            Ok(result)
        })
    }
}

/// The text with a line end at the end of each text file that lacks it; `None` if none does.
fn with_line_ends(text: &Text) -> anyhow::Result<Option<Arc<Text>>> {
    let mut is_changed = false;
    let end = |bytes: &[u8], is_changed: &mut bool| {
        let mut bytes = bytes.to_vec();
        if !bytes.is_empty() && !bytes.ends_with(b"\n") && !bytes.contains(&0) {
            bytes.push(b'\n');
            *is_changed = true;
        }
        bytes
    };
    let files: Vec<Option<Vec<u8>>> = text
        .parts()
        .iter()
        .map(|part| part.present.then(|| end(text.slice(&part.range), &mut is_changed)))
        .collect();
    Ok(if is_changed { Some(Arc::new(Text::of_files(&files)?)) } else { None })
}
