//! Compares the engine with brute force, for every combination of options.

use super::{Case, Known, line};
use crate::agree;
use polysmith_attributes::{Derivation, Evaluation, Spec};
use polysmith_guarded::{Answer, FailPatterns, Guarded, Limit, Search, Solver};
use polysmith_random::Draw;
use std::collections::BTreeSet;

/// The number of programs to generate per valid program, within which each valid program must occur.
const PROGRAMS_PER_TREE: u64 = 200;
/// The number of programs per run whose attributes are recomputed.
const COMPARED: u64 = 30;

/// The number of alternatives after which an attempt ends without fail patterns, because nothing is ever proved then.
const BLIND: u64 = 5_000;

/// What is wrong with the engine on a specification, for all combinations of its other options.
pub(crate) fn every_switch(case: Case, known: &Known, fail_patterns: FailPatterns) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut engine = Guarded::new(case.spec, case.selection, case.limits, Search::default());
    for switches in 0..8_u8 {
        let search = Search {
            fail_patterns,
            memory: switches & 1 == 0,
            hoist: switches & 2 == 0,
            pattern_index: switches & 4 == 0,
            max_alternatives: if fail_patterns == FailPatterns::Off {
                BLIND
            } else {
                Search::default().max_alternatives
            },
            ..Search::default()
        };
        let shown =
            format!("memory {}, hoist {}, index {}", search.memory, search.hoist, search.pattern_index);
        engine = engine.with_search(search);
        if let Err(why) = Run::new(&engine, known, fail_patterns).finds_all() {
            wrong.push(format!("{fail_patterns:?}, {shown}: {why}"));
        }
    }
    wrong
}

/// One specification with one combination of options.
struct Run<'a> {
    spec: &'a Spec,
    solver: Solver<'a>,
    known: &'a Known,
    /// Whether the search can prove that there is no program.
    proves: bool,
}

impl Run<'_> {
    fn new<'a>(engine: &'a Guarded, known: &'a Known, fail_patterns: FailPatterns) -> Run<'a> {
        let proves = fail_patterns != FailPatterns::Off;
        Run { spec: engine.spec(), solver: engine.solver(), known, proves }
    }

    fn finds_all(&mut self) -> Result<(), String> {
        if self.known.lines.is_empty() {
            return self.finds_none();
        }
        let limit = PROGRAMS_PER_TREE * self.known.lines.len() as u64;
        let mut missing: BTreeSet<&str> = self.known.lines.iter().map(String::as_str).collect();
        for index in 0..limit {
            let (derivation, evaluation) = self.program(index)?;
            let line = line(self.spec, &derivation);
            if !self.known.lines.contains(&line) {
                return Err(format!("program {index} is not valid: {line}"));
            }
            if index < COMPARED {
                agree::compare(self.spec, &derivation, &evaluation)?;
            }
            missing.remove(line.as_str());
            if missing.is_empty() {
                return Ok(());
            }
        }
        let first = missing.first().copied().unwrap_or_default();
        Err(format!("{} of {} trees missing, such as {first}", missing.len(), self.known.lines.len()))
    }

    /// The program of an index, restarted if a budget is exhausted.
    fn program(&mut self, index: u64) -> Result<(Derivation, Evaluation), String> {
        let mut draw = Draw::new(1, index);
        for _ in 0..100 {
            match self.solver.attempt(draw) {
                Answer::Solved(derivation, evaluation) => return Ok((derivation, evaluation)),
                Answer::Fail(blame) => {
                    return Err(format!("FAIL, but there are programs: {}", blame.describe(self.spec)));
                }
                Answer::GaveUp(_) => draw = draw.retry(),
            }
        }
        Err(format!("program {index} was given up 100 times"))
    }

    /// If there is no program, the engine must report it, unless a limit prevents that.
    fn finds_none(&mut self) -> Result<(), String> {
        match self.solver.attempt(Draw::new(1, 0)) {
            Answer::Solved(derivation, _) => {
                Err(format!("no program is valid, but {}", line(self.spec, &derivation)))
            }
            Answer::GaveUp(Limit::Alternatives) if self.proves => {
                Err("given up, but nothing is there".to_owned())
            }
            Answer::GaveUp(_) | Answer::Fail(_) => Ok(()),
        }
    }
}
