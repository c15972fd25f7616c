//! Code of a target language inside a grammar: actions and predicates.
//!
//! Polysmith runs none of it. It keeps the text, because a predicate that is a constant or a number has a
//! meaning in every language, and because even an ignored action changes what ANTLR predicts.

/// An action or a predicate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code {
    /// The text between the braces, as written.
    pub text: String,
    /// Which of the two it is.
    pub kind: CodeKind,
}

/// What stands in the braces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CodeKind {
    /// `{…}`: does nothing.
    Action,
    /// `{…}?`.
    Predicate {
        /// What it says.
        meaning: Meaning,
        /// It reads arguments or locals of its rule (`$x`), so prediction sees it only inside that rule.
        reads_context: bool,
        /// The message of `<fail='…'>`.
        fail: Option<String>,
    },
}

/// What a predicate says without running it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// `{true}?` or `{false}?`: obeyed.
    Constant(bool),
    /// A number: a weight for generation, true for parsing. The number is the code's text.
    Weight,
    /// Anything else: true.
    Unknown,
}

impl Code {
    /// A predicate that is false in every language.
    pub fn is_never(&self) -> bool {
        matches!(self.kind, CodeKind::Predicate { meaning: Meaning::Constant(false), .. })
    }

    /// The weight that a numeric predicate gives.
    pub fn weight(&self) -> Option<f64> {
        match self.kind {
            CodeKind::Predicate { meaning: Meaning::Weight, .. } => self.text.trim().parse().ok(),
            _ => None,
        }
    }
}
