//! Judges what targets did with a test.
//!
//! One file per oracle, and one line in [`ORACLES`]. An oracle sees the executions of all targets and may run the targets
//! again. The first failure counts.

mod command;
mod crash;
mod differential;
mod hang;
mod rejects_valid;
mod round_trip;

use std::io;

pub use command::CommandOracle;
pub use differential::{Compare, Differential};

use crate::execution::{Execution, How};
use crate::panel::Panel;
use crate::signature::Signature;

/// Judges the executions of one test.
pub trait Oracle: Send + Sync {
    /// Its name in options, reports and signatures.
    fn name(&self) -> &'static str;

    /// What it looks for, in one line.
    fn summary(&self) -> &'static str;

    /// Judges a test. More than one run of the targets is only allowed after a suspicion, or if the oracle consists
    /// of it.
    ///
    /// # Errors
    /// When a target or the user's oracle cannot be run.
    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict>;
}

/// The oracles that need no setting.
const ORACLES: &[fn() -> Box<dyn Oracle>] = &[
    || Box::new(crash::Crash),
    || Box::new(hang::Hang::default()),
    || Box::new(round_trip::RoundTrip),
    || Box::new(rejects_valid::RejectsValid),
    || Box::new(Differential { compare: Compare::Results }),
    || Box::new(Differential { compare: Compare::Acceptance }),
];

/// One of each of the oracles that need no setting.
pub fn all() -> impl Iterator<Item = Box<dyn Oracle>> {
    ORACLES.iter().map(|make| make())
}

/// An oracle by its name.
#[must_use]
pub fn named(name: &str) -> Option<Box<dyn Oracle>> {
    all().find(|oracle| oracle.name() == name)
}

/// A test that was run once on every target.
pub struct Trial<'a> {
    /// The test.
    pub test: &'a [u8],
    /// One execution for each target.
    pub executions: &'a [Execution],
    /// The targets, to run them again.
    pub panel: &'a mut Panel,
    /// How carefully the test is judged.
    pub care: Care,
}

/// How carefully a test is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// A test that is met for the first time.
    Usual,
    /// In fresh processes, to see whether a failure repeats.
    Fresh,
    /// A candidate of a reduction, one of hundreds: a suspicion is enough, since the smallest test is judged again.
    Quick,
}

/// What an oracle, or all of them, say about a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Fine,
    /// The test says nothing; the text says why.
    Discarded(&'static str),
    /// Something is wrong.
    Failed(Failure),
}

/// Something is wrong with a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Tells bugs apart.
    pub signature: Signature,
    /// Whether the signature alone tells bugs apart. If not, features of the reduced test are added to it.
    pub is_specific: bool,
    /// What happened, for people: a few lines, not yet escaped.
    pub detail: String,
}

/// Runs a test on all targets and asks the oracles, in their order.
///
/// # Errors
/// When a target or the user's oracle cannot be run.
pub fn judge(
    panel: &mut Panel,
    oracles: &[Box<dyn Oracle>],
    test: &[u8],
    care: Care,
) -> io::Result<(Vec<Execution>, Verdict)> {
    let executions = panel.run_all(test, care == Care::Fresh)?;
    let mut verdict = discarded(panel, &executions);
    for oracle in oracles {
        if verdict != Verdict::Fine {
            break;
        }
        verdict = oracle.judge(&mut Trial { test, executions: &executions, panel, care })?;
    }
    Ok((executions, verdict))
}

/// Why a test is discarded before any oracle sees it.
fn discarded(panel: &Panel, executions: &[Execution]) -> Verdict {
    for (n, execution) in executions.iter().enumerate() {
        if matches!(execution.how, How::Misframed(_)) {
            return Verdict::Discarded(BROKEN_PROTOCOL);
        }
        if !execution.is_accepted() && panel.target(n).expects(&execution.message_text()) {
            return Verdict::Discarded("expected error");
        }
    }
    Verdict::Fine
}

/// Why a test is discarded whose driver gave no proper answer.
pub const BROKEN_PROTOCOL: &str = "the driver broke the protocol";
