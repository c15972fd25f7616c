//! A profile for the author of a specification: which guards fail most, which productions are undone, where time is
//! spent.
//!
//! It has counts, not times, so that the profile of the same programs is the same on every machine and for any number
//! of threads. Each worker counts on its own and adds its counts when it ends.

use polysmith_attributes::{ProductionId, Spec};
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

/// The maximum number of lines per table.
const MAX_LINES: usize = 15;

/// The counts of one production.
#[derive(Debug, Clone, Default)]
struct Line {
    taken: u64,
    kept: u64,
    rules: u64,
    steps: u64,
    /// Tests and failures of each guard.
    guards: Vec<(u64, u64)>,
    empty_lists: u64,
}

/// The counts of one worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    lines: Vec<Line>,
}

impl Tally {
    pub(crate) fn new(spec: &Spec) -> Tally {
        let line = |production: &polysmith_attributes::Production| Line {
            guards: vec![(0, 0); production.guards.len()],
            ..Line::default()
        };
        Tally { lines: spec.productions.iter().map(line).collect() }
    }

    /// Counts a production that was chosen for a node.
    pub(crate) fn taken(&mut self, production: u32) {
        self.lines[production as usize].taken += 1;
    }

    /// Counts a node of a complete program.
    pub(crate) fn kept(&mut self, production: u32) {
        self.lines[production as usize].kept += 1;
    }

    /// Counts the evaluation of a rule, guard or list.
    pub(crate) fn ran(&mut self, production: u32, steps: u64) {
        let line = &mut self.lines[production as usize];
        line.rules += 1;
        line.steps += steps;
    }

    /// Counts the test of a guard.
    pub(crate) fn tested(&mut self, production: u32, guard: u32, held: bool) {
        let (tested, failed) = &mut self.lines[production as usize].guards[guard as usize];
        *tested += 1;
        *failed += u64::from(!held);
    }

    /// Counts an empty list of a generator.
    pub(crate) fn empty(&mut self, production: u32) {
        self.lines[production as usize].empty_lists += 1;
    }

    fn add(&mut self, other: &Tally) {
        for (line, more) in self.lines.iter_mut().zip(&other.lines) {
            line.taken += more.taken;
            line.kept += more.kept;
            line.rules += more.rules;
            line.steps += more.steps;
            line.empty_lists += more.empty_lists;
            for ((tested, failed), (more_tested, more_failed)) in line.guards.iter_mut().zip(&more.guards) {
                *tested += more_tested;
                *failed += more_failed;
            }
        }
    }
}

/// The counts of a run.
#[derive(Debug)]
pub struct Profile {
    names: Vec<String>,
    guards: Vec<Vec<String>>,
    total: Mutex<Tally>,
}

impl Profile {
    pub(crate) fn new(spec: &Spec) -> Profile {
        let names =
            (0..spec.productions.len() as u32).map(|id| spec.production_name(ProductionId(id))).collect();
        let guards = (spec.productions.iter())
            .map(|production| {
                let name = |(guard, at): (&polysmith_attributes::Guard, usize)| match &guard.name {
                    Some(name) => name.to_string(),
                    None => format!("require {}", at + 1),
                };
                production.guards.iter().zip(0..).map(name).collect()
            })
            .collect();
        Profile { names, guards, total: Mutex::new(Tally::new(spec)) }
    }

    pub(crate) fn add(&self, tally: &Tally) {
        self.total.lock().unwrap_or_else(PoisonError::into_inner).add(tally);
    }

    /// Formats three tables. All workers must have ended, because they add their counts then.
    pub fn table(&self) -> String {
        let total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = String::new();
        let share = |part: u64, of: u64| part as f64 * 100.0 / of.max(1) as f64;
        let mut failing = Vec::new();
        for (production, line) in total.lines.iter().enumerate() {
            for (guard, (tested, failed)) in line.guards.iter().enumerate() {
                failing.push((
                    *failed,
                    *tested,
                    format!("{}: {}", self.names[production], self.guards[production][guard]),
                ));
            }
            failing.push((line.empty_lists, line.rules, format!("{}: empty list", self.names[production])));
        }
        let _ = writeln!(out, "{:<44} {:>12} {:>12} {:>7}", "guards that fail most", "failed", "tested", "");
        for (failed, tested, name) in most(failing, |(failed, ..)| *failed) {
            let _ = writeln!(out, "{name:<44} {failed:>12} {tested:>12} {:>6.1}%", share(failed, tested));
        }
        let lines = || total.lines.iter().zip(&self.names);
        let vain: Vec<_> =
            lines().map(|(line, name)| (line.taken.saturating_sub(line.kept), line.taken, name)).collect();
        let _ = writeln!(
            out,
            "\n{:<44} {:>12} {:>12} {:>7}",
            "productions tried in vain", "in vain", "tried", ""
        );
        for (vain, taken, name) in most(vain, |(vain, ..)| *vain) {
            let _ = writeln!(out, "{name:<44} {vain:>12} {taken:>12} {:>6.1}%", share(vain, taken));
        }
        let work: Vec<_> =
            lines().map(|(line, name)| (line.rules + line.steps, line.rules, line.steps, name)).collect();
        let all: u64 = work.iter().map(|(work, ..)| work).sum();
        let _ =
            writeln!(out, "\n{:<44} {:>12} {:>12} {:>7}", "where the work goes", "rules run", "calls", "");
        for (work, rules, steps, name) in most(work, |(work, ..)| *work) {
            let _ = writeln!(out, "{name:<44} {rules:>12} {steps:>12} {:>6.1}%", share(work, all));
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// The lines with the largest numbers, without zeros; ties are in the order of the specification.
fn most<T>(mut lines: Vec<T>, number: impl Fn(&T) -> u64) -> Vec<T> {
    lines.retain(|line| number(line) > 0);
    lines.sort_by_key(|line| std::cmp::Reverse(number(line)));
    lines.truncate(MAX_LINES);
    lines
}
