//! What can go wrong besides the input: a grammar that cannot be parsed with, a limit that was hit.

/// Why a grammar cannot be made into a parser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// The rule can go round without consuming a token.
    #[error("rule `{rule}` can go round without consuming anything: left recursion or an empty loop")]
    Endless {
        /// Its name.
        rule: String,
    },
    /// A quantifier that ANTLR does not have.
    #[error("rule `{rule}` repeats a group {min} to {max} times; only ?, * and + can be parsed")]
    Quantifier {
        /// The rule's name.
        rule: String,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: u32,
    },
}

/// Why parsing stopped before its end. The tree and the errors so far are dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// [`Limits::max_bytes`].
    #[error("the input has {bytes} bytes; the limit is {limit} (max-bytes)")]
    Bytes {
        /// The number of them.
        bytes: usize,
        /// The number allowed.
        limit: usize,
    },
    /// [`Limits::max_tokens`].
    #[error("the input has more than {limit} tokens (max-tokens)")]
    Tokens {
        /// The number allowed.
        limit: usize,
    },
    /// [`Limits::max_depth`].
    #[error("line {line}, column {column}: rules are nested deeper than {limit} (max-depth)")]
    Depth {
        /// How deep is allowed.
        limit: usize,
        /// From 1.
        line: usize,
        /// From 1, in code points.
        column: usize,
    },
    /// [`Limits::max_steps`].
    #[error("parsing took more than {limit} steps (max-steps)")]
    Steps {
        /// The number allowed.
        limit: u64,
    },
    /// [`Limits::max_memory`].
    #[error("parsing needs more than {limit} bytes of memory (max-memory)")]
    Memory {
        /// How much is allowed.
        limit: usize,
    },
    /// A token rule matched the empty text, so the lexer would never move on.
    #[error(
        "line {line}, column {column}: token rule `{rule}` matches the empty text here, the lexer cannot move on"
    )]
    EmptyToken {
        /// The rule.
        rule: String,
        /// From 1.
        line: usize,
        /// From 1, in code points.
        column: usize,
    },
    /// `popMode` without a mode to go back to.
    #[error("line {line}, column {column}: token rule `{rule}` says popMode, but no mode was pushed")]
    EmptyModeStack {
        /// The rule.
        rule: String,
        /// From 1.
        line: usize,
        /// From 1, in code points.
        column: usize,
    },
    /// A hook failed ([`crate::hooks`]).
    #[error("line {line}, column {column}: the hook for `{code}` failed: {message}")]
    Hook {
        /// The predicate or action that called it, as written.
        code: String,
        /// What went wrong.
        message: String,
        /// From 1.
        line: usize,
        /// From 1, in code points.
        column: usize,
    },
    /// The state of the hooks before the first token cannot be made ([`crate::hooks`]).
    #[error("the state of the hooks cannot be made: {message}")]
    HookStart {
        /// What went wrong.
        message: String,
    },
    /// A command names a mode by a number that does not exist.
    #[error("token rule `{rule}` switches to mode {mode}, which does not exist")]
    NoSuchMode {
        /// The rule.
        rule: String,
        /// The mode's number.
        mode: usize,
    },
}

impl ParseError {
    /// Whether a limit was hit, rather than something that no limit would change.
    pub fn is_limit(&self) -> bool {
        !matches!(
            self,
            ParseError::EmptyToken { .. }
                | ParseError::EmptyModeStack { .. }
                | ParseError::NoSuchMode { .. }
                | ParseError::Hook { .. }
                | ParseError::HookStart { .. }
        )
    }
}

/// Where parsing stops rather than go on. The defaults let every ordinary input pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Length of the input.
    pub max_bytes: usize,
    /// Number of tokens, hidden ones too.
    pub max_tokens: usize,
    /// Rules inside rules.
    pub max_depth: usize,
    /// Instructions of the parser, configurations looked at by prediction.
    pub max_steps: u64,
    /// Bytes that what is learned about the grammar may take; beyond it is forgotten and learned again, and a
    /// single prediction that needs more ends the parse.
    pub max_memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_bytes: 1 << 30,
            max_tokens: 200_000_000,
            max_depth: 10_000_000,
            max_steps: 1 << 40,
            max_memory: 1 << 29,
        }
    }
}
