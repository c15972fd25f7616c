//! What was done, for `--stats`: a table for people, an object for programs.

use super::coverage::Coverage;
use super::histogram::Histogram;
use polysmith_engine::{Engine, Test};
use polysmith_tree::NodeId;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// The numbers of one test, taken on the worker thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    hash: u64,
    bytes: u64,
    tokens: u64,
    nodes: u64,
    height: u64,
}

impl Sizes {
    pub(crate) fn of(test: &Test, hash: u64) -> Sizes {
        Sizes {
            hash,
            bytes: test.text.len() as u64,
            tokens: test.tree.n_tokens(NodeId::ROOT) as u64,
            nodes: test.tree.len() as u64,
            height: test.tree.height() as u64,
        }
    }
}

/// What is measured of every test, whatever the engine.
const N_OWN: usize = 4;

/// The counts of a run.
pub(crate) struct Stats {
    names: Vec<&'static str>,
    /// Where the kinds of tests end among the names; they begin behind what is measured of every test.
    kinds_end: usize,
    histograms: Vec<Histogram>,
    distinct: FxHashSet<u64>,
    empty: u64,
}

impl Stats {
    pub(crate) fn new(engine: &dyn Engine) -> Stats {
        let mut names = vec!["bytes", "tokens", "nodes", "height"];
        names.extend(engine.measures());
        let histograms = vec![Histogram::default(); names.len()];
        let kinds_end = N_OWN + engine.n_kinds();
        Stats { names, kinds_end, histograms, distinct: FxHashSet::default(), empty: 0 }
    }

    pub(crate) fn add(&mut self, sizes: Sizes, measures: &[u64]) {
        let own = [sizes.bytes, sizes.tokens, sizes.nodes, sizes.height];
        for (histogram, value) in self.histograms.iter_mut().zip(own.iter().chain(measures)) {
            histogram.add(*value);
        }
        self.distinct.insert(sizes.hash);
        self.empty += u64::from(sizes.bytes == 0);
    }

    /// The kinds of tests, with their numbers.
    pub(crate) fn kinds(&self) -> Vec<(&'static str, u64)> {
        let kinds = self.names.iter().zip(&self.histograms).take(self.kinds_end).skip(N_OWN);
        kinds.map(|(name, histogram)| (*name, histogram.total() as u64)).collect()
    }

    /// The sizes and whatever else is a number.
    pub(crate) fn sizes(&self) -> Vec<(&'static str, &Histogram)> {
        let all = self.names.iter().zip(&self.histograms).enumerate();
        let sizes = all.filter(|(at, _)| !(N_OWN..self.kinds_end).contains(at));
        sizes.map(|(_, (name, histogram))| (*name, histogram)).collect()
    }

    /// Different and empty texts.
    pub(crate) fn distinct(&self) -> (usize, u64) {
        (self.distinct.len(), self.empty)
    }

    /// The machine form.
    pub(crate) fn json(&self, coverage: &Coverage<'_>, outcome: &Outcome) -> Value {
        let mut out = json!({
            "v": 1,
            "seed": outcome.seed,
            "tests": outcome.made,
            "failed": outcome.failed,
            "gave_up": outcome.gave_up,
            "complaints": outcome.complaints,
            "distinct": self.distinct.len(),
            "repeated": outcome.repeated,
            "empty": self.empty,
            "seconds": outcome.time.as_secs_f64(),
        });
        for share in coverage.shares() {
            out[share.name.as_str()] = json!({ "used": share.used, "all": share.all });
        }
        for (name, histogram) in self.names.iter().zip(&self.histograms) {
            let total = u64::try_from(histogram.total()).unwrap_or(u64::MAX);
            out[*name] = json!({
                "total": total,
                "median": histogram.quantile(500),
                "p99": histogram.quantile(990),
                "max": histogram.max(),
            });
        }
        out
    }

    /// One line for each measure.
    pub(crate) fn csv(&self) -> String {
        let mut out = "measure,median,p99,max,total\n".to_owned();
        for (name, histogram) in self.names.iter().zip(&self.histograms) {
            let (median, p99) = (histogram.quantile(500), histogram.quantile(990));
            let _ = writeln!(out, "{name},{median},{p99},{},{}", histogram.max(), histogram.total());
        }
        out
    }

    /// The form for people.
    pub(crate) fn table(&self, coverage: &Coverage<'_>, outcome: &Outcome) -> String {
        let mut out = String::new();
        let seconds = outcome.time.as_secs_f64();
        let rate = outcome.made as f64 / seconds.max(1e-9);
        let _ = writeln!(out, "tests         {} in {seconds:.2} s, {rate:.0}/s", outcome.made);
        let _ = writeln!(out, "distinct      {}, {} empty", self.distinct.len(), self.empty);
        if outcome.failed + outcome.gave_up + outcome.complaints > 0 {
            let (failed, gave_up, complaints) = (outcome.failed, outcome.gave_up, outcome.complaints);
            let _ =
                writeln!(out, "wrong         {failed} failed, {gave_up} gave up, {complaints} complaints");
        }
        if outcome.repeated > 0 {
            let _ = writeln!(out, "left out      {} that repeat one before", outcome.repeated);
        }
        for share in coverage.shares() {
            let _ = writeln!(out, "{:<13} {}/{} used", share.name, share.used, share.all);
        }
        for (name, total) in self.kinds() {
            let percent = 100.0 * total as f64 / outcome.made.max(1) as f64;
            let _ = writeln!(out, "{name:<16} {total} ({percent:.1} %)");
        }
        let _ = writeln!(out, "{:<13} {:>10} {:>10} {:>10} {:>12}", "", "median", "p99", "max", "total");
        for (name, histogram) in self.sizes() {
            let _ = writeln!(
                out,
                "{name:<13} {:>10} {:>10} {:>10} {:>12}",
                histogram.quantile(500),
                histogram.quantile(990),
                histogram.max(),
                histogram.total()
            );
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// How a run went.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outcome {
    pub(crate) seed: u64,
    pub(crate) made: u64,
    pub(crate) failed: u64,
    pub(crate) gave_up: u64,
    pub(crate) complaints: u64,
    /// Tests left out because they repeat one before.
    pub(crate) repeated: u64,
    pub(crate) time: Duration,
}
