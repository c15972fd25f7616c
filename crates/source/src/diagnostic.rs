//! Diagnostics: problems of a description or an input, as plain data.
//!
//! A front end never stops at the first problem and never returns `Err` for one: it adds to a [`Diagnostics`] and
//! continues. Rendering is separate ([`crate::render`]), so tests compare data.

use crate::map::{SourceId, Span};
use std::fmt;

/// The stable name of a kind of problem.
///
/// A problem that another tool also reports has that tool's number, so that users can look it up there; all others are
/// Polysmith's own, `PS-<area><number>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A number of the original tool, shown as `antlr(56)`.
    Tool {
        /// The original tool.
        tool: &'static str,
        /// Its number for this problem.
        number: u16,
    },
    /// One of Polysmith's own, shown as `PS-A101`.
    Own {
        /// The crate that reports it, as one letter.
        area: char,
        /// Its number in that crate.
        number: u16,
    },
}

impl Code {
    /// The code of another tool.
    pub const fn tool(tool: &'static str, number: u16) -> Code {
        Code::Tool { tool, number }
    }

    /// A code of Polysmith's own.
    pub const fn own(area: char, number: u16) -> Code {
        Code::Own { area, number }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Tool { tool, number } => write!(f, "{tool}({number})"),
            Code::Own { area, number } => write!(f, "PS-{area}{number:03}"),
        }
    }
}

/// The severity of a problem. Errors make a description unusable; warnings and notes do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The description cannot be used.
    Error,
    /// It can be used, but probably not as intended.
    Warning,
    /// Additional information.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// The location of a problem. Some problems concern a whole file, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// No file.
    Nowhere,
    /// A file as a whole.
    File(SourceId),
    /// A range of text.
    Span(Span),
}

impl Location {
    /// The span, if there is one.
    pub fn span(self) -> Option<Span> {
        match self {
            Location::Span(span) => Some(span),
            _ => None,
        }
    }

    /// The file, if there is one.
    pub fn source(self) -> Option<SourceId> {
        match self {
            Location::Nowhere => None,
            Location::File(source) => Some(source),
            Location::Span(span) => Some(span.source),
        }
    }
}

impl From<Span> for Location {
    fn from(span: Span) -> Location {
        Location::Span(span)
    }
}

impl From<SourceId> for Location {
    fn from(source: SourceId) -> Location {
        Location::File(source)
    }
}

/// A second location that explains the first ("first defined here").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// A sentence in lower case, names in backticks, without a full stop.
    pub message: String,
    /// Its location.
    pub location: Location,
    /// The location to show to people, if it is not the one that the original tool reports.
    pub shown_at: Option<Span>,
    /// A short text for the location that is shown, displayed under the marks.
    pub label: Option<String>,
    /// Other locations that explain it.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// The original tool would show this only after an earlier problem has been repaired.
    pub later: bool,
}

impl Diagnostic {
    /// Creates a problem with only the required parts.
    pub fn new(
        code: Code,
        severity: Severity,
        location: impl Into<Location>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            location: location.into(),
            shown_at: None,
            label: None,
            labels: Vec::new(),
            help: None,
            later: false,
        }
    }

    /// Sets another location to show to people than the one that the original tool reports.
    pub fn shown_at(&mut self, span: Span) -> &mut Diagnostic {
        self.shown_at = Some(span);
        self
    }

    /// Sets the text for the marked location.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Diagnostic {
        self.label = Some(text.into());
        self
    }

    /// Adds a second location.
    pub fn also(&mut self, span: Span, text: impl Into<String>) -> &mut Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Sets what to do.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Diagnostic {
        self.help = Some(text.into());
        self
    }
}

/// A list of problems, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds an error.
    pub fn error(
        &mut self,
        code: Code,
        location: impl Into<Location>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, Severity::Error, location, message))
    }

    /// Adds a warning.
    pub fn warning(
        &mut self,
        code: Code,
        location: impl Into<Location>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, Severity::Warning, location, message))
    }

    /// Adds a finished diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.found.push(diagnostic);
        self.found.last_mut().expect("one was pushed just now")
    }

    /// Keeps only the problems for which `keep` returns true.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.found.retain(keep);
    }

    /// Iterates over all problems, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.found.iter()
    }

    /// Iterates over all problems mutably.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.found.iter_mut()
    }

    /// The number of problems.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether there are errors, so that the description cannot be used.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// Appends all problems of `other`.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.found.append(&mut other.found);
    }

    /// Sorts by location: problems without a span first, then by source and offset; ties keep their order.
    pub fn sort(&mut self) {
        self.found
            .sort_by_key(|d| (d.location.source(), d.location.span().map(|span| (span.start, span.end))));
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The manual page of a code, for the command `explain` and the book.
#[derive(Debug, Clone, Copy)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// What it means, in one line.
    pub title: &'static str,
    /// Why it is reported, an example that causes it, and how to fix it. Markdown.
    pub text: &'static str,
}
