//! Rules that failed at run time during a search: each distinct one once, with how often.

use crate::answer::{Blame, Broken};
use polysmith_attributes::Spec;
use polysmith_source::Span;

/// So many distinct faults of a program are kept; the rest is counted.
const MOST_FAULTS: usize = 8;

/// A rule, guard or list that failed at run time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub blame: Blame,
    /// Why, and in which functions.
    pub message: String,
    /// The expression that failed.
    pub span: Span,
}

impl Fault {
    /// The fault as a sentence.
    pub fn describe(&self, spec: &Spec) -> String {
        let place = spec.production_name(self.blame.production);
        let what = match self.blame.what {
            Broken::Guard(at) => match &spec.production(self.blame.production).guards[at as usize].name {
                Some(name) => format!("the guard `{name}` of `{place}`"),
                None => format!("a requirement of `{place}`"),
            },
            Broken::List => format!("the list of values of `{place}`"),
            Broken::Equation(_) | Broken::NoChoice => format!("a rule of `{place}`"),
        };
        format!("{what} failed: {}", self.message)
    }
}

/// The faults of a program.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub known: Vec<Fault>,
    pub count: u64,
}

impl Faults {
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.count = 0;
    }

    pub(crate) fn note(&mut self, fault: Fault) {
        self.count += 1;
        if self.known.len() < MOST_FAULTS && !self.known.contains(&fault) {
            self.known.push(fault);
        }
    }
}
