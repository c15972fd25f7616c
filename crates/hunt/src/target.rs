//! What is tested: a command with its limits, and how its results are compared.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use polysmith_run::{Limits, shell};
use regex::Regex;
use serde::{Deserialize, Serialize};

/// What an argument contains in the place where the path of the test belongs.
pub(crate) const PLACEHOLDER: &str = "{input}";

/// How a test reaches the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feed {
    /// As a file whose path replaces [`PLACEHOLDER`].
    File,
    /// On standard input.
    Stdin,
    /// By the protocol of persistent drivers: one process for many tests.
    Persistent,
}

/// One program under test.
#[derive(Clone, Debug)]
pub struct Target {
    /// How it is called in reports and signatures.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// How a test reaches it.
    pub feed: Feed,
    /// Variables beside the inherited environment.
    pub environment: Vec<(String, String)>,
    /// The bounds of one test.
    pub limits: Limits,
    /// Extension of the file in which a test is given, without the dot.
    pub extension: String,
    /// Messages that discard a test: known limits of the target.
    pub expected: Vec<Regex>,
    /// Ordered rules that make results comparable: what matches becomes the text.
    pub rewrites: Vec<(Regex, String)>,
}

impl Target {
    /// A target with default limits. Words of the command that name files are made absolute, since tests run in a
    /// folder of their own; `folder` is where relative words start.
    #[must_use]
    pub fn new(command: &[OsString], folder: &Path) -> Self {
        let name = command.first().map(Path::new).and_then(Path::file_stem).unwrap_or(OsStr::new("target"));
        let feed = match command.iter().any(|word| contains(word, PLACEHOLDER)) {
            true => Feed::File,
            false => Feed::Stdin,
        };
        Self {
            name: name.to_string_lossy().into_owned(),
            command: command.iter().enumerate().map(|(n, word)| absolute(word, folder, n == 0)).collect(),
            feed,
            environment: Vec::new(),
            limits: Limits {
                time: DEFAULT_TIME,
                processor: None,
                processes: Some(DEFAULT_PROCESSES),
                memory: Some(1 << 30),
                file: Some(64 << 20),
                output: 1 << 20,
            },
            extension: "txt".to_owned(),
            expected: Vec::new(),
            rewrites: Vec::new(),
        }
    }

    /// The name of the file in which a test is given.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("input.{}", self.extension)
    }

    /// The arguments for a test at `path`.
    #[must_use]
    pub fn arguments(&self, path: &Path) -> Vec<OsString> {
        let words = self.command.iter().skip(1);
        words.map(|word| replace(word, PLACEHOLDER, path.as_os_str())).collect()
    }

    /// The command as a person would type it, with `path` as the test.
    #[must_use]
    pub fn command_line(&self, path: &str) -> String {
        let words = self.command.iter().map(|word| replace(word, PLACEHOLDER, OsStr::new(path)));
        let line = shell::join(words).to_string_lossy().into_owned();
        let path = shell::quote(path).to_string_lossy().into_owned();
        match self.feed {
            Feed::File => line,
            Feed::Stdin => format!("{line} < {path}"),
            Feed::Persistent => format!("{{ wc -c < {path}; cat {path}; }} | {line}"),
        }
    }

    /// A result in the form in which results are compared.
    #[must_use]
    pub fn comparable(&self, result: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(result).into_owned();
        for (rule, to) in &self.rewrites {
            text = rule.replace_all(&text, to.as_str()).into_owned();
        }
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// Whether a message is one that discards the test.
    #[must_use]
    pub fn expects(&self, message: &str) -> bool {
        self.expected.iter().any(|pattern| pattern.is_match(message))
    }
}

/// Time for one test. Most targets answer in milliseconds; a hang is confirmed with a multiple of it.
const DEFAULT_TIME: std::time::Duration = std::time::Duration::from_secs(5);

/// Processes of one test at once. Shells, compilers and virtual machines need a handful.
const DEFAULT_PROCESSES: u32 = 256;

/// A program is looked up in `PATH` unless its name has a slash; any other word is a file if one is there.
fn absolute(word: &OsStr, folder: &Path, is_program: bool) -> OsString {
    let is_looked_up = is_program && !word.as_bytes().contains(&b'/');
    let path = folder.join(word);
    match path.is_file() && !is_looked_up {
        true => std::path::absolute(&path).unwrap_or(path).into_os_string(),
        false => word.to_owned(),
    }
}

fn contains(word: &OsStr, part: &str) -> bool {
    word.as_bytes().windows(part.len()).any(|window| window == part.as_bytes())
}

fn replace(word: &OsStr, part: &str, by: &OsStr) -> OsString {
    let (mut rest, mut replaced) = (word.as_bytes(), Vec::new());
    while let Some(at) = rest.windows(part.len()).position(|window| window == part.as_bytes()) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(by.as_bytes());
        rest = &rest[at + part.len()..];
    }
    replaced.extend_from_slice(rest);
    OsStr::from_bytes(&replaced).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(words: &[&str]) -> Target {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Target::new(&words, Path::new(env!("CARGO_MANIFEST_DIR")))
    }

    #[test]
    fn words_that_name_files_are_absolute_and_programs_are_looked_up() {
        let target = target(&["python3", "src/lib.rs", "--in={input}", "{input}"]);
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
        assert_eq!(target.command[0], "python3");
        assert_eq!(target.command[1], library);
        assert_eq!(target.arguments(Path::new("/t/x"))[1..], ["--in=/t/x", "/t/x"]);
        assert_eq!((target.name.as_str(), target.feed), ("python3", Feed::File));
    }

    #[test]
    fn results_are_compared_without_blanks_at_line_ends_and_after_the_rules() {
        let mut target = target(&["x"]);
        target.rewrites.push((Regex::new("-0\\b").unwrap(), "0".to_owned()));
        assert_eq!(target.comparable(b"-0  \n1\n\n"), "0\n1");
        assert_eq!(target.command_line("it's"), r"x < 'it'\''s'");
    }
}
