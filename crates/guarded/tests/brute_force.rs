//! The engine against brute force: on small specs every valid program is known, and the engine must find each of
//! them and nothing else, whatever its switches say.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod agree;
mod brute;

use brute::{Case, Known, cases};
use polysmith_attributes::{Derivation, Evaluation, Spec};
use polysmith_guarded::{Answer, FailPatterns, Guarded, Limit, Search, Solver};
use polysmith_random::Draw;
use std::collections::BTreeSet;

/// Each valid program must be produced within so many programs per valid program there is.
const PROGRAMS_PER_TREE: u64 = 200;
/// The attributes of so many programs are computed once more in each run.
const COMPARED: u64 = 30;

#[test]
fn brute_force_finds_what_the_specs_say() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} specs", cases.len());
    let wrong = |case: &Case| {
        let Known { lines, texts, faults } = Known::of(case);
        let other_texts = case.texts.as_ref().is_some_and(|said| *said != texts);
        let differs = lines.len() != case.n_trees || other_texts || faults != case.faults;
        differs.then(|| format!("{}: {} trees {texts:?}, faults {faults}", case.name, lines.len()))
    };
    let wrong: Vec<String> = cases.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_fail_patterns() {
    check(FailPatterns::Off);
}

#[test]
fn with_specific_fail_patterns() {
    check(FailPatterns::Specific);
}

#[test]
fn with_general_fail_patterns() {
    check(FailPatterns::General);
}

/// All specs with all other switches on and off. `SPEC=name` looks at the specs whose names contain it.
#[track_caller]
fn check(fail_patterns: FailPatterns) {
    let only = std::env::var("SPEC").unwrap_or_default();
    let mut wrong = Vec::new();
    for case in cases().into_iter().filter(|case| case.name.contains(&only)) {
        let known = Known::of(&case);
        let name = case.name.clone();
        let mut engine = Guarded::new(case.spec, case.selection, case.limits, Search::default());
        for switches in 0..8_u8 {
            let search = Search {
                fail_patterns,
                memory: switches & 1 == 0,
                hoist: switches & 2 == 0,
                pattern_index: switches & 4 == 0,
                ..Search::default()
            };
            let shown = format!(
                "{name}: memory {}, hoist {}, index {}",
                search.memory, search.hoist, search.pattern_index
            );
            engine = engine.with_search(search);
            if let Err(why) = Run::new(&engine, &known, fail_patterns).finds_all() {
                wrong.push(format!("{shown}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of the runs:\n{}", wrong.len(), wrong.join("\n"));
}

/// One spec with one combination of switches.
struct Run<'a> {
    spec: &'a Spec,
    solver: Solver<'a>,
    known: &'a Known,
    /// Whether the search can find out that there is no program.
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
            let line = brute::line(self.spec, &derivation);
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

    /// The program of an index, started anew where a budget ran out.
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

    /// Where there is no program, this must be found out, unless a limit is in the way.
    fn finds_none(&mut self) -> Result<(), String> {
        match self.solver.attempt(Draw::new(1, 0)) {
            Answer::Solved(derivation, _) => {
                Err(format!("no program is valid, but {}", brute::line(self.spec, &derivation)))
            }
            Answer::GaveUp(Limit::Alternatives) if self.proves => {
                Err("given up, but nothing is there".to_owned())
            }
            Answer::GaveUp(_) | Answer::Fail(_) => Ok(()),
        }
    }
}
