//! Why two failures are the same bug.
//!
//! A signature is a list of named texts that were normalized: addresses, paths, line numbers and other numbers that
//! change from run to run are gone ([`normalize`]). Two failures with equal lists are one finding. The list is kept, so that a
//! person can read why; the key is a hash of it. A later version of this program may compute other lists: it raises
//! [`VERSION`] and can compute the keys of old findings again from their cases.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Raised whenever equal failures may get another key than before.
pub(crate) const VERSION: u32 = 1;

/// Frames of a stack that are part of a signature. More would tell apart what one bug reaches in two ways.
pub(crate) const MAX_FRAMES: usize = 3;

/// Characters of one text of a signature; longer messages are cut after normalization.
const MAX_TEXT: usize = 200;

/// The name of the part that has features of the reduced test.
pub(crate) const TEST: &str = "test";

/// Named texts that identify a bug.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    parts: Vec<(String, String)>,
}

impl Signature {
    /// The signature of a failure that an oracle saw in a target (or in several, separated by `+`).
    #[must_use]
    pub fn new(oracle: &str, target: &str) -> Self {
        Self::default().with("oracle", oracle).with("target", target)
    }

    /// Adds a text as it is.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        self.parts.push((name.to_owned(), text.chars().take(MAX_TEXT).collect()));
        self
    }

    /// Adds a text without what changes from run to run.
    #[must_use]
    pub fn with_normalized(self, name: &str, text: &str) -> Self {
        self.with(name, &normalize(text))
    }

    /// The names and texts, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The text of a name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&str> {
        self.parts().find(|(other, _)| *other == name).map(|(_, text)| text)
    }

    /// Equal for equal signatures of this version: 16 hexadecimal digits.
    #[must_use]
    pub fn key(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&VERSION.to_le_bytes());
        for (name, text) in self.parts() {
            for piece in [name, text] {
                hasher.update(&(piece.len() as u64).to_le_bytes()).update(piece.as_bytes());
            }
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// The key without the features of the reduced test: what a run of the test alone can tell.
    #[must_use]
    pub fn coarse_key(&self) -> String {
        let parts = self.parts.iter().filter(|(name, _)| name != TEST).cloned().collect();
        Self { parts }.key()
    }

    /// One line for lists: everything after oracle and target.
    #[must_use]
    pub fn title(&self) -> String {
        let rest: Vec<&str> = self
            .parts()
            .filter(|(name, text)| !matches!(*name, "oracle" | "target") && !text.is_empty())
            .map(|(_, text)| text)
            .collect();
        rest.join(" · ")
    }
}

/// A message without the words that it quotes from the test: `expected AS, found Z` for a test that contains `Z`.
#[must_use]
pub(crate) fn without_quotes(message: &str, test: &[u8]) -> String {
    let test = String::from_utf8_lossy(test).to_lowercase();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: FxHashSet<&str> = test.split(|c| !is_part(c)).collect();
    let mut shown = String::with_capacity(message.len());
    let mut word = String::new();
    for c in message.chars().chain(['\n']) {
        if is_part(c) {
            word.push(c);
            continue;
        }
        let is_quoted = !word.is_empty() && words.contains(word.to_lowercase().as_str());
        shown.push_str(if is_quoted { "…" } else { &word });
        word.clear();
        shown.push(c);
    }
    shown.pop();
    shown
}

/// Replaces what changes from run to run or from machine to machine: addresses, paths, times, numbers.
#[must_use]
pub(crate) fn normalize(text: &str) -> String {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let rules = [
            (r"\x1b\[[0-9;]*[A-Za-z]", ""),
            (r"0[xX][0-9a-fA-F]+", "0x…"),
            // A path keeps its last component: `/tmp/x1/parse.c` is `parse.c`.
            (r"(?:[A-Za-z]:)?(?:\.{0,2}[/\\])?(?:[\w.@+~-]+[/\\])+([\w.@+~-]+)", "$1"),
            (r"(\.[A-Za-z]{1,5}):\d+(?::\d+)?", "$1:…"),
            (r"\b[0-9a-f]{12,}\b", "…"),
            (r"\d+(?:\.\d+)?", "0"),
            (r"\s+", " "),
        ];
        rules.into_iter().filter_map(|(rule, to)| Some((Regex::new(rule).ok()?, to))).collect()
    });
    let mut text = text.trim().to_owned();
    for (rule, to) in RULES.iter() {
        text = rule.replace_all(&text, *to).into_owned();
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_run_to_run_is_gone() {
        let cases = [
            ("SEGV on unknown address 0x7ffc12aa (pc 0x55)", "SEGV on unknown address 0x… (pc 0x…)"),
            ("/tmp/polysmith-a1/7/input.c:12:3: error", "input.c:… : error"),
            ("thread 'main' panicked at src/lib.rs:10:5:", "thread 'main' panicked at lib.rs:…:"),
            ("expected 17 tokens,\n  got 3.5", "expected 0 tokens, got 0"),
            ("\x1b[31mred\x1b[0m", "red"),
        ];
        for (text, expected) in cases {
            assert_eq!(normalize(text).replace("… :", "…:"), expected.replace("… :", "…:"), "{text}");
        }
    }

    #[test]
    fn words_of_the_test_are_not_part_of_a_message() {
        let shown = without_quotes("Expected: AS, found: Zed_1 (near zed)", b"attach zed_1");
        assert_eq!(shown, "Expected: AS, found: … (near zed)");
    }

    #[test]
    fn equal_parts_have_equal_keys_and_borders_between_parts_count() {
        let signature = Signature::new("crash", "lua").with("kind", "SIGSEGV");
        assert_eq!(signature.key(), signature.clone().key());
        assert_ne!(Signature::new("ab", "c").key(), Signature::new("a", "bc").key());
        assert_eq!(signature.title(), "SIGSEGV");
    }
}
