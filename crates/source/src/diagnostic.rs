//! What is wrong with a description or an input, as plain data.
//!
//! A front end never stops at the first problem and never returns `Err` for one: it adds to a
//! [`Diagnostics`] and goes on. Rendering is elsewhere ([`crate::render`]), so tests compare data.

use crate::map::{SourceId, Span};
use std::fmt;

/// The stable name of a kind of problem.
///
/// A problem that another tool also knows carries that tool's number, so that users can look it up there;
/// the rest are ours, `PS-<area><number>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A number of the original tool, shown as `antlr(56)`.
    Tool {
        /// The original tool.
        tool: &'static str,
        /// Its number for this problem.
        number: u16,
    },
    /// One of our own, shown as `PS-A101`.
    Own {
        /// The room it belongs to, one letter.
        area: char,
        /// Its number there.
        number: u16,
    },
}

impl Code {
    /// The code of another tool.
    pub const fn tool(tool: &'static str, number: u16) -> Code {
        Code::Tool { tool, number }
    }

    /// A code of ours.
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

/// How bad it is. Errors make a description unusable; warnings and notes do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The description cannot be used.
    Error,
    /// It can be used, but probably not as meant.
    Warning,
    /// Something to know.
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

/// Where it is: some problems belong to a file as a whole, or to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// No file at all.
    Nowhere,
    /// A file, no particular place in it.
    File(SourceId),
    /// A range of text.
    Span(Span),
}

impl Place {
    /// The span, where there is one.
    pub fn span(self) -> Option<Span> {
        match self {
            Place::Span(span) => Some(span),
            _ => None,
        }
    }

    /// The file, where there is one.
    pub fn source(self) -> Option<SourceId> {
        match self {
            Place::Nowhere => None,
            Place::File(source) => Some(source),
            Place::Span(span) => Some(span.source),
        }
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place::Span(span)
    }
}

impl From<SourceId> for Place {
    fn from(source: SourceId) -> Place {
        Place::File(source)
    }
}

/// A second place that explains the first ("first defined here").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence in lower case, names in backticks, without a full stop.
    pub message: String,
    /// Where it is.
    pub place: Place,
    /// Where people look, if that is not the place that the original tool reports.
    pub shown_at: Option<Span>,
    /// What is at the place that is shown, in a few words; shown under the marks.
    pub label: Option<String>,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// The original tool would show this only after an earlier problem has been repaired.
    pub later: bool,
}

impl Diagnostic {
    /// A problem with nothing but the needed parts.
    pub fn new(
        code: Code,
        severity: Severity,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            place: place.into(),
            shown_at: None,
            label: None,
            labels: Vec::new(),
            help: None,
            later: false,
        }
    }

    /// Shows people another place than the one that the original tool reports.
    pub fn shown_at(&mut self, span: Span) -> &mut Diagnostic {
        self.shown_at = Some(span);
        self
    }

    /// Says what is at the marked place.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Diagnostic {
        self.label = Some(text.into());
        self
    }

    /// Adds a second place.
    pub fn also(&mut self, span: Span, text: impl Into<String>) -> &mut Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Diagnostic {
        self.help = Some(text.into());
        self
    }
}

/// All problems found so far, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds an error.
    pub fn error(
        &mut self,
        code: Code,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, Severity::Error, place, message))
    }

    /// Adds a warning.
    pub fn warning(
        &mut self,
        code: Code,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, Severity::Warning, place, message))
    }

    /// Adds a finished diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.found.push(diagnostic);
        self.found.last_mut().expect("one was pushed just now")
    }

    /// All of them, as found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.found.iter()
    }

    /// All of them, for changes.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.found.iter_mut()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether the description cannot be used.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// Moves all of `other` behind these.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.found.append(&mut other.found);
    }

    /// Sorted by place: what belongs to no span first, then by source and offset; ties as found.
    pub fn sort(&mut self) {
        self.found.sort_by_key(|d| (d.place.source(), d.place.span().map(|span| (span.start, span.end))));
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The manual page of a code, for `polysmith explain` and the book.
#[derive(Debug, Clone, Copy)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// What it means, in a line.
    pub title: &'static str,
    /// Why it is reported, an example that causes it, and the way out. Markdown.
    pub text: &'static str,
}
