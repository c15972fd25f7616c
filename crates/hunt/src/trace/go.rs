//! Panics and fatal errors of Go programs.

use std::sync::LazyLock;

use regex::Regex;

use super::{Frame, Trace};

pub(super) fn recognize(text: &str) -> Option<Trace> {
    static HEAD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^(panic|fatal error): ([^\n]*)$").ok());
    static CALL: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^(\S[^\n]*)\([^()\n]*\)\n\t([^\n]+?:\d+)").ok());
    let head = HEAD.as_ref()?.captures(text)?;
    let rest = &text[head.get(0)?.end()..];
    let stack = &rest[rest.find("goroutine ")?..];
    // The first goroutine is the one that failed; an empty line ends it.
    let stack = stack.split("\n\n").next().unwrap_or(stack);
    let frames = CALL
        .as_ref()?
        .captures_iter(stack)
        .map(|call| Frame { function: call[1].to_owned(), place: call[2].to_owned() });
    let message = head[2].trim_end_matches(" [recovered]").to_owned();
    Some(Trace { kind: head[1].to_owned(), message, frames: frames.collect(), may_be_the_tests: true })
}
