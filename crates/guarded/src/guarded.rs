//! The engine that generates programs in which every guard is true.
//!
//! A worker makes attempts at a program until one is solved. Each attempt has its own literals and its own random
//! stream, so that the result depends neither on the order of programs nor on the number of threads. A failure names
//! the limit that ended the search, or the guard that cannot be satisfied.

use crate::answer::{Answer, Counters, Limit};
use crate::options::Search;
use crate::profile::Profile;
use crate::rule_failure::RuleFailure;
use crate::skeleton::Limits;
use crate::solve::Solver;
use crate::tables::Tables;
use polysmith_attributes::{
    ClassKind, Derivation, Evaluation, Heights, INFINITE, Machine, Selection, Spec, evaluate, print,
};
use polysmith_engine::{Engine, GenerateError, Test, Worker};
use polysmith_grammar::Grammar;
use polysmith_random::Draw;
use polysmith_source::Span;
use std::fmt;
use std::sync::Arc;

/// Generates programs whose guards are all true.
pub struct Guarded {
    pub(crate) spec: Spec,
    pub(crate) selection: Selection,
    pub(crate) limits: Limits,
    pub(crate) search: Search,
    pub(crate) tables: Tables,
    pub(crate) profile: Option<Arc<Profile>>,
    /// Whether a pool contains only a sample of the literals, so that another attempt may succeed.
    sampled: bool,
    /// Whether a finite program exists.
    finite: bool,
    place: Box<dyn Fn(Span) -> String + Send + Sync>,
}

impl Guarded {
    /// Creates an engine for a specification and the productions that may be used.
    pub fn new(spec: Spec, selection: Selection, limits: Limits, search: Search) -> Guarded {
        let tables = Tables::new(&spec, search.hoist);
        let sampled = spec.classes.iter().any(|class| match &class.kind {
            ClassKind::Literal(literal) => literal.regex.size() > u64::from(literal.count),
            _ => false,
        });
        let finite = Heights::new(&spec, &selection).classes[spec.start().index()] != INFINITE;
        let place = Box::new(|_| String::new());
        Guarded { spec, selection, limits, search, tables, profile: None, sampled, finite, place }
    }

    /// Sets how messages format a location in the specification.
    pub fn show_places(&mut self, place: impl Fn(Span) -> String + Send + Sync + 'static) {
        self.place = Box::new(place);
    }

    /// Starts to count what the author of a specification needs to know.
    pub fn profile(&mut self) -> Arc<Profile> {
        self.profile.insert(Arc::new(Profile::new(&self.spec))).clone()
    }

    /// The same engine with other options, without reading the specification again.
    pub fn with_search(self, search: Search) -> Guarded {
        let tables = if search.hoist == self.search.hoist {
            self.tables
        } else {
            Tables::new(&self.spec, search.hoist)
        };
        Guarded { search, tables, ..self }
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The options and budgets.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Creates the state of one thread, for single attempts.
    pub fn solver(&self) -> Solver<'_> {
        Solver::new(self)
    }

    fn show(&self, failure: &RuleFailure) -> String {
        match (self.place)(failure.span) {
            place if place.is_empty() => failure.describe(&self.spec),
            place => format!("{} ({place})", failure.describe(&self.spec)),
        }
    }

    /// Why an attempt failed, and whether another one may succeed.
    fn error(&self, answer: &Answer, attempts: u32) -> (GenerateError, bool) {
        match answer {
            Answer::Fail(blame) => {
                let why = blame.describe(&self.spec);
                if self.sampled || self.search.swarm {
                    let attempts = format!("no program in {attempts} attempts with other literals");
                    (GenerateError::GaveUp(format!("{attempts} (max-restarts): {why}")), true)
                } else {
                    (GenerateError::Never(format!("the specification cannot be satisfied: {why}")), false)
                }
            }
            Answer::GaveUp(Limit::Height) => {
                let limit = self.limits.height;
                (GenerateError::GaveUp(format!("no program was found within max-height {limit}")), true)
            }
            Answer::GaveUp(Limit::Alternatives) => {
                let limit = self.search.max_alternatives;
                (GenerateError::GaveUp(format!("no program was found with max-alternatives {limit}")), true)
            }
            Answer::Solved(..) => (GenerateError::Failed("a print command failed".to_owned()), true),
        }
    }
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded")
            .field("search", &self.search)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Engine for Guarded {
    fn grammar(&self) -> &Grammar {
        &self.spec.grammar
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(GuardedWorker { engine: self, solver: self.solver(), machine: Machine::default() })
    }

    fn measures(&self) -> &[&'static str] {
        &["instances", "levels", "tried", "refused", "equations", "restarts"]
    }
}

struct GuardedWorker<'a> {
    engine: &'a Guarded,
    solver: Solver<'a>,
    machine: Machine,
}

impl Worker for GuardedWorker<'_> {
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let spec = &self.engine.spec;
        if !self.engine.finite {
            let name = &spec.class(spec.start()).name;
            return Err(GenerateError::Never(format!(
                "class `{name}` has no finite program with these productions"
            )));
        }
        let mut total = Counters::default();
        let mut draw = draw;
        loop {
            let answer = self.solver.attempt(draw);
            total.add(&self.solver.counters());
            for failure in self.solver.rule_failures() {
                let shown = self.engine.show(failure);
                if !test.complaints.contains(&shown) {
                    test.complaints.push(shown);
                }
            }
            let (error, may_succeed) = self.engine.error(&answer, draw.attempt + 1);
            if let Answer::Solved(derivation, evaluation) = answer {
                if self.print(&derivation, &evaluation, test) {
                    test.measures.extend([
                        total.nodes,
                        total.height,
                        total.alternatives,
                        total.refused,
                        total.equations,
                        total.restarts,
                    ]);
                    return Ok(());
                }
                total.nodes = 0;
            }
            if !may_succeed || draw.attempt >= self.engine.search.max_restarts {
                return Err(error);
            }
            draw = draw.retry();
            total.restarts += 1;
        }
    }
}

impl GuardedWorker<'_> {
    /// Prints a program. Returns `false` if a print command failed.
    fn print(&mut self, derivation: &Derivation, evaluation: &Evaluation, test: &mut Test) -> bool {
        let spec = &self.engine.spec;
        let printed = print(spec, derivation, evaluation, &mut self.machine);
        let before = test.complaints.len();
        for failure in &printed.failures {
            let name = spec.production_name(derivation.nodes[failure.node].production);
            test.complaints.push(format!("a print command of `{name}` failed: {failure}"));
        }
        if test.complaints.len() > before {
            test.complaints.dedup();
            return false;
        }
        if self.engine.search.check {
            check(spec, derivation, evaluation, &mut test.complaints);
        }
        test.tree = printed.tree;
        test.text = test.tree.to_bytes();
        true
    }
}

/// Evaluates everything from scratch and reports differences.
fn check(spec: &Spec, derivation: &Derivation, evaluation: &Evaluation, complaints: &mut Vec<String>) {
    let again = evaluate(spec, derivation);
    complaints.extend(again.violations.iter().map(|violation| format!("check: {}", violation.message(spec))));
    for (node, instance) in derivation.nodes.iter().enumerate() {
        let class = spec.class(spec.production(instance.production).class);
        for (attribute, written) in (0..).zip(&class.attributes) {
            if evaluation.value(node, attribute) != again.value(node, attribute) {
                let name = spec.production_name(instance.production);
                complaints.push(format!("check: `{}` of `{name}` has another value", written.name));
            }
        }
    }
}
