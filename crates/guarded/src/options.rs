//! Options of the search. The defaults are the fastest; the switches are for experiments.

/// What is learned from a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailPatterns {
    /// Nothing: another attempt is drawn at random, a limited number of times. Never proves that there is no program.
    Off,
    /// Only the complete tree of the attempt is excluded: plain backtracking.
    Specific,
    /// Every tree is excluded that agrees in the choices that the conflict depends on.
    #[default]
    General,
}

/// The options and budgets of a search.
///
/// No option changes which programs exist, only how fast they are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// What is learned from a failure.
    pub fail_patterns: FailPatterns,
    /// Whether to remember, within one program, that a class is impossible for some inherited values.
    pub memory: bool,
    /// Whether to test guards that read inherited attributes or one literal before anything is built.
    pub hoist: bool,
    /// Whether to find fail patterns by the node that they test, instead of scanning all of them.
    pub pattern_index: bool,
    /// The maximum number of alternatives that one attempt at a program may try (limit `max-alternatives`).
    pub max_alternatives: u64,
    /// The maximum number of restarts of a program (limit `max-restarts`).
    pub max_restarts: u32,
    /// Whether to recompute every attribute of a complete program with the reference evaluator and compare.
    pub check: bool,
    /// Whether to give each program a random subset of features and productions.
    pub swarm: bool,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            fail_patterns: FailPatterns::General,
            memory: true,
            hoist: true,
            pattern_index: true,
            max_alternatives: 1_000_000,
            max_restarts: 20,
            check: false,
            swarm: false,
        }
    }
}
