//! Library crates turn on the clippy lint that keeps files, clock, environment and processes out of them.

use super::{Complaints, Tracked};

/// Crates that use the machine, because that is what they are for.
const USE_THE_MACHINE: &[&str] = &["run", "asker", "hunt", "cli"];

/// The methods are listed in `clippy.toml`. Tests may call them.
const ATTRIBUTE: &str = "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]";

pub(crate) fn check(files: &[Tracked], complaints: &mut Complaints) {
    for file in files {
        let name = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/src/lib.rs"));
        let Some(name) = name.filter(|name| !USE_THE_MACHINE.contains(name)) else { continue };
        let text = file.text.as_deref().unwrap_or_default();
        if !text.lines().any(|line| line == ATTRIBUTE) {
            let path = &file.path;
            complaints.failures.push(format!(
                "{path} lacks `{ATTRIBUTE}`; if `{name}` must use files, clock or processes, name it in {}",
                file!()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures(name: &str, text: &str) -> usize {
        let file = Tracked { path: format!("crates/{name}/src/lib.rs"), text: Some(text.to_owned()) };
        let mut complaints = Complaints::default();
        check(&[file], &mut complaints);
        complaints.failures.len()
    }

    #[test]
    fn library_crates_turn_the_lint_on() {
        assert_eq!(failures("grammar", "//! Grammars.\n"), 1);
        assert_eq!(failures("grammar", &format!("//! Grammars.\n{ATTRIBUTE}\n")), 0);
        assert_eq!(failures("run", "//! Processes.\n"), 0);
    }
}
