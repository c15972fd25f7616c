//! The result of a search, and its cost.

use polysmith_attributes::{Derivation, Evaluation, ProductionId, Spec};

/// The result of one attempt at a program.
#[derive(Debug)]
pub enum Answer {
    /// A program whose guards are all true, with the values of its attributes.
    Solved(Derivation, Evaluation),
    /// There is no program with the literals of this attempt, whatever its height.
    Fail(Blame),
    /// A limit ended the search; nothing is known about programs beyond it.
    GaveUp(Limit),
}

/// A limit that ended an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// All programs within the height limits were excluded; higher ones were not tried.
    Height,
    /// The budget of alternatives was exhausted.
    Alternatives,
}

/// The last failure when no choice was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blame {
    /// The production.
    pub production: ProductionId,
    /// What failed.
    pub what: BlamedPart,
}

/// What prevented a node from being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlamedPart {
    /// The guard with this number was false or failed at run time.
    Guard(u32),
    /// The equation with this number failed at run time.
    Equation(u32),
    /// The list of a generator was empty, or failed at run time.
    List,
    /// No production can be chosen.
    NoChoice,
}

impl Blame {
    /// Formats the failure as a noun phrase: the class, and what failed.
    pub fn describe(&self, spec: &Spec) -> String {
        let production = spec.production(self.production);
        let class = &spec.class(production.class).name;
        let place = spec.production_name(self.production);
        match self.what {
            BlamedPart::Guard(at) => match &production.guards[at as usize].name {
                Some(name) => format!("class `{class}`: the guard `{name}` of `{place}` is never satisfied"),
                None => format!("class `{class}`: a requirement of `{place}` is never satisfied"),
            },
            BlamedPart::Equation(_) => format!("class `{class}`: a rule of `{place}` always fails"),
            BlamedPart::List => format!("class `{class}`: the list of values of `{place}` is empty"),
            BlamedPart::NoChoice => format!("class `{class}` has no production that can be used"),
        }
    }
}

/// The cost of one or several attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Nodes of the complete program.
    pub nodes: u64,
    /// Its height.
    pub height: u64,
    /// Choices that were changed after a conflict.
    pub alternatives: u64,
    /// Choices that a hoisted guard rejected before anything was built.
    pub refused: u64,
    /// Decisions, including those that were undone.
    pub decisions: u64,
    /// Equations that were evaluated.
    pub equations: u64,
    /// Guards that were tested.
    pub tests: u64,
    /// Fail patterns that were learned.
    pub patterns: u64,
    /// Searches that the memory of failures avoided.
    pub recalled: u64,
    /// Restarts of the program.
    pub restarts: u64,
}

impl Counters {
    /// Adds the counts of another attempt.
    pub fn add(&mut self, other: &Counters) {
        let Counters {
            nodes,
            height,
            alternatives,
            refused,
            decisions,
            equations,
            tests,
            patterns,
            recalled,
            restarts,
        } = other;
        self.nodes += nodes;
        self.height = self.height.max(*height);
        self.alternatives += alternatives;
        self.refused += refused;
        self.decisions += decisions;
        self.equations += equations;
        self.tests += tests;
        self.patterns += patterns;
        self.recalled += recalled;
        self.restarts += restarts;
    }
}
