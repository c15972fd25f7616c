//! Why a test says no to the original: what it printed, where it ran, and the usual mistakes.

use std::fmt::Write as _;
use std::path::Path;

use polysmith_run::{Ended, Outcome};

/// Bytes of output that are shown of each stream.
const SHOWN: usize = 2000;

/// Explains an outcome that was not a yes.
pub(super) fn explain(outcome: &Outcome, folder: &Path) -> String {
    let mut text = format!("it ended with {} after {:.1} s", outcome.ended, outcome.time.as_secs_f64());
    let _ = write!(text, "\n  it ran in {} (kept, so that you can look)", folder.display());
    for (name, output) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
        let shown = String::from_utf8_lossy(&output[output.len().saturating_sub(SHOWN)..]).into_owned();
        match shown.trim_end() {
            "" => {
                let _ = write!(text, "\n  {name}: nothing");
            }
            lines => {
                let _ = write!(text, "\n  {name}:");
                lines.lines().for_each(|line| {
                    let _ = write!(text, "\n    {line}");
                });
            }
        }
    }
    if let Some(mistake) = mistake(outcome) {
        let _ = write!(text, "\n  {mistake}");
    }
    text
}

fn mistake(outcome: &Outcome) -> Option<&'static str> {
    const FRESH: &str = "the test runs in a fresh folder that holds only the file: relative paths to anything else do \
                         not work (use absolute paths, `$(dirname \"$0\")`, or `--with FILE`)";
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    match outcome.ended {
        Ended::Exited(126) => Some("exit code 126 means that a program in the test has no run bit"),
        Ended::Exited(127) => Some(FRESH),
        _ if stderr.contains("No such file") => Some(FRESH),
        Ended::TimedOut => Some("give it more time with `--timeout SECONDS`"),
        Ended::Killed(_) => {
            Some("a crash of the test itself may come from its memory limit: `--memory none` lifts it")
        }
        Ended::Exited(0) => {
            Some("exit code 0 was not enough: an `--exit-code`, `--stdout` or `--stderr` did not hold")
        }
        _ if stderr.contains("memory") => Some("if memory ran out: `--memory none` lifts the limit"),
        Ended::Exited(_) => None,
    }
}
