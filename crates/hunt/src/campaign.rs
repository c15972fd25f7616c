//! Runs a source against targets on several threads until the budget is spent.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::counts::Counts;
use crate::finding::Finding;
use crate::halt::Halt;
use crate::oracle::Oracle;
use crate::reduction::ReductionPlan;
use crate::registry::Registry;
use crate::source::Source;
use crate::store::{Commit, Progress, Store, StoreError};
use crate::target::Target;
use crate::worker::{BATCH, Report, Shared, Worker};

/// What is run, and how it is judged.
pub struct Campaign {
    /// Makes the tests.
    pub source: Box<dyn Source>,
    /// Run every test, in this order.
    pub targets: Vec<Target>,
    /// Judge every test, in this order.
    pub oracles: Vec<Box<dyn Oracle>>,
    /// The seed that the source was made with.
    pub seed: u64,
    /// Threads. Never changes the tests.
    pub jobs: usize,
    /// When to end.
    pub budget: Budget,
    /// How failures are reduced; not at all if `None`.
    pub reduction: Option<ReductionPlan>,
    /// Whether targets are kept from the network, from other processes and from files outside their folder.
    pub is_confined: bool,
}

/// When a campaign ends; whatever comes first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// After this many tests, with those of earlier runs of the campaign.
    pub tests: Option<u64>,
    /// After this much wall time.
    pub time: Option<Duration>,
    /// When the store has this many findings.
    pub findings: Option<u64>,
}

/// Why a campaign cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// A target, an oracle or a folder cannot be used.
    #[error(transparent)]
    Run(#[from] io::Error),
    /// The source cannot make any test.
    #[error("no test can be made: {0}")]
    Source(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A worker ended without a word: a bug of ours.
    #[error("a worker of the campaign ended unexpectedly")]
    WorkerLost,
}

/// How far a campaign is.
#[derive(Clone, Debug)]
pub struct Status {
    /// What was counted, with earlier runs of the campaign.
    pub counts: Counts,
    /// Tests of this run.
    pub new_tests: u64,
    /// Runs of targets in this run.
    pub new_runs: u64,
    /// Wall time of this run.
    pub time: Duration,
    /// Findings in the store.
    pub findings: u64,
    /// Findings that this run added.
    pub new_findings: u64,
}

/// Is told what happens.
pub trait Observer {
    /// Called about once a second, and at the end.
    fn progress(&mut self, status: &Status);

    /// A new finding is in the store.
    fn found(&mut self, finding: &Finding);

    /// A driver does not keep to the protocol. Called once.
    fn complaint(&mut self, why: &str);
}

/// How often progress is committed and told.
const TICK: Duration = Duration::from_secs(1);

impl Campaign {
    /// Runs the campaign from where the store says that it stopped.
    ///
    /// # Errors
    /// When targets, source or store cannot be used.
    pub fn run(
        &self,
        store: &mut dyn Store,
        observer: &mut dyn Observer,
        interrupted: &AtomicBool,
    ) -> Result<Status, HuntError> {
        let started = Instant::now();
        let registry = Registry::with_known(store.coarse_keys()?);
        let progress = store.progress()?;
        let halt = Halt::new(interrupted, self.budget.time.map(|time| started + time));
        let shared = Shared { campaign: self, registry: &registry, halt: &halt };
        let batches = Batches {
            next: AtomicU64::new(progress.next),
            skip: progress.beyond.clone(),
            end: self.budget.tests.unwrap_or(u64::MAX),
        };
        let mut desk = Desk::new(store, observer, progress, started)?;
        let enough = self.budget.findings.unwrap_or(u64::MAX);
        if desk.status.findings >= enough {
            return desk.finish();
        }
        let (to_desk, reports) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                let to_desk = to_desk.clone();
                let (shared, batches) = (&shared, &batches);
                scope.spawn(move || work(shared, batches, &to_desk));
            }
            drop(to_desk);
            let ended = desk.receive(&reports, &halt, enough);
            halt.set();
            ended
        })?;
        desk.finish()
    }
}

/// Gives out batches.
struct Batches {
    next: AtomicU64,
    /// Batches that an earlier run began: how many of their indices are done.
    skip: BTreeMap<u64, u64>,
    end: u64,
}

impl Batches {
    /// The next batch: its number, the indices that are done, its end.
    fn take(&self) -> Option<(u64, u64, u64)> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let end = ((number + 1) * BATCH).min(self.end);
            let skip = self.skip.get(&number).copied().unwrap_or_default();
            match number * BATCH >= self.end {
                true => return None,
                false if number * BATCH + skip >= end => {}
                false => return Some((number, skip, end)),
            }
        }
    }
}

/// What a worker thread does.
fn work(shared: &Shared<'_>, batches: &Batches, to_desk: &Sender<Result<Report, HuntError>>) {
    let confine = || {
        if shared.campaign.is_confined { polysmith_run::confine::enter_thread().map(Some) } else { Ok(None) }
    };
    let (confinement, mut worker) =
        match confine().and_then(|confinement| Ok((confinement, Worker::new(shared)?))) {
            Ok(ready) => ready,
            Err(error) => {
                let _ = to_desk.send(Err(error.into()));
                return;
            }
        };
    while let Some((number, skip, end)) = batches.take() {
        let report = worker.run(number, skip, end);
        confinement.iter().for_each(polysmith_run::confine::Confinement::kill_strays);
        let is_last =
            report.as_ref().map_or(true, |report| report.is_exhausted || number * BATCH + report.done < end);
        // A closed channel means that the campaign ends.
        if to_desk.send(report).is_err() || is_last {
            return;
        }
    }
}

/// Receives reports, commits them and tells about them.
struct Desk<'a> {
    store: &'a mut dyn Store,
    observer: &'a mut dyn Observer,
    progress: Progress,
    status: Status,
    pending: Commit,
    started: Instant,
    last_commit: Instant,
    has_complained: bool,
}

impl<'a> Desk<'a> {
    fn new(
        store: &'a mut dyn Store,
        observer: &'a mut dyn Observer,
        progress: Progress,
        started: Instant,
    ) -> Result<Self, HuntError> {
        let status = Status {
            counts: progress.counts.clone(),
            new_tests: 0,
            new_runs: 0,
            time: Duration::ZERO,
            findings: store.count_findings()?,
            new_findings: 0,
        };
        let (pending, has_complained) = (Commit::default(), false);
        Ok(Self { store, observer, progress, status, pending, started, last_commit: started, has_complained })
    }

    /// Takes reports until the workers have ended. Halts them when there are enough findings.
    fn receive(
        &mut self,
        reports: &Receiver<Result<Report, HuntError>>,
        halt: &Halt<'_>,
        enough: u64,
    ) -> Result<(), HuntError> {
        loop {
            match reports.recv_timeout(TICK) {
                Ok(report) => self.take(report?)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if self.status.findings >= enough {
                halt.set();
            }
            if self.last_commit.elapsed() >= TICK {
                self.commit()?;
                self.tell();
            }
        }
    }

    fn take(&mut self, report: Report) -> Result<(), HuntError> {
        self.status.new_tests += report.counts.tests;
        self.status.new_runs += report.counts.runs;
        self.status.counts.add(&report.counts);
        self.progress.counts.add(&report.counts);
        self.progress.done(report.number, report.done, BATCH);
        if let (Some(why), false) = (&report.complaint, self.has_complained) {
            self.has_complained = true;
            self.observer.complaint(why);
        }
        let is_urgent = !report.sightings.is_empty();
        self.pending.sightings.extend(report.sightings);
        if is_urgent { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), HuntError> {
        let commit = std::mem::take(&mut self.pending);
        let new = self.store.commit(&commit, &self.progress)?;
        self.last_commit = Instant::now();
        for id in new {
            self.status.new_findings += 1;
            self.status.findings += 1;
            if let Some(finding) = self.store.finding(id)? {
                self.observer.found(&finding);
            }
        }
        Ok(())
    }

    fn tell(&mut self) {
        self.status.time = self.started.elapsed();
        self.observer.progress(&self.status);
    }

    fn finish(mut self) -> Result<Status, HuntError> {
        self.commit()?;
        self.tell();
        Ok(self.status)
    }
}
