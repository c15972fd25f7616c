//! Messages about a grammar in a form that can be compared: ours and those of ANTLR's tool.
//!
//! Compared are severity, code, line and column. Our own codes and what the tool would say only after a repair
//! are left out; of several syntax errors in a file only the first counts, because the rest depends on how a
//! reader recovers.

use polysmith_antlr::Read;
use polysmith_source::{Code, Diagnostic, Location};
use serde_json::Value;
use std::fmt;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Message {
    pub(crate) code: u16,
    /// -1 where there is no place.
    pub(crate) line: i64,
    pub(crate) column: i64,
    pub(crate) severity: String,
    pub(crate) file: String,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})@{}:{}:{}", self.severity, self.code, self.file, self.line, self.column)
    }
}

/// What ANTLR's tool would say according to us, in its order.
pub(crate) fn ours(read: &Read) -> Vec<Message> {
    read.diagnostics
        .iter()
        .filter(|found| !found.later)
        .filter_map(|found| our_message(read, found))
        .collect()
}

fn our_message(read: &Read, found: &Diagnostic) -> Option<Message> {
    let Code::Tool { number, .. } = found.code else { return None };
    let (line, column) = match found.location {
        Location::Span(span) => {
            let place = read.sources.line_col(span);
            (i64::from(place.line), i64::from(place.column))
        }
        _ => (-1, -1),
    };
    let file = found.location.source().map(|source| read.sources.get(source).name().to_owned());
    let file = file.and_then(|file| Some(file.rsplit('/').next()?.to_owned())).unwrap_or_default();
    Some(Message { code: number, line, column, severity: found.severity.to_string(), file })
}

/// The oracle's `msgs`.
pub(crate) fn of_oracle(answer: &Value) -> Vec<Message> {
    let messages = answer["msgs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let message = |m: &Value| message(&m["sev"], &m["code"], &m["file"], &m["line"], &m["col"]);
    messages.iter().filter_map(message).filter(Message::counts).collect()
}

/// The `tool` field of a case: `[severity, code, file, line, column, text]`.
pub(crate) fn of_case(case: &Value) -> Vec<Message> {
    let messages = case["tool"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages
        .iter()
        .filter_map(|m| message(&m[0], &m[1], &m[2], &m[3], &m[4]))
        .filter(Message::counts)
        .collect()
}

fn message(severity: &Value, code: &Value, file: &Value, line: &Value, column: &Value) -> Option<Message> {
    let (line, column) = (line.as_i64()?, column.as_i64()?);
    let (line, column) = if line > 0 { (line, column) } else { (-1, -1) };
    let code = u16::try_from(code.as_i64()?).ok()?;
    Some(Message { code, line, column, severity: severity.as_str()?.into(), file: file.as_str()?.into() })
}

impl Message {
    /// The tool checks the text of rewritten rules again, and then repeats some warnings without a file.
    fn counts(&self) -> bool {
        !(self.file.is_empty() && matches!(self.code, 83 | 84 | 157))
    }
}

/// What differs between two lists, in any order; `None` if nothing does.
pub(crate) fn difference(got: Vec<Message>, wanted: Vec<Message>) -> Option<String> {
    let (got, wanted) = (comparable(got), comparable(wanted));
    if got.iter().map(key).eq(wanted.iter().map(key)) {
        return None;
    }
    let listed =
        |messages: &[Message]| messages.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    Some(format!("we say {}\nANTLR says {}", listed(&got), listed(&wanted)))
}

/// The file is left out: the tool names the importing file for some messages about imported rules.
fn key(message: &Message) -> (u16, i64, i64, &str) {
    (message.code, message.line, message.column, &message.severity)
}

fn comparable(messages: Vec<Message>) -> Vec<Message> {
    let mut seen: Vec<String> = Vec::new();
    let mut kept: Vec<Message> = messages
        .into_iter()
        .filter(|message| {
            let repeated = message.code == 50 && seen.contains(&message.file);
            if message.code == 50 {
                seen.push(message.file.clone());
            }
            !repeated
        })
        .collect();
    kept.sort();
    kept
}
