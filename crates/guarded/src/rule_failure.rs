//! Run-time failures of rules during a search: each distinct failure once, and their total number.

use crate::answer::{Blame, BlamedPart};
use polysmith_attributes::Spec;
use polysmith_source::Span;

/// The maximum number of distinct failures that are kept per program.
const MAX_FAILURES: usize = 8;

/// A rule, guard or list that failed at run time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleFailure {
    /// The rule, guard or list.
    pub(crate) blame: Blame,
    /// The failure, with the functions in which it occurred.
    pub(crate) message: String,
    /// The expression that failed.
    pub(crate) span: Span,
}

impl RuleFailure {
    /// Formats the failure as a sentence.
    pub(crate) fn describe(&self, spec: &Spec) -> String {
        let place = spec.production_name(self.blame.production);
        let what = match self.blame.what {
            BlamedPart::Guard(at) => match &spec.production(self.blame.production).guards[at as usize].name {
                Some(name) => format!("the guard `{name}` of `{place}`"),
                None => format!("a requirement of `{place}`"),
            },
            BlamedPart::List => format!("the list of values of `{place}`"),
            BlamedPart::Equation(_) | BlamedPart::NoChoice => format!("a rule of `{place}`"),
        };
        format!("{what} failed: {}", self.message)
    }
}

/// The failures of a program.
#[derive(Debug, Default)]
pub(crate) struct RuleFailures {
    pub known: Vec<RuleFailure>,
    pub count: u64,
}

impl RuleFailures {
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.count = 0;
    }

    pub(crate) fn note(&mut self, failure: RuleFailure) {
        self.count += 1;
        if self.known.len() < MAX_FAILURES && !self.known.contains(&failure) {
            self.known.push(failure);
        }
    }
}
