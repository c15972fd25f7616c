//! Why something cannot be generated: one error type for each thing that can be asked for.

use polysmith_parse::CompileError;

/// Why no test can be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The grammar has no parser rule to begin with.
    #[error("the grammar has no parser rule; name a token rule to begin with")]
    NoStart,
    /// Fragments are no tokens.
    #[error("`{0}` is a fragment: only parser rules and token rules can be generated from")]
    Fragment(String),
    /// The start rule derives no finite text.
    #[error("`{rule}` has no finite text: {cause}")]
    Infinite {
        /// The start rule.
        rule: String,
        /// Why it derives none.
        cause: InfiniteCause,
    },
    /// The depth limit is too small.
    #[error("max-depth {given} is too small: the smallest that works is {least}")]
    Depth {
        /// The limit.
        given: u32,
        /// The least that works.
        least: u32,
    },
    /// The token limit is too small for this depth.
    #[error("max-tokens {given} is too small: the smallest that works with max-depth {depth} is {least}")]
    Tokens {
        /// The limit.
        given: u32,
        /// The depth limit.
        depth: u32,
        /// The least that works.
        least: u32,
    },
    /// The least number of tokens is above the token limit.
    #[error("min-tokens {given} is too large: max-tokens is {limit}")]
    MinAboveLimit {
        /// The minimum.
        given: u32,
        /// The token limit.
        limit: u32,
    },
    /// The least number of tokens is above what any text has.
    #[error("min-tokens {given} is too large: the longest text has {longest} tokens")]
    MinAboveLongest {
        /// The minimum.
        given: u32,
        /// Tokens of the longest text.
        longest: u32,
    },
    /// The required rule cannot occur, at any depth.
    #[error("no text of `{start}` within the limits contains `{rule}`")]
    Unreachable {
        /// The start rule.
        start: String,
        /// The required rule.
        rule: String,
    },
    /// The required rule cannot occur within the depth limit.
    #[error("no text of `{start}` within the limits contains `{rule}`: max-depth {least} would do")]
    TooDeep {
        /// The start rule.
        start: String,
        /// The required rule.
        rule: String,
        /// The least depth that works.
        least: u32,
    },
    /// The parser refuses the grammar.
    #[error(transparent)]
    Grammar(#[from] CompileError),
}

impl SetupError {
    /// Whether a different option would help (else the grammar is at fault).
    pub fn is_wrong_use(&self) -> bool {
        !matches!(self, SetupError::Infinite { .. } | SetupError::Grammar(_))
    }
}

/// Why a rule derives no finite text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InfiniteCause {
    /// Every way through the rule is recursive or has a predicate that is false.
    #[error("every way through it calls one of its rules again or has a predicate that is false")]
    Recursion,
    /// The rule needs tokens that have no text: the first of them.
    #[error("it needs tokens that nothing makes ({}); give texts in the side file's [tokens]", .0.join(", "))]
    MissingTokens(Vec<String>),
    /// The options exclude every way through the rule.
    #[error("the options exclude every way through it")]
    Options,
}

/// Why a grammar cannot be covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CoverError {
    /// The start rule is a token rule.
    #[error("covering needs a parser rule to begin with")]
    TokenRule,
    /// There are too many paths.
    #[error("k = {k} gives more than {limit} paths; a smaller one will do")]
    TooManyPaths {
        /// Symbols of a path.
        k: usize,
        /// The most paths that can be covered.
        limit: usize,
    },
    /// There are too many pairs of rules that call each other.
    #[error("the grammar has too many calls")]
    TooManyCalls,
}

/// Why there is no uniform generation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UniformError {
    /// The start rule is a token rule.
    #[error("uniform generation needs a parser rule to begin with")]
    TokenRule,
    /// The size is too large to count trees.
    #[error("size {size} is too large: counting goes up to {limit}")]
    TooLarge {
        /// The size.
        size: u32,
        /// The largest that can be counted.
        limit: u32,
    },
    /// No text has this size.
    #[error("size {size}: no text of `{rule}` has so many tokens{}", would_do(.nearest))]
    NoText {
        /// The size.
        size: u32,
        /// The start rule.
        rule: String,
        /// The nearest sizes that some text has.
        nearest: Vec<u32>,
    },
}

fn would_do(sizes: &[u32]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
    if sizes.is_empty() { String::new() } else { format!("; {} would do", sizes.join(" or ")) }
}

/// What is wrong in a weights file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is not JSON.
    #[error("the weights are no JSON: {0}")]
    Json(String),
    /// An object is expected.
    #[error("{path} is no object: {value}")]
    NotAnObject {
        /// Where, for people.
        path: String,
        /// What was found.
        value: String,
    },
    /// A weight is not a number from 0 on.
    #[error("the weight {path} is not a number from 0 on: {value}")]
    Weight {
        /// Where, for people.
        path: String,
        /// What was found.
        value: String,
    },
    /// A probability is not a number from 0 to 1.
    #[error("the probability {path} is not between 0 and 1: {value}")]
    Probability {
        /// Where, for people.
        path: String,
        /// What was found.
        value: String,
    },
    /// A rule that the grammar does not have.
    #[error("the grammar has no rule `{0}`")]
    UnknownRule(String),
    /// An alternation that a rule does not have, by its number; without one if the rule has none at all.
    #[error("rule `{rule}` has no alternation{}", after_blank(.number))]
    UnknownAlternation {
        /// The rule.
        rule: String,
        /// The key.
        number: Option<String>,
    },
    /// A quantifier that a rule does not have, by its number; without one if the rule has none at all.
    #[error("rule `{rule}` has no quantifier{}", after_blank(.number))]
    UnknownQuantifier {
        /// The rule.
        rule: String,
        /// The key.
        number: Option<String>,
    },
    /// An alternative that an alternation does not have.
    #[error("alternation {alternation} of `{rule}` has no alternative {number}")]
    UnknownAlternative {
        /// The rule.
        rule: String,
        /// The alternation.
        alternation: String,
        /// The key.
        number: String,
    },
    /// A key that means nothing.
    #[error("unknown key {path}; there are `alts` and `quants`")]
    UnknownKey {
        /// Where, for people.
        path: String,
    },
}

fn after_blank(number: &Option<String>) -> String {
    number.as_ref().map_or(String::new(), |number| format!(" {number}"))
}
