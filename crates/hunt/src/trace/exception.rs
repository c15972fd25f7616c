//! Uncaught exceptions of Python, Java and JavaScript programs.
//!
//! Where the test itself is a program in the language, such a report may be the test's own: see
//! [`Trace::is_of_file`].

use std::sync::LazyLock;

use regex::Regex;

use super::{Frame, Trace};

/// The last traceback of a text; its frames are printed outermost first.
pub(super) fn recognize_python(text: &str) -> Option<Trace> {
    static FRAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?m)^  File "([^"\n]+)", line (\d+)(?:, in ([^\n]+))?"#).ok());
    static END: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^([A-Za-z_][\w.]*)(?:: ([^\n]*))?$").ok());
    let trace = &text[text.rfind("Traceback (most recent call last):")?..];
    let (_, trace) = trace.split_once('\n')?;
    let mut frames: Vec<Frame> = FRAME
        .as_ref()?
        .captures_iter(trace)
        .map(|frame| Frame {
            function: frame.get(3).map_or(String::new(), |name| name.as_str().to_owned()),
            place: format!("{}:{}", &frame[1], &frame[2]),
        })
        .collect();
    frames.reverse();
    let end = END.as_ref()?.captures(trace)?;
    let message = end.get(2).map_or(String::new(), |message| message.as_str().to_owned());
    Some(Trace { kind: end[1].to_owned(), message, frames, may_be_the_tests: true })
}

pub(super) fn recognize_java(text: &str) -> Option<Trace> {
    static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?m)^(?:Exception in thread "[^"\n]*" |Caused by: )([\w.$]+)(?:: ([^\n]*))?$"#).ok()
    });
    static FRAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^\s+at ([\w.$<>/@]+)\(([^)\n]*)\)").ok());
    // The innermost cause is printed last.
    let head = HEAD.as_ref()?.captures_iter(text).last()?;
    let lines = text[head.get(0)?.end()..].lines().skip(1);
    let frames = lines
        .map_while(|line| FRAME.as_ref()?.captures(line))
        .map(|frame| Frame { function: frame[1].to_owned(), place: frame[2].to_owned() });
    let message = head.get(2).map_or(String::new(), |message| message.as_str().to_owned());
    let overflows = head[1].ends_with("StackOverflowError");
    // The depth at which the stack ends is chance.
    let frames = if overflows { Vec::new() } else { frames.collect() };
    Some(Trace { kind: head[1].to_owned(), message, frames, may_be_the_tests: true })
}

/// `TypeError: message` with lines `    at function (file:line:column)` after it.
pub(super) fn recognize_javascript(text: &str) -> Option<Trace> {
    static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)^(?:Uncaught )?(\w*(?:Error|Exception))(?: \[\w+\])?(?:: ([^\n]*))?\n    at ").ok()
    });
    static FRAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^    at (?:async )?(?:(.+?) \()?([^()\n]+?)(?::\d+)?\)?$").ok());
    let head = HEAD.as_ref()?.captures(text)?;
    let at = head.get(0)?.end() - "    at ".len();
    let frames = text[at..].lines().map_while(|line| FRAME.as_ref()?.captures(line)).map(|frame| Frame {
        function: frame.get(1).map_or(String::new(), |name| name.as_str().to_owned()),
        place: frame[2].to_owned(),
    });
    let message = head.get(2).map_or(String::new(), |message| message.as_str().to_owned());
    let overflows = message.contains("Maximum call stack size");
    let frames = if overflows { Vec::new() } else { frames.collect() };
    Some(Trace { kind: head[1].to_owned(), message, frames, may_be_the_tests: true })
}
