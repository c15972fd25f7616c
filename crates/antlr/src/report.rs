//! Collects the diagnostics of all stages.
//!
//! ANTLR's tool stops after a stage with errors. Polysmith continues, and marks what ANTLR's tool would not report yet.

use crate::codes;
use polysmith_source::{Code, Diagnostic, Diagnostics, Location, Severity};

/// A sink for diagnostics that tracks severities and stages.
pub(crate) struct Report<'a> {
    found: &'a mut Diagnostics,
    later: bool,
    n_errors: usize,
}

impl<'a> Report<'a> {
    pub(crate) fn new(found: &'a mut Diagnostics) -> Report<'a> {
        Report { found, later: false, n_errors: 0 }
    }

    /// Adds a message of ANTLR's tool by its number, which determines the severity.
    pub(crate) fn at(
        &mut self,
        number: u16,
        place: impl Into<Location>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Code::tool("antlr", number), codes::severity(number), place.into(), message.into())
    }

    /// Adds a warning that ANTLR's tool does not have.
    pub(crate) fn extra_warning(
        &mut self,
        code: Code,
        place: impl Into<Location>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, Severity::Warning, place.into(), message.into())
    }

    /// Adds an error that ANTLR's tool does not have.
    pub(crate) fn extra_error(
        &mut self,
        code: Code,
        place: impl Into<Location>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, Severity::Error, place.into(), message.into())
    }

    fn push(&mut self, code: Code, severity: Severity, place: Location, message: String) -> &mut Diagnostic {
        self.n_errors += usize::from(severity == Severity::Error);
        let diagnostic = self.found.push(Diagnostic::new(code, severity, place, message));
        diagnostic.later = self.later;
        diagnostic
    }

    /// Adds diagnostics that were found elsewhere.
    pub(crate) fn append(&mut self, found: Vec<Diagnostic>) {
        for diagnostic in found {
            self.n_errors += usize::from(diagnostic.severity == Severity::Error);
            self.found.push(diagnostic).later = self.later;
        }
    }

    /// The number of errors so far. Comparing two counts shows whether a stage found one.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Whether ANTLR's tool would report the current problem only after a repair.
    pub(crate) fn is_later(&self) -> bool {
        self.later
    }

    /// Sets whether ANTLR's tool would report problems from here on only after a repair.
    pub(crate) fn set_later(&mut self, later: bool) {
        self.later = later;
    }
}
