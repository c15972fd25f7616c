//! Reports of AddressSanitizer, MemorySanitizer, ThreadSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer.

use std::sync::LazyLock;

use regex::Regex;

use super::{Frame, Trace};

pub(super) fn recognize(text: &str) -> Option<Trace> {
    error(text).or_else(|| undefined_behaviour(text))
}

/// `==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x…`, with the stack that follows.
fn error(text: &str) -> Option<Trace> {
    static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)(?:ERROR|WARNING): (Address|Memory|Thread|Leak|HWAddress)Sanitizer:? ([^\n]*)").ok()
    });
    let head = HEAD.as_ref()?.captures(text)?;
    let rest = &text[head.get(0)?.end()..];
    let message = head[2].trim().to_owned();
    let kind = match message.split_whitespace().next().unwrap_or_default() {
        "SEGV" => "SEGV".to_owned(),
        "detected" => "memory leak".to_owned(),
        "data" => "data race".to_owned(),
        word => word.trim_end_matches(':').to_owned(),
    };
    let mut frames = first_stack(rest);
    if kind == "stack-overflow" {
        // The stack ends somewhere in a cycle of calls; the function that is most often on it names the cycle.
        frames = most_frequent(&frames);
    }
    Some(Trace { kind, message, frames, may_be_the_tests: false })
}

/// `file.c:12:3: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'`
fn undefined_behaviour(text: &str) -> Option<Trace> {
    static LINE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^(\S+:\d+(?::\d+)?): runtime error: ([^\n]+)$").ok());
    let found = LINE.as_ref()?.captures(text)?;
    let message = found[2].to_owned();
    let kind = message.split(':').next().unwrap_or(&message).to_owned();
    let mut frames = first_stack(&text[found.get(0)?.end()..]);
    if frames.is_empty() {
        frames.push(Frame { function: String::new(), place: found[1].to_owned() });
    }
    Some(Trace { kind, message, frames, may_be_the_tests: false })
}

/// The lines `#0 0x55… in function file:line` up to the first line after them that is none.
fn first_stack(text: &str) -> Vec<Frame> {
    static FRAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^\s*#\d+ 0x[0-9a-f]+ (?:in (.+?))?(?: ?(/\S+|\(\S+\)|\S+:\d+\S*))?$").ok()
    });
    let Some(pattern) = FRAME.as_ref() else { return Vec::new() };
    let lines = text.lines().map(|line| pattern.captures(line));
    let stack = lines.skip_while(Option::is_none).map_while(|line| line);
    stack
        .map(|frame| {
            let group = |n: usize| frame.get(n).map_or("", |group| group.as_str());
            let function = group(1).split('(').next().unwrap_or_default().trim().to_owned();
            Frame { function, place: group(2).to_owned() }
        })
        .collect()
}

fn most_frequent(frames: &[Frame]) -> Vec<Frame> {
    let count = |frame: &Frame| frames.iter().filter(|other| other.function == frame.function).count();
    let best = frames.iter().map(|frame| (count(frame), &frame.function)).max();
    best.into_iter().map(|(_, function)| Frame { function: function.clone(), place: String::new() }).collect()
}
