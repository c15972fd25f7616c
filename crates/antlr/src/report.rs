//! Where the stages put what they find.
//!
//! ANTLR's tool stops after a stage with errors. We go on, and mark what it would not have said yet.

use crate::codes;
use polysmith_source::{Code, Diagnostic, Diagnostics, Place, Severity};

/// A sink for diagnostics that knows severities and stages.
pub(crate) struct Report<'a> {
    found: &'a mut Diagnostics,
    later: bool,
    n_errors: usize,
}

impl<'a> Report<'a> {
    pub(crate) fn new(found: &'a mut Diagnostics) -> Report<'a> {
        Report { found, later: false, n_errors: 0 }
    }

    /// A message of ANTLR's tool, by its number; the table knows the severity.
    pub(crate) fn at(
        &mut self,
        number: u16,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Code::tool("antlr", number), codes::severity(number), place.into(), message.into())
    }

    /// A warning of our own.
    pub(crate) fn own(
        &mut self,
        code: Code,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, Severity::Warning, place.into(), message.into())
    }

    /// An error of our own.
    pub(crate) fn own_error(
        &mut self,
        code: Code,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, Severity::Error, place.into(), message.into())
    }

    fn push(&mut self, code: Code, severity: Severity, place: Place, message: String) -> &mut Diagnostic {
        self.n_errors += usize::from(severity == Severity::Error);
        let diagnostic = self.found.push(Diagnostic::new(code, severity, place, message));
        diagnostic.later = self.later;
        diagnostic
    }

    /// Takes over what was found elsewhere.
    pub(crate) fn append(&mut self, found: Vec<Diagnostic>) {
        for diagnostic in found {
            self.n_errors += usize::from(diagnostic.severity == Severity::Error);
            self.found.push(diagnostic).later = self.later;
        }
    }

    /// How many errors were reported so far; compare two counts to see whether a stage found one.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Whether what is reported now would come only after a repair.
    pub(crate) fn is_later(&self) -> bool {
        self.later
    }

    /// Says that from here on ANTLR's tool is silent (or, for another part of the grammar, is not).
    pub(crate) fn set_later(&mut self, later: bool) {
        self.later = later;
    }
}
