//! How the search goes about it. The defaults are the fast way; the switches are for experiments.

/// What a failed attempt at a sub-tree teaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailPatterns {
    /// Nothing: another attempt is drawn at random, a limited number of times. Never proves that nothing is there.
    Off,
    /// The whole tree of the attempt is excluded, and nothing else: plain backtracking.
    Specific,
    /// Every tree that has in common what the failure depends on is excluded.
    #[default]
    General,
}

/// The switches and budgets of a search.
///
/// No switch changes which programs there are, only how fast they are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// What is learned from a failure.
    pub fail_patterns: FailPatterns,
    /// Remember, within one program, that a class is impossible for some inherited values.
    pub memory: bool,
    /// Test guards that read inherited attributes or one literal before anything is built.
    pub hoist: bool,
    /// Find fail patterns by the node that they speak about, instead of looking through all of them.
    pub pattern_index: bool,
    /// How many alternatives one attempt at a program may try (limit `max-alternatives`).
    pub max_alternatives: u64,
    /// How often a program is started anew before it is given up (limit `max-restarts`).
    pub max_restarts: u32,
    /// Recompute every attribute of a finished program with the plain evaluator and compare.
    pub check: bool,
    /// Give each program a random subset of features and productions.
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
