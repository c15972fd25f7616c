//! Crash reports inside the output of a target: sanitizers, assertions, panics, uncaught exceptions.
//!
//! One file per kind of report, and one line in [`RECOGNIZERS`]. A recognizer is a function from text to a [`Trace`];
//! `tests/traces` has recorded outputs with the trace that is expected of each.

mod assertion;
mod exception;
mod go;
mod rust;
mod sanitizer;

use std::fmt;

/// A recognized report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The kind of failure: `heap-use-after-free`, `panic`, `assertion`, `ValueError`.
    pub kind: String,
    /// What the report says, on one line.
    pub message: String,
    /// Functions on the stack, innermost first, without those that every stack has.
    pub frames: Vec<Frame>,
    /// Whether a program that the target runs may have caused the report by itself (uncaught exceptions).
    pub may_be_the_tests: bool,
}

/// One function on the stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its name, without arguments; empty if unknown.
    pub function: String,
    /// Where: file and line as they were printed.
    pub place: String,
}

type Recognizer = fn(&str) -> Option<Trace>;

/// The first that recognizes something wins: the most specific comes first.
const RECOGNIZERS: &[Recognizer] = &[
    sanitizer::recognize,
    rust::recognize,
    go::recognize,
    assertion::recognize,
    exception::recognize_python,
    exception::recognize_java,
    exception::recognize_javascript,
];

impl Trace {
    /// The first report in a text.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        let mut trace = RECOGNIZERS.iter().find_map(|recognize| recognize(text))?;
        trace.frames.retain(|frame| !is_ignored(&frame.function));
        Some(trace)
    }

    /// Whether the program under test, which is the file `name`, caused the report: it is on the stack.
    #[must_use]
    pub fn is_of_file(&self, name: &str) -> bool {
        self.may_be_the_tests
            && self.frames.iter().any(|frame| frame.place.contains(name) || frame.place.starts_with('<'))
    }

    /// The innermost place, without folders that differ between machines.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        self.frames.iter().map(|frame| short_place(&frame.place)).find(|place| !place.is_empty())
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kind: {}", self.kind)?;
        writeln!(f, "message: {}", self.message)?;
        for frame in &self.frames {
            writeln!(f, "frame: {} at {}", frame.function, frame.place)?;
        }
        Ok(())
    }
}

/// Functions that are on top of many stacks and say nothing about the bug.
fn is_ignored(function: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "__asan_",
        "__interceptor_",
        "___interceptor_",
        "__sanitizer",
        "__ubsan",
        "__msan_",
        "__tsan_",
        "__lsan_",
        "_start",
        "__libc_start",
        "__libc_message",
        "__GI_",
        "abort",
        "raise",
        "__assert_fail",
        "__pthread_kill",
        "gsignal",
        "malloc_printerr",
        "std::panicking::",
        "core::panicking::",
        "rust_begin_unwind",
        "std::sys::",
        "std::rt::",
        "core::ops::function::",
        "runtime.gopanic",
        "runtime.panic",
        "runtime.throw",
        "runtime.goexit",
        "panic(",
        "std::terminate",
        "__cxa_",
        "__gnu_cxx::",
        "operator new",
        "operator delete",
        "interpreter_main",
    ];
    const NAMES: &[&str] =
        &["malloc", "free", "calloc", "realloc", "memcpy", "memmove", "memset", "strlen", "strcpy", "main"];
    PREFIXES.iter().any(|prefix| function.starts_with(prefix)) || NAMES.contains(&function)
}

/// `/opt/x/registry/src/index/wkt-0.14.0/src/lib.rs:12:5` is `wkt-0.14.0/src/lib.rs:12`; other paths keep the last
/// component. The column is dropped.
fn short_place(place: &str) -> String {
    let mut pieces = place.splitn(3, ':');
    let path = pieces.next().unwrap_or_default().replace('\\', "/");
    let line = pieces.next().filter(|line| line.bytes().all(|byte| byte.is_ascii_digit()));
    let names: Vec<&str> = path.split('/').collect();
    let from = match names.iter().rposition(|name| *name == "src") {
        Some(source) => source.saturating_sub(1),
        None => names.len().saturating_sub(1),
    };
    let file = names[from..].join("/");
    match line {
        Some(line) if !file.is_empty() => format!("{}:{line}", file.trim_start_matches('/')),
        _ => file.trim_start_matches('/').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_depend_on_the_machine() {
        let cases = [
            ("/opt/.cargo/registry/src/index-1949/wkt-0.14.0/src/lib.rs:12:5", "wkt-0.14.0/src/lib.rs:12"),
            ("src/main.rs:3:1", "src/main.rs:3"),
            ("/usr/lib/python3/json/decoder.py:355", "decoder.py:355"),
            ("", ""),
        ];
        for (place, expected) in cases {
            assert_eq!(short_place(place), expected);
        }
    }
}
