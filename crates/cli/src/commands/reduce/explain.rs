//! Why a test says no to the original: what it printed, where it ran, what it says in the original folder, and the
//! likely causes.

use super::causes::{Case, likely, swapped_advice, swapped_file};
use super::files::Files;
use super::options::QuestionOptions;
use super::{Args, Asker, Text};
use crate::failure::Failure;
use anyhow::Context as _;
use polysmith_asker::TestError;
use polysmith_reduce::Candidate;
use polysmith_run::{Ended, Outcome};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes of output that are shown of each stream.
const SHOWN: usize = 2000;

/// Runs the test on the original twice more, alone and beside its neighbours, and explains the no.
pub(super) fn refused(args: &Args, files: &Files, asker: &mut Asker, text: Text) -> anyhow::Result<Failure> {
    let candidate = Candidate::unchanged(Arc::new(text));
    let (outcome, folder) = asker.show(&candidate).context("cannot run the test")?;
    let mut message = format!(
        "the test does not say yes to the original: it ended with {} after {:.1} s",
        outcome.ended,
        outcome.time.as_secs_f64()
    );
    let _ = write!(message, "\n  it ran in {} (kept, so that you can look)", folder.display());
    write_output(&mut message, &outcome);
    let original = files.folder();
    // A test that hangs would hang again.
    let beside = match outcome.ended {
        Ended::TimedOut => None,
        _ => asker.show_beside(&candidate, &original).ok(),
    };
    let says_yes_beside = beside.as_ref().is_some_and(|outcome| asker.is_yes(outcome));
    if let Some(beside) = &beside {
        let says = if says_yes_beside { "yes" } else { "no, too" };
        let ended = beside.ended;
        let _ = write!(message, "\n  beside everything in the original folder it says {says} ({ended})");
        if !says_yes_beside && (&beside.stdout, &beside.stderr) != (&outcome.stdout, &outcome.stderr) {
            write_output(&mut message, beside);
        }
    }
    let content = asker.test().content();
    let side_names = args.question.with.iter().filter_map(|path| path.file_name()).map(PathBuf::from);
    let present: Vec<PathBuf> = files.names().iter().cloned().chain(side_names).collect();
    let QuestionOptions { exit_code, stdout, stderr, .. } = &args.question;
    let case = Case {
        outcome: &outcome,
        says_yes_beside,
        test: &String::from_utf8_lossy(&content),
        script: asker.test().script(),
        original: &original,
        paths: &args.files,
        present: &present,
        expects_zero: exit_code.unwrap_or(0) == 0 && stdout.is_none() && stderr.is_none(),
    };
    for cause in likely(&case) {
        let _ = write!(message, "\n  likely: {cause}");
    }
    Ok(Failure::no(message))
}

fn write_output(message: &mut String, outcome: &Outcome) {
    for (name, output) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
        let shown = String::from_utf8_lossy(&output[output.len().saturating_sub(SHOWN)..]).into_owned();
        match shown.trim_end() {
            "" => {
                let _ = write!(message, "\n  {name}: nothing");
            }
            lines => {
                let _ = write!(message, "\n  {name}:");
                lines.lines().for_each(|line| {
                    let _ = write!(message, "\n    {line}");
                });
            }
        }
    }
}

/// What to do about a test that cannot be used.
pub(super) fn unusable_test(error: &TestError, files: &[PathBuf]) -> Failure {
    let failure = Failure::unusable(error.to_string());
    match (error, swapped_file(files)) {
        (TestError::CarriageReturn { path, .. }, _) => {
            failure.help(format!("`sed -i 's/\\r$//' {}` removes the carriage returns", path.display()))
        }
        (TestError::NotExecutable(_), Some(file)) => failure.help(swapped_advice(file)),
        _ => failure,
    }
}
