//! What a campaign counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::execution::{Execution, How};
use crate::signature::normalize;

/// Distinct rejection messages that are counted one by one; the rest is counted together.
const MAX_MESSAGES: usize = 200;

/// Counts of tests, runs and what became of them. They add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Tests that were run.
    pub tests: u64,
    /// Runs of targets, with those for confirmation and reduction.
    pub runs: u64,
    /// Indices for which the source had no test.
    pub skipped: u64,
    /// Tests that a failure was seen on and that did not repeat.
    pub flaky: u64,
    /// Why tests were discarded.
    pub discarded: BTreeMap<String, u64>,
    /// What each target did, in the order of the targets.
    pub targets: Vec<TargetCounts>,
}

/// What one target did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetCounts {
    /// Tests that it took.
    pub accepted: u64,
    /// Tests that it refused.
    pub rejected: u64,
    /// Tests that it took too long for.
    pub timed_out: u64,
    /// Tests that ended in another way.
    pub other: u64,
    /// How often it gave each reason for a rejection, normalized.
    pub messages: BTreeMap<String, u64>,
}

impl Counts {
    /// Counts the executions of one test.
    pub(crate) fn count(&mut self, executions: &[Execution]) {
        self.tests += 1;
        self.targets.resize_with(self.targets.len().max(executions.len()), TargetCounts::default);
        for (counts, execution) in self.targets.iter_mut().zip(executions) {
            counts.count(execution);
        }
    }

    /// Adds other counts to these.
    pub fn add(&mut self, other: &Self) {
        self.tests += other.tests;
        self.runs += other.runs;
        self.skipped += other.skipped;
        self.flaky += other.flaky;
        for (why, count) in &other.discarded {
            *self.discarded.entry(why.clone()).or_default() += count;
        }
        self.targets.resize_with(self.targets.len().max(other.targets.len()), TargetCounts::default);
        for (counts, other) in self.targets.iter_mut().zip(&other.targets) {
            counts.add(other);
        }
    }

    /// Counts a discarded test.
    pub(crate) fn discard(&mut self, why: &str) {
        *self.discarded.entry(why.to_owned()).or_default() += 1;
    }
}

impl TargetCounts {
    fn count(&mut self, execution: &Execution) {
        match execution.how {
            How::Accepted => self.accepted += 1,
            How::Rejected(_) => {
                self.rejected += 1;
                let text = execution.message_text();
                let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
                self.count_message(&normalize(&line.chars().take(200).collect::<String>()), 1);
            }
            How::TimedOut => self.timed_out += 1,
            How::CheckFailed | How::Killed(_) | How::Misframed(_) => self.other += 1,
        }
    }

    fn count_message(&mut self, message: &str, count: u64) {
        if let Some(known) = self.messages.get_mut(message) {
            *known += count;
        } else if self.messages.len() < MAX_MESSAGES {
            self.messages.insert(message.to_owned(), count);
        } else {
            *self.messages.entry("other messages".to_owned()).or_default() += count;
        }
    }

    fn add(&mut self, other: &Self) {
        self.accepted += other.accepted;
        self.rejected += other.rejected;
        self.timed_out += other.timed_out;
        self.other += other.other;
        other.messages.iter().for_each(|(message, count)| self.count_message(message, *count));
    }

    /// Accepted tests as a share of all, between 0 and 1.
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        let all = self.accepted + self.rejected + self.timed_out + self.other;
        if all == 0 { 0.0 } else { self.accepted as f64 / all as f64 }
    }

    /// The most frequent reason for a rejection.
    #[must_use]
    pub fn main_message(&self) -> Option<(&str, u64)> {
        let most = self.messages.iter().max_by_key(|(_, count)| **count)?;
        Some((most.0.as_str(), *most.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let one = |accepted, message: &str| Counts {
            tests: 1,
            discarded: [("slow".to_owned(), 1)].into(),
            targets: vec![TargetCounts {
                accepted,
                messages: [(message.to_owned(), 2)].into(),
                ..Default::default()
            }],
            ..Default::default()
        };
        let mut sum = one(1, "a");
        sum.add(&one(2, "b"));
        sum.add(&one(0, "b"));
        assert_eq!((sum.tests, sum.discarded["slow"], sum.targets[0].accepted), (3, 3, 3));
        assert_eq!(sum.targets[0].main_message(), Some(("b", 4)));
        assert!((sum.targets[0].acceptance() - 1.0).abs() < 1e-9);
    }
}
