//! Run-time failures as data: the kind, the location, and the call stack.

use polysmith_source::Span;
use std::fmt;
use std::sync::Arc;

/// The maximum number of calls in the trace of a failure.
pub(crate) const MAX_TRACE: usize = 8;

/// An evaluation that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The expression that failed.
    pub span: Span,
    /// The call stack, innermost first, at most eight entries: the name of each function and the span of its unfinished
    /// call. A specification's own expression has no name.
    pub trace: Vec<(Option<Arc<str>>, Span)>,
}

/// What went wrong in an evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureKind {
    /// `/` or `%` by zero.
    DivisionByZero,
    /// The first, last, greatest or similar item of an empty collection. Names the function.
    Empty(&'static str),
    /// A position outside a list or string: position and length.
    OutOfRange(i64, usize),
    /// `int` of a text that is not a decimal number.
    NotANumber(String),
    /// `(Option:get nil)`
    Nil,
    /// `(Map:at m k)` of a key that is not in the map.
    NoSuchKey(String),
    /// An argument outside the domain of a function. The text is the message.
    Argument(String),
    /// No arm of a `match` matches.
    NoArm,
    /// The evaluation exceeded [`crate::Limits::steps`].
    Steps(u64),
    /// Calls nest deeper than [`crate::Limits::depth`].
    Depth(usize),
    /// A value nests deeper than [`crate::MAX_VALUE_DEPTH`].
    ValueDepth,
    /// An integer has more bits than [`crate::MAX_INT_BITS`].
    IntSize,
    /// The surface language could not supply a value. The text is its message.
    External(String),
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::DivisionByZero => f.write_str("division by zero"),
            FailureKind::Empty(what) => write!(f, "`{what}` of an empty collection"),
            FailureKind::OutOfRange(at, len) => write!(f, "position {at} is outside 0..{len}"),
            FailureKind::NotANumber(text) => write!(f, "`{text}` is not a decimal number"),
            FailureKind::Nil => f.write_str("the value is `nil`"),
            FailureKind::NoSuchKey(key) => write!(f, "the map has no key `{key}`"),
            FailureKind::Argument(text) | FailureKind::External(text) => f.write_str(text),
            FailureKind::NoArm => f.write_str("no arm of the `match` fits the value"),
            FailureKind::Steps(limit) => {
                write!(f, "the evaluation took more than {limit} steps (limit `steps`)")
            }
            FailureKind::Depth(limit) => {
                write!(f, "calls nest more than {limit} deep (limit `depth`)")
            }
            FailureKind::ValueDepth => {
                write!(f, "a value nests more than {} levels deep", crate::MAX_VALUE_DEPTH)
            }
            FailureKind::IntSize => write!(f, "an integer has more than {} bits", crate::MAX_INT_BITS),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        for (name, _) in self.trace.iter().filter(|(name, _)| name.is_some()) {
            write!(f, ", in `{}`", name.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl From<crate::value::TooDeep> for FailureKind {
    fn from(_: crate::value::TooDeep) -> FailureKind {
        FailureKind::ValueDepth
    }
}
