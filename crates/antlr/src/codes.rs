//! The diagnostic codes of this front end: ANTLR's numbers and Polysmith's own.

use polysmith_source::{Code, Severity};

/// Groups are nested too deeply.
pub const NESTING: Code = Code::own('A', 1);
/// A token can never be matched.
pub const NEVER_MATCHES: Code = Code::own('A', 101);
/// No rule refers to a rule.
pub const UNUSED: Code = Code::own('A', 102);
/// An alternative is the same as an earlier one.
pub const SHADOWED: Code = Code::own('A', 103);
/// A rule has no finite text.
pub const ENDLESS: Code = Code::own('A', 104);
/// The start rule has no finite text.
pub const NO_TEXT: Code = Code::own('A', 105);
/// The start rule does not end with `EOF`.
pub const NO_EOF: Code = Code::own('A', 106);
/// Options without effect.
pub const SUPERFLUOUS: Code = Code::own('A', 107);
/// The grammar needs target code, which is not run.
pub const TARGET_CODE: Code = Code::own('A', 108);
/// The number in a lexer command is out of range.
pub const NUMBER: Code = Code::own('A', 109);

/// The severity of a message of ANTLR's tool.
pub(crate) fn severity(number: u16) -> Severity {
    match number {
        83 | 84 | 108 | 109 | 125 | 131 | 146 | 154 | 157 | 158 | 178 | 179 | 180 | 184 | 185 | 187 => {
            Severity::Warning
        }
        _ => Severity::Error,
    }
}
