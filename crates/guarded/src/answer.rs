//! What a search says in the end, and what it cost.

use polysmith_attributes::{Derivation, Evaluation, ProductionId, Spec};

/// The end of one attempt at a program.
#[derive(Debug)]
pub enum Answer {
    /// A program whose guards are all true, with the values of its attributes.
    Solved(Derivation, Evaluation),
    /// With the literals of this attempt there is no program at all, whatever its height.
    Fail(Blame),
    /// A limit was in the way; nothing is known about programs beyond it.
    GaveUp(Limit),
}

/// A limit that ended an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// All programs within the height limits were excluded; higher ones were not looked at.
    Height,
    /// A budget of alternatives was spent.
    Alternatives,
}

/// What was false last, when nothing was left to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blame {
    /// The production.
    pub production: ProductionId,
    /// What of it.
    pub what: Broken,
}

/// What kept a node from being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The guard with this number was false or failed at run time.
    Guard(u32),
    /// The equation with this number failed at run time.
    Equation(u32),
    /// The list of a generator was empty, or failed at run time.
    List,
    /// There is no production to choose.
    NoChoice,
}

impl Blame {
    /// As a part of a sentence: which class, and what of it.
    pub fn describe(&self, spec: &Spec) -> String {
        let production = spec.production(self.production);
        let class = &spec.class(production.class).name;
        let place = spec.production_name(self.production);
        match self.what {
            Broken::Guard(at) => match &production.guards[at as usize].name {
                Some(name) => format!("class `{class}`: the guard `{name}` of `{place}` is never satisfied"),
                None => format!("class `{class}`: a requirement of `{place}` is never satisfied"),
            },
            Broken::Equation(_) => format!("class `{class}`: a rule of `{place}` always fails"),
            Broken::List => format!("class `{class}`: the list of values of `{place}` is empty"),
            Broken::NoChoice => format!("class `{class}` has no production that can be used"),
        }
    }
}

/// What one attempt, or several, cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Nodes of the finished program.
    pub nodes: u64,
    /// Its height.
    pub height: u64,
    /// Choices that were changed because of a failure.
    pub alternatives: u64,
    /// Choices that a hoisted guard refused before anything was built.
    pub refused: u64,
    /// Nodes that were given a production, also those that did not survive.
    pub decisions: u64,
    /// Equations that were computed.
    pub equations: u64,
    /// Guards that were tested.
    pub tests: u64,
    /// Fail patterns that were learned.
    pub patterns: u64,
    /// Searches that the memory made unnecessary.
    pub recalled: u64,
    /// How often the program was started anew.
    pub restarts: u64,
}

impl Counters {
    /// Both together.
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
