//! The engine: programs that satisfy every guard.
//!
//! A worker makes attempts at a program until one is solved: each from its own literals and its own stream of
//! choices, so that neither the order of programs nor the number of threads matters. What ends without a program
//! says which limit was in the way, or which guard cannot be satisfied.

use crate::answer::{Answer, Counters, Limit};
use crate::options::Search;
use crate::skeleton::Limits;
use crate::solve::Solver;
use crate::tables::Tables;
use polysmith_attributes::{Machine, Selection, Spec, evaluate, print};
use polysmith_engine::{Engine, Test, Trouble, Worker};
use polysmith_grammar::Grammar;
use polysmith_random::Draw;

/// Draws programs whose guards are all true.
#[derive(Debug)]
pub struct Guarded {
    pub(crate) spec: Spec,
    pub(crate) selection: Selection,
    pub(crate) limits: Limits,
    pub(crate) search: Search,
    pub(crate) tables: Tables,
}

impl Guarded {
    /// For a spec and the productions that may be used.
    pub fn new(spec: Spec, selection: Selection, limits: Limits, search: Search) -> Guarded {
        let tables = Tables::new(&spec, search.hoist);
        Guarded { spec, selection, limits, search, tables }
    }

    /// The same with other switches: a spec need not be read once more for each.
    pub fn with_search(self, search: Search) -> Guarded {
        Guarded { search, ..self }
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The hands of one thread, for single attempts.
    pub fn solver(&self) -> Solver<'_> {
        Solver::new(self)
    }
}

impl Engine for Guarded {
    fn grammar(&self) -> &Grammar {
        &self.spec.grammar
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Hands { engine: self, solver: self.solver(), machine: Machine::default() })
    }

    fn measures(&self) -> &[&'static str] {
        &["instances", "tree height", "choices", "refused", "equations", "restarts"]
    }
}

struct Hands<'a> {
    engine: &'a Guarded,
    solver: Solver<'a>,
    machine: Machine,
}

impl Worker for Hands<'_> {
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), Trouble> {
        let spec = &self.engine.spec;
        let mut total = Counters::default();
        let mut draw = draw;
        loop {
            let answer = self.solver.attempt(draw);
            total.add(&self.solver.counters());
            let trouble = match answer {
                Answer::Solved(derivation, evaluation) => {
                    let printed = print(spec, &derivation, &evaluation, &mut self.machine);
                    if self.engine.search.check {
                        let again = evaluate(spec, &derivation);
                        for failure in &again.failures {
                            test.complaints.push(format!("--check: {}", failure.message(spec)));
                        }
                    }
                    for (_, fault) in printed.faults {
                        test.complaints.push(fault);
                    }
                    test.tree = printed.tree;
                    test.text = test.tree.to_bytes();
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
                Answer::Fail(blame) => {
                    Trouble::Never(format!("the specification cannot be satisfied: {}", blame.describe(spec)))
                }
                Answer::GaveUp(Limit::Height) => Trouble::GaveUp(format!(
                    "no program within --max-height {} was found",
                    self.engine.limits.height
                )),
                Answer::GaveUp(Limit::Alternatives) => Trouble::GaveUp(format!(
                    "no program was found with --max-alternatives {}",
                    self.engine.search.max_alternatives
                )),
            };
            if draw.attempt >= self.engine.search.max_restarts {
                return Err(trouble);
            }
            draw = draw.retry();
            total.restarts += 1;
        }
    }
}
