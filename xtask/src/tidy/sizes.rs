//! A code file over 500 lines is named, over 800 it fails.

use super::{Complaints, Tracked};

const NAMED_OVER: usize = 500;
const FAILS_OVER: usize = 800;

/// Files that may be longer, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

pub(crate) fn check(files: &[Tracked], complaints: &mut Complaints) {
    for file in files.iter().filter(|file| file.is_rust()) {
        let lines = file.text.as_deref().map_or(0, |text| text.lines().count());
        let path = &file.path;
        let excused = EXCEPTIONS.iter().find(|(name, _)| name == path);
        match (lines, excused) {
            (..=NAMED_OVER, None) => {}
            (..=NAMED_OVER, Some(_)) => {
                complaints.failures.push(format!("{path} is short again: take it off the exception list"));
            }
            (_, Some((_, reason))) => complaints.notes.push(format!("{path} has {lines} lines: {reason}")),
            (..=FAILS_OVER, None) => {
                complaints.notes.push(format!("{path} has {lines} lines: think of a split"))
            }
            _ => complaints.failures.push(format!(
                "{path} has {lines} lines, over {FAILS_OVER}: split it by subject, or name the reason in {}",
                file!()
            )),
        }
    }
}
