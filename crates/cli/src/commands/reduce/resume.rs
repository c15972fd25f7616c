//! Where a reduction begins: with the answers of an earlier run if the question is the same.
//!
//! The question is the input, the test, the options that change answers and the files beside the candidate. Options of
//! the search (the algorithm, the passes, the language) may change: answers hold for any of them.

use super::Args;
use super::files::Files;
use super::options::QuestionOptions;
use crate::failure::Failure;
use crate::talk::Talk;
use crate::units::Size;
use anyhow::Context as _;
use polysmith_asker::{Identity, QuestionFolder, Store, Test, read_result};
use polysmith_reduce::Text;
use std::fs;
use std::path::Path;

/// What a reduction begins with.
pub(super) struct Beginning {
    /// The text to start from.
    pub(super) start: Text,
    /// The folder with the answers.
    pub(super) question: QuestionFolder,
    /// The result of earlier runs.
    pub(super) earlier: Option<Text>,
}

/// Finds out what earlier runs left, says so, and opens the folder of the question.
pub(super) fn begin(
    args: &Args,
    test: &Test,
    files: &Files,
    store: &Store,
    talk: Talk,
) -> anyhow::Result<Beginning> {
    if files.is_stdin() && args.effort.resume {
        return Err(Failure::usage("the answers about standard input are not kept")
            .help("a reduction of a file can be resumed")
            .into());
    }
    let identity = identity(args, test, files)?;
    let names = files.names();
    if args.effort.restart {
        if let Some(aside) = store.put_aside(&identity)? {
            talk.note(format_args!("the earlier result and answers are kept in `{}`", aside.display()));
        }
    } else if store.find(&identity).is_some() {
        let question = store.open_question(&identity)?;
        talk.note(format_args!(
            "continuing an earlier run: {} answers are known; `--restart` starts over",
            question.answers()
        ));
        let start = question.start(names).map_or_else(|| original(files), |files| text_of(&files))?;
        let earlier = question.result(names).map(|files| text_of(&files)).transpose()?;
        return Ok(Beginning { start, question, earlier });
    }
    let other = store.find_other(&identity).filter(|_| !args.effort.restart);
    let other_result = other.as_ref().and_then(|folder| read_result(folder, names));
    match (args.effort.resume, other, other_result) {
        (true, _, Some(result)) => {
            talk.note(
                "the test or the options changed: going on from the best result, without the old answers",
            );
            let question = store.open_question(&identity)?;
            question.keep_start(names, &result)?;
            Ok(Beginning { start: text_of(&result)?, question, earlier: None })
        }
        (true, _, None) => {
            let what = format!("there is nothing to resume in `{}`", store.path().display());
            Err(Failure::usage(what).help("without `--resume` a reduction starts from the beginning").into())
        }
        (false, other, _) => {
            if let Some(folder) = other {
                talk.note(format_args!(
                    "the test or the options changed: starting over; the earlier result is kept in `{}`, and \
                     `--resume` would begin with it",
                    folder.join("result").display()
                ));
            }
            let question = store.open_question(&identity)?;
            Ok(Beginning { start: original(files)?, question, earlier: None })
        }
    }
}

/// A text in which files may be left out.
fn text_of(files: &[Option<Vec<u8>>]) -> Result<Text, Failure> {
    Text::of_files(files).map_err(|error| Failure::unusable(error.to_string()))
}

fn original(files: &Files) -> Result<Text, Failure> {
    Text::new(files.originals()).map_err(|error| Failure::unusable(error.to_string()))
}

/// Everything that an answer depends on.
fn identity(args: &Args, test: &Test, files: &Files) -> anyhow::Result<Identity> {
    let QuestionOptions { stdin, exit_code, stdout, stderr, timeout, memory: Size(memory), with, .. } =
        &args.question;
    let options = [
        format!("stdin {stdin}"),
        format!("exit code {exit_code:?}"),
        format!("stdout {stdout:?}"),
        format!("stderr {stderr:?}"),
        format!("timeout {timeout:?}"),
        format!("memory {memory:?}"),
    ];
    let read = |path: &std::path::PathBuf| {
        fs::read(path).with_context(|| format!("cannot read the side file `{}`", path.display()))
    };
    let contents: Vec<Vec<u8>> = with.iter().map(read).collect::<anyhow::Result<_>>()?;
    let input = files.names().iter().zip(files.originals()).map(|(name, bytes)| (name.as_path(), &bytes[..]));
    let side_name =
        |path: &'_ std::path::PathBuf| path.file_name().map(Path::new).unwrap_or(Path::new("")).to_owned();
    let side_names: Vec<_> = with.iter().map(side_name).collect();
    let side = side_names.iter().zip(&contents).map(|(name, bytes)| (name.as_path(), &bytes[..]));
    Ok(Identity::new(input, &test.content(), &options, side))
}
