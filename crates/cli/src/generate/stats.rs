//! What a run made, counted for `--stats`, and the two forms for programs: JSON and CSV.
//!
//! The forms for people are in [`super::table`] and [`super::page`].

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
const SIZES: [&str; 4] = ["bytes", "tokens", "nodes", "height"];
/// Texts that are kept to be shown.
const MAX_SAMPLES: usize = 5;
/// Bytes of a text that are kept to be shown.
const MAX_SAMPLE_BYTES: usize = 1500;

/// The counts of a run.
pub(crate) struct Stats {
    /// The sizes, then the kinds of tests, then what else the engine measures.
    names: Vec<&'static str>,
    /// Where the kinds of tests end among the names.
    kinds_end: usize,
    histograms: Vec<Histogram>,
    distinct: FxHashSet<u64>,
    empty: u64,
    samples: Vec<Sample>,
}

/// The beginning of a text that was made.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) index: u64,
    pub(crate) text: String,
    /// Bytes that are not in `text`.
    pub(crate) omitted: usize,
}

impl Sample {
    fn of(index: u64, text: &[u8]) -> Sample {
        let mut end = text.len().min(MAX_SAMPLE_BYTES);
        // A character that would be cut in two is left out.
        while end < text.len() && end > 0 && text[end] & 0xC0 == 0x80 {
            end -= 1;
        }
        let omitted = text.len() - end;
        Sample { index, text: String::from_utf8_lossy(&text[..end]).into_owned(), omitted }
    }
}

impl Stats {
    pub(crate) fn new(engine: &dyn Engine) -> Stats {
        let mut names = SIZES.to_vec();
        names.extend(engine.measures());
        let histograms = vec![Histogram::default(); names.len()];
        let kinds_end = SIZES.len() + engine.n_kinds();
        let samples = Vec::new();
        Stats { names, kinds_end, histograms, distinct: FxHashSet::default(), empty: 0, samples }
    }

    pub(crate) fn add(&mut self, index: u64, test: &Test, sizes: Sizes) {
        let measured = [sizes.bytes, sizes.tokens, sizes.nodes, sizes.height];
        for (histogram, value) in self.histograms.iter_mut().zip(measured.iter().chain(&test.measures)) {
            histogram.add(*value);
        }
        let is_new = self.distinct.insert(sizes.hash);
        let is_empty = sizes.bytes == 0;
        self.empty += u64::from(is_empty);
        if is_new && !is_empty && self.samples.len() < MAX_SAMPLES {
            self.samples.push(Sample::of(index, &test.text));
        }
    }

    /// The kinds of tests, with their numbers.
    pub(crate) fn kinds(&self) -> Vec<(&'static str, u64)> {
        let kinds = self.measured().take(self.kinds_end).skip(SIZES.len());
        kinds.map(|(name, histogram)| (name, u64::try_from(histogram.total()).unwrap_or(u64::MAX))).collect()
    }

    /// The sizes of the tests.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (&'static str, &Histogram)> {
        self.measured().take(SIZES.len())
    }

    /// What the engine measured beyond sizes and kinds: what the tests cost.
    pub(crate) fn costs(&self) -> impl Iterator<Item = (&'static str, &Histogram)> {
        self.measured().skip(self.kinds_end)
    }

    fn measured(&self) -> impl Iterator<Item = (&'static str, &Histogram)> {
        self.names.iter().copied().zip(&self.histograms)
    }

    /// The first few texts.
    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The numbers of different and of empty texts.
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
        for (name, histogram) in self.measured() {
            let total = u64::try_from(histogram.total()).unwrap_or(u64::MAX);
            out[name] = json!({
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
        for (name, histogram) in self.measured() {
            let (median, p99) = (histogram.quantile(500), histogram.quantile(990));
            let _ = writeln!(out, "{name},{median},{p99},{},{}", histogram.max(), histogram.total());
        }
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
    /// Tests that `--unique` left out because they repeat an earlier one.
    pub(crate) repeated: u64,
    pub(crate) time: Duration,
}
