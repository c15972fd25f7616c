//! What goes wrong while checking, in words: each message has the place, what was expected, and why.

use super::{Checker, Declared};
use crate::codes;
use crate::types::{Clash, Ty};
use polysmith_source::{Code, Diagnostic, Diagnostics, Severity, Span};

/// Why a type is expected: a place, if there is one, and words for it ("`want` is declared here").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The place.
    pub span: Option<Span>,
    /// The words; for a reason without a place, something that continues "expected … ".
    pub text: String,
}

impl Why {
    /// A reason with a place.
    pub fn at(span: Span, text: impl Into<String>) -> Why {
        Why { span: Some(span), text: text.into() }
    }

    /// A reason without one.
    pub fn because(text: impl Into<String>) -> Why {
        Why { span: None, text: text.into() }
    }
}

impl Checker {
    /// Reports that a value of one type stands where another is expected.
    pub(super) fn mismatch<'o>(
        &self,
        out: &'o mut Diagnostics,
        span: Span,
        (expected, found): (Ty, Ty),
        why: &Why,
        clash: Clash,
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

    fn describe(&self, expected: Ty, found: Ty, why: &Why, clash: Clash) -> (Code, String) {
        let (want, have) = (self.show(expected), self.show(found));
        let because =
            if why.span.is_none() && !why.text.is_empty() { format!(" {}", why.text) } else { String::new() };
        match clash {
            Clash::Differ(a, b) => {
                let (a, b) = (self.show(a), self.show(b));
                let inner = (a != want && b != have) && (a != have && b != want);
                let detail = if inner { format!(" (`{a}` and `{b}` differ)") } else { String::new() };
                (codes::MISMATCH, format!("expected `{want}`{because}, found `{have}`{detail}"))
            }
            Clash::Endless => {
                (codes::ENDLESS, format!("`{want}` and `{have}` would make a type that contains itself"))
            }
            Clash::NotComparable(ty) => {
                (codes::NOT_COMPARABLE, format!("values of type `{}` cannot be compared", self.show(ty)))
            }
            Clash::NotAddable(ty) => (
                codes::NOT_ADDABLE,
                format!("`+` adds integers or joins strings, but this is `{}`", self.show(ty)),
            ),
            Clash::TooBig => (codes::TYPE_TOO_BIG, "the type of this expression is too big".to_owned()),
        }
    }

    pub(super) fn declared_of(&self, number: u32) -> &Declared {
        &self.declared[number as usize]
    }
}
