//! Panics and stack overflows of Rust programs.

use std::sync::LazyLock;

use regex::Regex;

use super::{Frame, Trace};

pub(super) fn recognize(text: &str) -> Option<Trace> {
    panic(text).or_else(|| overflow(text))
}

/// Both forms: `panicked at src/lib.rs:1:2:\nmessage`, and before Rust 1.73 `panicked at 'message', src/lib.rs:1:2`.
fn panic(text: &str) -> Option<Trace> {
    static NEW: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)^thread '[^\n]*' (?:\(\d+\) )?panicked at ([^\n']+:\d+:\d+):\n([^\n]*)").ok()
    });
    static OLD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?s)thread '[^\n]*?' panicked at '(.*?)', ([^\n']+:\d+:\d+)").ok());
    let (place, message) = match NEW.as_ref()?.captures(text) {
        Some(found) => (found[1].to_owned(), found[2].to_owned()),
        None => {
            let found = OLD.as_ref()?.captures(text)?;
            (found[2].to_owned(), found[1].replace('\n', " "))
        }
    };
    let frames = vec![Frame { function: String::new(), place }];
    Some(Trace { kind: "panic".to_owned(), message, frames, may_be_the_tests: false })
}

fn overflow(text: &str) -> Option<Trace> {
    text.contains("has overflowed its stack").then(|| Trace {
        kind: "stack overflow".to_owned(),
        message: "has overflowed its stack".to_owned(),
        frames: Vec::new(),
        may_be_the_tests: false,
    })
}
