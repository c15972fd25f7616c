//! What can go wrong at run time, as data: the reason, the place, and the calls that led there.

use polysmith_source::Span;
use std::fmt;
use std::sync::Arc;

/// How many calls a failure remembers.
pub(crate) const MAX_TRACE: usize = 8;

/// An evaluation that gave no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub reason: Reason,
    /// The expression that failed.
    pub span: Span,
    /// The functions that were being evaluated, innermost first, each with the place of the call in it that had not
    /// ended. At most eight. The expression itself has no name.
    pub trace: Vec<(Option<Arc<str>>, Span)>,
}

/// Why an evaluation gave no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// `/` or `%` by zero.
    DivisionByZero,
    /// The first, last, greatest… of nothing. Names the function.
    Empty(&'static str),
    /// A position outside a list or string: position and length.
    OutOfRange(i64, usize),
    /// `int` of a text that is no decimal number.
    NotANumber(String),
    /// `(Option:get nil)`.
    Nil,
    /// `(Map:at m k)` of a key that the map does not have.
    NoSuchKey(String),
    /// An argument that makes no sense, in words.
    Argument(String),
    /// No arm of a `match` fits.
    NoArm,
    /// More than [`crate::Limits::steps`].
    Steps(u64),
    /// More than [`crate::Limits::depth`] calls in each other.
    Depth(usize),
    /// A value nests deeper than [`crate::MAX_VALUE_DEPTH`].
    ValueDepth,
    /// An integer of more bits than [`crate::MAX_INT_BITS`].
    IntSize,
    /// The surface language could not supply a value, in its own words.
    External(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::DivisionByZero => f.write_str("division by zero"),
            Reason::Empty(what) => write!(f, "`{what}` of an empty collection"),
            Reason::OutOfRange(at, len) => write!(f, "position {at} is outside 0..{len}"),
            Reason::NotANumber(text) => write!(f, "`{text}` is not a decimal number"),
            Reason::Nil => f.write_str("the value is `nil`"),
            Reason::NoSuchKey(key) => write!(f, "the map has no key `{key}`"),
            Reason::Argument(text) | Reason::External(text) => f.write_str(text),
            Reason::NoArm => f.write_str("no arm of the `match` fits the value"),
            Reason::Steps(limit) => {
                write!(f, "the evaluation took more than {limit} steps (limit `steps`)")
            }
            Reason::Depth(limit) => {
                write!(f, "calls nest more than {limit} deep (limit `depth`)")
            }
            Reason::ValueDepth => {
                write!(f, "a value nests more than {} levels deep", crate::MAX_VALUE_DEPTH)
            }
            Reason::IntSize => write!(f, "an integer has more than {} bits", crate::MAX_INT_BITS),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)?;
        for (name, _) in self.trace.iter().filter(|(name, _)| name.is_some()) {
            write!(f, ", in `{}`", name.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl From<crate::value::TooDeep> for Reason {
    fn from(_: crate::value::TooDeep) -> Reason {
        Reason::ValueDepth
    }
}
