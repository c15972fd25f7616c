//! Findings, run again; and tests of others, made findings.

use std::io;
use std::sync::atomic::AtomicBool;

use crate::campaign::HuntError;
use crate::examine::Examiner;
use crate::finding::{Case, Discovery, Finding, Sighting};
use crate::halt::Halt;
use crate::oracle::{Care, Failure, Oracle, Verdict, judge};
use crate::panel::Panel;
use crate::reduction::ReductionPlan;
use crate::registry::{Claim, Registry};
use crate::signature::Signature;
use crate::target::Target;

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// It fails as it did.
    Same,
    /// It fails in another way.
    Other(Signature),
    /// It does not fail.
    Fine,
}

/// Runs the smallest test of a finding in fresh processes.
///
/// # Errors
/// When a target or the user's oracle cannot be run.
pub fn replay(finding: &Finding, panel: &mut Panel, oracles: &[Box<dyn Oracle>]) -> io::Result<Replay> {
    let (_, verdict) = judge(panel, oracles, finding.best(), Care::Fresh)?;
    Ok(match verdict {
        Verdict::Failed(failure) if failure.signature.key() == finding.signature.coarse_key() => Replay::Same,
        Verdict::Failed(failure) => Replay::Other(failure.signature),
        Verdict::Fine | Verdict::Discarded(_) => Replay::Fine,
    })
}

/// Tests that somebody else made: each is run, and what fails becomes a finding.
pub struct Addition<'a> {
    /// The targets, in order.
    pub targets: &'a [Target],
    /// The oracles, in order.
    pub oracles: &'a [Box<dyn Oracle>],
    /// How failures are reduced; not at all if `None`.
    pub reduction: Option<&'a ReductionPlan>,
}

/// What became of added tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Tests that were run.
    pub tests: u64,
    /// Those that fail and do so again.
    pub failing: u64,
}

impl Addition<'_> {
    /// Runs tests, given with their names, and gives away what fails. `known` are the coarse keys of the store, which is
    /// written by another thread: this one may be confined.
    ///
    /// # Errors
    /// When a test cannot be read or a target cannot be used.
    pub fn run(
        &self,
        tests: impl IntoIterator<Item = io::Result<(String, Vec<u8>)>>,
        known: Vec<String>,
        interrupted: &AtomicBool,
        give: &mut dyn FnMut(Sighting),
    ) -> Result<Added, HuntError> {
        let registry = Registry::with_known(known);
        let halt = Halt::new(interrupted, None);
        let mut panel = Panel::new(self.targets)?;
        let mut added = Added::default();
        for (index, test) in (0u64..).zip(tests) {
            if halt.is_over() {
                break;
            }
            let (source, test) = test?;
            added.tests += 1;
            let (_, verdict) = judge(&mut panel, self.oracles, &test, Care::Fresh)?;
            let Verdict::Failed(failure) = verdict else { continue };
            let case = Case { test, source, seed: 0, index };
            let Some(sighting) = self.examine(&mut panel, &registry, &halt, case, failure)? else { continue };
            added.failing += 1;
            give(sighting);
        }
        Ok(added)
    }

    fn examine(
        &self,
        panel: &mut Panel,
        registry: &Registry,
        halt: &Halt<'_>,
        case: Case,
        failure: Failure,
    ) -> io::Result<Option<Sighting>> {
        let coarse_key = failure.signature.key();
        if let Claim::Count { keep } = registry.claim(&coarse_key, failure.is_specific) {
            return Ok(Some(Sighting::Repeated { coarse_key, case: keep.then_some(case) }));
        }
        let examiner = Examiner { oracles: self.oracles, reduction: self.reduction, halt };
        let Some(examined) = examiner.examine(panel, &case.test, &failure)? else {
            registry.was_flaky(&coarse_key);
            return Ok(None);
        };
        if !examined.is_reliable && registry.was_cut(&coarse_key) {
            return Ok(Some(Sighting::Repeated { coarse_key, case: None }));
        }
        registry.was_examined(&coarse_key, &examined.signature.key());
        Ok(Some(Sighting::Discovered(Box::new(Discovery {
            signature: examined.signature,
            coarse_key,
            detail: failure.detail,
            commands: self.targets.iter().map(|target| target.command_line("@TEST@")).collect(),
            case,
            reduced: examined.reduced,
        }))))
    }
}
