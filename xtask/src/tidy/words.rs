//! Nothing in the tree may name a path of somebody's machine.

use super::{Complaints, Tracked};

/// Put together here, so that this file does not contain them.
const FORBIDDEN: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

pub(crate) fn check(files: &[Tracked], complaints: &mut Complaints) {
    for file in files {
        for (at, line) in file.text.as_deref().unwrap_or_default().lines().enumerate() {
            if let Some(word) = FORBIDDEN.iter().find(|word| line.contains(**word)) {
                let path = &file.path;
                complaints.failures.push(format!("{path}:{} names `{word}`, a path of one machine", at + 1));
            }
        }
    }
}
