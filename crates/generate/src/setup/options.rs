//! What a user can ask for.

use crate::lexical::charset::Charset;
use crate::lexical::writer::Style;
use polysmith_grammar::{AltId, BlockId, RuleId, TokenType};
use std::collections::BTreeMap;

/// How to generate. The default is a good start for every grammar.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The rule to begin with; else the grammar's start rule. A token rule gives texts of that token.
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
    /// A text to write between all tokens where the lexer skips it.
    pub separator: Option<String>,
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
    /// The factor by which each choice makes its alternative rarer for some time.
    pub cooldown: Option<f64>,
    /// Additional texts of tokens; the only ones for tokens that no token rule makes.
    pub dictionary: BTreeMap<TokenType, Vec<String>>,
}

impl Options {
    /// The usual size limit.
    pub const DEFAULT_TOKENS: u32 = 200;
}
