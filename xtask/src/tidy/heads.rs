//! Every Rust file opens with a `//!` head that says what it is for.

use super::{Complaints, Tracked};

pub(crate) fn check(files: &[Tracked], complaints: &mut Complaints) {
    for file in files.iter().filter(|file| file.is_rust()) {
        let head = file.text.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
        let words = head.strip_prefix("//!").map(|words| words.split_whitespace().count());
        if words.is_none_or(|count| count < 2) {
            let path = &file.path;
            complaints
                .failures
                .push(format!("{path} does not open with a `//!` sentence that says what it is for"));
        }
    }
}
