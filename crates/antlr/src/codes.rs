//! The codes of this front end: ANTLR's numbers and our own.

use polysmith_source::{Code, Severity};

/// A file cannot be read.
pub const UNREADABLE: Code = Code::own('A', 1);
/// Groups are nested too deeply.
pub const NESTING: Code = Code::own('A', 2);

/// Whether a message of ANTLR's tool is an error.
pub(crate) fn severity(number: u16) -> Severity {
    match number {
        83 | 84 | 108 | 109 | 125 | 131 | 146 | 154 | 157 | 158 | 178 | 179 | 180 | 184 | 185 | 187 => {
            Severity::Warning
        }
        _ => Severity::Error,
    }
}
