//! Failed assertions and internal errors of C, C++ and other compiled programs, and messages of the C library.

use std::sync::LazyLock;

use regex::Regex;

use super::{Frame, Trace};

/// Patterns with the named groups `message`, `function` and `place`, each optional.
const PATTERNS: &[(&str, &str)] = &[
    // glibc: `prog: file.c:12: function: Assertion `x > 0' failed.`
    (
        "assertion",
        r"(?m)(?P<place>[^\s:]+:\d+): (?:(?P<function>[^\n]+?): )?Assertion [`'](?P<message>[^\n]*?)' failed",
    ),
    // macOS, musl: `Assertion failed: x > 0 (file.c: function: 12)`
    (
        "assertion",
        r"(?m)Assertion failed: (?P<message>[^\n]+?) \((?P<place>[^\s:()]+): (?P<function>[^:\n]+): \d+\)",
    ),
    ("assertion", r"(?m)^Assertion failed: (?P<message>[^\n]+)"),
    ("assertion", r"(?m)ASSERTION VIOLATION\s+File: (?P<place>[^\n]+)\s+Line: \d+\s+(?P<message>[^\n]+)"),
    ("internal error", r"(?m)internal compiler error: (?P<message>[^\n]+)"),
    ("internal error", r"(?m)^LLVM ERROR: (?P<message>[^\n]+)"),
    ("internal error", r"(?mi)\binternal (?:error|exception)(?:: ?|\) ?)(?P<message>[^\n]+)"),
    ("internal error", r"(?mi)^(?P<message>[^\n]*this (?:is|indicates) a bug[^\n]*)"),
    (
        "uncaught exception",
        r"terminate called after throwing an instance of '(?P<function>[^']+)'(?:\s+what\(\):\s+(?P<message>[^\n]*))?",
    ),
    ("uncaught exception", r"(?m)^Fatal error: exception (?P<message>[^\n]+)"),
    (
        "memory corruption",
        r"(?m)^(?:\*\*\* )?(?P<message>(?:double free or corruption|free\(\): |malloc\(\): |realloc\(\): |corrupted |munmap_chunk\(\): |stack smashing detected|buffer overflow detected)[^\n]*)",
    ),
];

pub(super) fn recognize(text: &str) -> Option<Trace> {
    static COMPILED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
        PATTERNS.iter().filter_map(|(kind, pattern)| Some((*kind, Regex::new(pattern).ok()?))).collect()
    });
    COMPILED.iter().find_map(|(kind, pattern)| {
        let found = pattern.captures(text)?;
        let group = |name: &str| found.name(name).map_or("", |group| group.as_str().trim());
        let frame = Frame { function: group("function").to_owned(), place: group("place").to_owned() };
        let frames = if frame == Frame::default() { Vec::new() } else { vec![frame] };
        Some(Trace {
            kind: (*kind).to_owned(),
            message: group("message").to_owned(),
            frames,
            may_be_the_tests: false,
        })
    })
}
