//! Type errors as diagnostics: each has a location, the expected type, and the reason for the expectation.

use super::{Checker, Declared};
use crate::codes;
use crate::types::{Ty, UnifyError};
use polysmith_source::{Code, Diagnostic, Diagnostics, Severity, Span};

/// TypeReason a type is expected: a location, if there is one, and a text ("`want` is declared here").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeReason {
    /// The location.
    pub span: Option<Span>,
    /// The label of the location; for a reason without one, the text that continues "expected `T` ".
    pub text: String,
}

impl TypeReason {
    /// Creates a reason with a location.
    pub fn at(span: Span, text: impl Into<String>) -> TypeReason {
        TypeReason { span: Some(span), text: text.into() }
    }

    /// Creates a reason without a location.
    pub fn because(text: impl Into<String>) -> TypeReason {
        TypeReason { span: None, text: text.into() }
    }
}

impl Checker {
    /// Reports that an expression has another type than expected.
    pub(super) fn mismatch<'o>(
        &self,
        out: &'o mut Diagnostics,
        span: Span,
        (expected, found): (Ty, Ty),
        why: &TypeReason,
        clash: UnifyError,
    ) -> &'o mut Diagnostic {
        let (code, message) = self.describe(expected, found, why, clash);
        let mut diagnostic = Diagnostic::new(code, Severity::Error, span, message);
        diagnostic.label(format!("this is `{}`", self.show(found)));
        if let Some(at) = why.span {
            diagnostic.also(at, &*why.text);
        }
        if self.types.option_of(found).is_some() && self.types.option_of(expected).is_none() {
            diagnostic.help(
                "the value may be `nil`: `match` it, or give a default with `(Option:or value default)`",
            );
        }
        out.push(diagnostic)
    }

    fn describe(&self, expected: Ty, found: Ty, why: &TypeReason, clash: UnifyError) -> (Code, String) {
        let (want, have) = (self.show(expected), self.show(found));
        let because =
            if why.span.is_none() && !why.text.is_empty() { format!(" {}", why.text) } else { String::new() };
        match clash {
            UnifyError::Differ(a, b) => {
                let (a, b) = (self.show(a), self.show(b));
                let inner = (a != want && b != have) && (a != have && b != want);
                let detail = if inner { format!(" (`{a}` and `{b}` differ)") } else { String::new() };
                (codes::MISMATCH, format!("expected `{want}`{because}, found `{have}`{detail}"))
            }
            UnifyError::Endless => {
                (codes::ENDLESS, format!("`{want}` and `{have}` would make a type that contains itself"))
            }
            UnifyError::NotComparable(ty) => {
                (codes::NOT_COMPARABLE, format!("values of type `{}` cannot be compared", self.show(ty)))
            }
            UnifyError::NotAddable(ty) => (
                codes::NOT_ADDABLE,
                format!("`+` adds integers or joins strings, but this is `{}`", self.show(ty)),
            ),
            UnifyError::TooBig => (codes::TYPE_TOO_BIG, "the type of this expression is too big".to_owned()),
        }
    }

    pub(super) fn declared_of(&self, number: u32) -> &Declared {
        &self.declared[number as usize]
    }
}
