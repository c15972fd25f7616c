//! What a user can ask for, and what is wrong with it.

use crate::lexical::charset::Charset;
use crate::lexical::writer::Style;
use polysmith_grammar::{AltId, BlockId, RuleId, TokenType};
use std::collections::BTreeMap;

/// How to generate. The default is a good start for every grammar.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where to begin; else the grammar's start rule. A token rule gives texts of that token.
    pub start: Option<RuleId>,
    /// Nested rule calls, at most; else chosen so that every alternative can occur.
    pub max_depth: Option<u32>,
    /// Tokens, at most; else [`Options::DEFAULT_TOKENS`], or more if the language needs more.
    pub max_tokens: Option<u32>,
    /// Tokens, at least.
    pub min_tokens: u32,
    /// Which characters are drawn.
    pub charset: Charset,
    /// The layout.
    pub style: Style,
    /// A text to stand between all tokens where it can.
    pub separator: Option<String>,
    /// Tokens stand one behind the other as they come, so that many texts read back otherwise: for measuring what the
    /// care for borders costs.
    pub ignore_borders: bool,
    /// Factors for alternatives; 0 closes one.
    pub weights: BTreeMap<AltId, f64>,
    /// The chance of one more iteration of a group.
    pub repetitions: BTreeMap<BlockId, f64>,
    /// A rule that every test must contain.
    pub require: Option<RuleId>,
    /// Rules that no test may contain.
    pub without: Vec<RuleId>,
    /// Alternatives that no test may contain.
    pub without_alternatives: Vec<AltId>,
    /// What was chosen lately is chosen less: the factor of each choice.
    pub cooldown: Option<f64>,
    /// Texts of tokens, mixed in; the only ones for tokens that no token rule makes.
    pub dictionary: BTreeMap<TokenType, Vec<String>>,
}

impl Options {
    /// The usual size limit.
    pub const DEFAULT_TOKENS: u32 = 200;
}

/// Why no test can be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The grammar has no parser rule to begin with.
    #[error("the grammar has no parser rule; name a token rule to begin with")]
    NoStart,
    /// Fragments are no tokens.
    #[error("`{0}` is a fragment: only parser rules and token rules can be generated from")]
    Fragment(String),
    /// Every way through the start rule is without end.
    #[error("`{rule}` has no finite text: {why}")]
    Infinite {
        /// The start rule.
        rule: String,
        /// What stands in the way.
        why: String,
    },
    /// The depth limit is too small.
    #[error("max-depth {given} is too small: the smallest that works is {least}")]
    Depth {
        /// The limit.
        given: u32,
        /// The least that works.
        least: u32,
    },
    /// The token limit is too small, with this depth.
    #[error("max-tokens {given} is too small: the smallest that works with max-depth {depth} is {least}")]
    Tokens {
        /// The limit.
        given: u32,
        /// The depth limit beside it.
        depth: u32,
        /// The least that works.
        least: u32,
    },
    /// The minimum is above what the language has.
    #[error("min-tokens {given} is too large: {why}")]
    TooMany {
        /// The minimum.
        given: u32,
        /// The reason.
        why: String,
    },
    /// The required rule cannot occur.
    #[error("no text of `{start}` within the limits contains `{rule}`{hint}")]
    Unreachable {
        /// The start rule.
        start: String,
        /// The required rule.
        rule: String,
        /// How to get there.
        hint: String,
    },
    /// The parser refuses the grammar.
    #[error("{0}")]
    Grammar(String),
}

impl SetupError {
    /// Whether a different option would help (else the grammar is at fault).
    pub fn is_wrong_use(&self) -> bool {
        !matches!(self, SetupError::Infinite { .. } | SetupError::Grammar(_))
    }
}
