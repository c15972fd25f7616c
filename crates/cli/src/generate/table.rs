//! `--stats` for people: how many tests, how large, what they do not cover, then what they cost.

use super::coverage::Coverage;
use super::histogram::Histogram;
use super::stats::{Outcome, Stats};
use crate::progress::rounded;
use crate::talk::columns;
use indicatif::HumanCount;
use polysmith_grammar::coverage::GoalKind;
use std::fmt::Write as _;

/// Uncovered rules and alternatives that are named; the others are counted.
const MAX_RULES: usize = 10;
/// Uncovered repetition counts, and paths, that are named; the others are counted.
const MAX_GOALS: usize = 5;
/// Columns of a number; larger ones push the line to the right.
const NUMBER: usize = 11;

/// The table.
pub(crate) fn table(stats: &Stats, coverage: &Coverage<'_>, outcome: &Outcome) -> String {
    let mut table = Table { out: String::new(), name_width: name_width(stats, coverage) };
    table.tests(stats, outcome);
    table.heading("sizes", &["median", "p99", "max", "total"]);
    stats.sizes().for_each(|(name, histogram)| table.measure(name, histogram));
    table.coverage(coverage);
    let kinds = stats.kinds();
    if !kinds.is_empty() {
        table.heading("how tests were made", &["tests", ""]);
        for (name, count) in kinds {
            table.row(name, &[grouped(count.into()), percent(count, outcome.made)]);
        }
    }
    if stats.costs().next().is_some() {
        table.heading("work for each test", &["median", "p99", "max", "total"]);
        stats.costs().for_each(|(name, histogram)| table.measure(name, histogram));
    }
    table.out.truncate(table.out.trim_end().len());
    table.out
}

/// The width of the column of names: the longest of them.
fn name_width(stats: &Stats, coverage: &Coverage<'_>) -> usize {
    let measures = stats.sizes().chain(stats.costs()).map(|(name, _)| name.len());
    let kinds = stats.kinds();
    let kinds = kinds.iter().map(|(name, _)| name.len());
    let shares = coverage.shares();
    let shares = shares.iter().map(|share| share.name.len());
    measures.chain(kinds).chain(shares).max().unwrap_or(0).max("how tests were made".len())
}

struct Table {
    out: String,
    /// Columns of the names.
    name_width: usize,
}

impl Table {
    fn tests(&mut self, stats: &Stats, outcome: &Outcome) {
        let seconds = outcome.time.as_secs_f64();
        let rate = rounded(outcome.made as f64 / seconds.max(1e-9));
        let (distinct, empty) = stats.distinct();
        let made = HumanCount(outcome.made);
        let _ = write!(self.out, "{made} tests in {seconds:.2} s ({rate}/s), seed {}\n  ", outcome.seed);
        let _ = write!(self.out, "{} distinct, {} empty", HumanCount(distinct as u64), HumanCount(empty));
        let counted = [
            (outcome.failed, "failed"),
            (outcome.gave_up, "gave up"),
            (outcome.complaints, "complaints"),
            (outcome.repeated, "left out because they repeat an earlier one"),
        ];
        for (count, what) in counted.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(self.out, ", {} {what}", HumanCount(count));
        }
        self.out.push('\n');
    }

    fn coverage(&mut self, coverage: &Coverage<'_>) {
        self.heading("coverage", &["used", "all", ""]);
        for share in coverage.shares() {
            let (used, all) = (share.used as u64, share.all as u64);
            self.row(&share.name, &[grouped(used.into()), grouped(all.into()), percent(used, all)]);
        }
        self.names("rules not used", &coverage.unused_rules(), MAX_RULES);
        self.names("alternatives not covered", &coverage.uncovered(GoalKind::Alternative), MAX_RULES);
        self.names("quantifiers not covered", &coverage.uncovered(GoalKind::Count), MAX_GOALS);
        let paths = format!("{} not covered", coverage.paths_name());
        self.names(&paths, &coverage.uncovered(GoalKind::Path), MAX_GOALS);
    }

    /// The first `most` names under a heading.
    fn names(&mut self, heading: &str, names: &[String], most: usize) {
        if names.is_empty() {
            return;
        }
        let _ = writeln!(self.out, "\n{heading}");
        for name in names.iter().take(most) {
            let _ = writeln!(self.out, "  {}", shortened(name, columns().saturating_sub(3)));
        }
        if names.len() > most {
            let _ = writeln!(self.out, "  and {} more", grouped((names.len() - most) as u128));
        }
    }

    fn heading(&mut self, name: &str, columns: &[&str]) {
        self.out.push('\n');
        self.line(name, self.name_width + 2, columns.iter().map(|column| (*column).to_owned()));
    }

    fn row(&mut self, name: &str, cells: &[String]) {
        self.out.push_str("  ");
        self.line(name, self.name_width, cells.iter().cloned());
    }

    fn line(&mut self, name: &str, width: usize, cells: impl Iterator<Item = String>) {
        let _ = write!(self.out, "{name:<width$}");
        cells.for_each(|cell| {
            let _ = write!(self.out, " {cell:>NUMBER$}");
        });
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
    }

    fn measure(&mut self, name: &str, histogram: &Histogram) {
        let (median, p99) = (histogram.quantile(500), histogram.quantile(990));
        let numbers = [median.into(), p99.into(), histogram.max().into(), histogram.total()];
        self.row(name, &numbers.map(grouped));
    }
}

/// A number with a comma between thousands.
fn grouped(number: u128) -> String {
    HumanCount(u64::try_from(number).unwrap_or(u64::MAX)).to_string()
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}

/// The beginning of a text of more than `most` characters.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{kept}…")
        }
    }
}
