//! One thread of a campaign: takes batches of indices, runs their tests, reports.

use std::io;

use crate::campaign::{Campaign, HuntError};
use crate::counts::Counts;
use crate::examine::Examiner;
use crate::execution::{Execution, How};
use crate::finding::{Case, Discovery, Sighting};
use crate::halt::Halt;
use crate::oracle::{Care, Failure, Verdict, judge};
use crate::panel::Panel;
use crate::registry::{Claim, Registry};
use crate::source::{NoTest, SourceWorker};

/// Indices of one batch: few enough that a killed campaign repeats little, many enough that reports cost nothing.
pub(crate) const BATCH: u64 = 16;

/// What became of a batch.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The batch.
    pub(crate) number: u64,
    /// Indices of the batch that are done, counted from its first.
    pub(crate) done: u64,
    pub(crate) counts: Counts,
    pub(crate) sightings: Vec<Sighting>,
    /// What a driver did wrong, if one broke the protocol.
    pub(crate) complaint: Option<String>,
    /// The source has no more tests.
    pub(crate) is_exhausted: bool,
}

/// What all workers share.
pub(crate) struct Shared<'a> {
    pub(crate) campaign: &'a Campaign,
    pub(crate) registry: &'a Registry,
    pub(crate) halt: &'a Halt<'a>,
}

/// A thread's own part.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    panel: Panel,
    source: Box<dyn SourceWorker + 'a>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>) -> io::Result<Self> {
        let panel = Panel::new(&shared.campaign.targets)?;
        Ok(Self { shared, panel, source: shared.campaign.source.worker()? })
    }

    /// Runs the tests `first..end` of a batch, or fewer if the campaign stops.
    pub(crate) fn run(&mut self, number: u64, skip: u64, end: u64) -> Result<Report, HuntError> {
        let mut report = Report { number, done: skip, ..Report::default() };
        let mut test = Vec::new();
        let runs = self.panel.runs();
        for index in number * BATCH + skip..end {
            if self.shared.halt.is_over() {
                break;
            }
            test.clear();
            match self.source.make(index, &mut test) {
                Ok(()) => self.run_test(index, &test, &mut report)?,
                Err(NoTest::Skipped(_)) => report.counts.skipped += 1,
                Err(NoTest::Exhausted) => {
                    report.is_exhausted = true;
                    break;
                }
                Err(NoTest::Broken(why)) => return Err(HuntError::Source(why)),
            }
            report.done += 1;
        }
        report.counts.runs = self.panel.runs() - runs;
        Ok(report)
    }

    fn run_test(&mut self, index: u64, test: &[u8], report: &mut Report) -> Result<(), HuntError> {
        let oracles = &self.shared.campaign.oracles;
        let (executions, verdict) = judge(&mut self.panel, oracles, test, Care::Usual)?;
        report.counts.count(&executions);
        report.complaint = report.complaint.take().or_else(|| complaint(&executions));
        match verdict {
            Verdict::Fine => {}
            Verdict::Discarded(why) => report.counts.discard(why),
            Verdict::Failed(failure) => self.failed(index, test, failure, report)?,
        }
        Ok(())
    }

    fn failed(
        &mut self,
        index: u64,
        test: &[u8],
        failure: Failure,
        report: &mut Report,
    ) -> Result<(), HuntError> {
        let coarse_key = failure.signature.key();
        let case = Case {
            test: test.to_vec(),
            source: self.source.name_of(index),
            seed: self.shared.campaign.seed,
            index,
        };
        match self.shared.registry.claim(&coarse_key, failure.is_specific) {
            Claim::Flaky => report.counts.flaky += 1,
            Claim::Count { keep } => {
                report.sightings.push(Sighting::Repeated { coarse_key, case: keep.then_some(case) });
            }
            Claim::Examine => {
                let examiner = Examiner {
                    oracles: &self.shared.campaign.oracles,
                    reduction: self.shared.campaign.reduction.as_ref(),
                    halt: self.shared.halt,
                };
                match examiner.examine(&mut self.panel, test, &failure)? {
                    None => {
                        self.shared.registry.was_flaky(&coarse_key);
                        report.counts.flaky += 1;
                    }
                    Some(examined) if !examined.is_reliable && self.shared.registry.was_cut(&coarse_key) => {
                        report.sightings.push(Sighting::Repeated { coarse_key, case: None });
                    }
                    Some(examined) => {
                        self.shared.registry.was_examined(&coarse_key, &examined.signature.key());
                        let commands =
                            self.shared.campaign.targets.iter().map(|target| target.command_line("@TEST@"));
                        report.sightings.push(Sighting::Discovered(Box::new(Discovery {
                            signature: examined.signature,
                            coarse_key,
                            detail: failure.detail,
                            commands: commands.collect(),
                            case,
                            reduced: examined.reduced,
                        })));
                    }
                }
            }
        }
        Ok(())
    }
}

fn complaint(executions: &[Execution]) -> Option<String> {
    executions.iter().find_map(|execution| match &execution.how {
        How::Misframed(why) => Some(why.clone()),
        _ => None,
    })
}
