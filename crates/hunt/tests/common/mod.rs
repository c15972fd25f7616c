//! Runs a campaign against shell scripts, for the tests of this folder.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use polysmith_hunt::oracle::{self, Oracle};
use polysmith_hunt::source::FileSource;
use polysmith_hunt::store::{SqliteStore, Store as _};
use polysmith_hunt::{Budget, Campaign, Feed, Finding, Observer, ReductionPlan, Status, Target};

/// Keeps what is told.
#[derive(Default)]
struct Notes {
    complaints: Vec<String>,
}

impl Observer for Notes {
    fn progress(&mut self, _: &Status) {}

    fn found(&mut self, _: &Finding) {}

    fn complaint(&mut self, why: &str) {
        self.complaints.push(why.to_owned());
    }
}

/// What a campaign found.
pub(crate) struct Seen {
    pub(crate) findings: Vec<Finding>,
    pub(crate) discarded: BTreeMap<String, u64>,
    pub(crate) complaints: Vec<String>,
    pub(crate) flaky: u64,
    pub(crate) timed_out: u64,
}

impl Seen {
    /// Oracle and title of each finding.
    pub(crate) fn titles(&self) -> Vec<(&str, String)> {
        self.findings.iter().map(|finding| (finding.oracle(), finding.signature.title())).collect()
    }

    pub(crate) fn assert_found(&self, oracle: &str, title: &str) {
        let has = |(name, text): &(&str, String)| *name == oracle && text.contains(title);
        assert!(self.titles().iter().any(has), "no `{oracle}: {title}` in {:?}", self.titles());
    }

    pub(crate) fn assert_nothing(&self) {
        assert!(self.findings.is_empty(), "{:?}", self.titles());
    }
}

/// A campaign over texts, on one thread.
pub(crate) struct Hunt<'a> {
    pub(crate) tests: Vec<String>,
    /// Shell scripts.
    pub(crate) targets: Vec<&'a str>,
    pub(crate) feed: Feed,
    pub(crate) seconds: f64,
    pub(crate) oracles: Vec<Box<dyn Oracle>>,
    pub(crate) reduces: bool,
}

impl<'a> Hunt<'a> {
    /// Two small tests, one target, the usual oracles, no reduction.
    pub(crate) fn new(script: &'a str) -> Self {
        Self {
            tests: ["one", "two"].map(str::to_owned).into(),
            targets: vec![script],
            feed: Feed::Stdin,
            seconds: 20.0,
            oracles: oracles(&["crash", "hang"]),
            reduces: false,
        }
    }

    pub(crate) fn run(self) -> Seen {
        polysmith_run::adopt_orphans().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let tests = folder.path().join("tests");
        std::fs::create_dir(&tests).unwrap();
        for (n, text) in self.tests.iter().enumerate() {
            std::fs::write(tests.join(format!("{n:04}")), text).unwrap();
        }
        let target = |(n, script): (usize, &&str)| {
            let command = ["/bin/sh", "-c", script].map(Into::into);
            let mut target = Target::new(&command, Path::new("/"));
            target.name = format!("target{n}");
            target.feed = self.feed;
            target.limits.time = Duration::from_secs_f64(self.seconds);
            target.limits.memory = Some(64 << 20);
            target
        };
        let campaign = Campaign {
            source: Box::new(FileSource::new(&tests).unwrap()),
            targets: self.targets.iter().enumerate().map(target).collect(),
            oracles: self.oracles,
            seed: 1,
            jobs: 1,
            budget: Budget::default(),
            reduction: self.reduces.then(|| ReductionPlan {
                language: None,
                max_questions: 1000,
                max_time: Duration::from_secs(120),
            }),
            is_confined: false,
        };
        let mut store = SqliteStore::open(&folder.path().join("store")).unwrap();
        let mut notes = Notes::default();
        let status = campaign.run(&mut store, &mut notes, &AtomicBool::new(false)).unwrap();
        Seen {
            findings: store.findings().unwrap(),
            discarded: status.counts.discarded.clone(),
            complaints: notes.complaints,
            flaky: status.counts.flaky,
            timed_out: status.counts.targets[0].timed_out,
        }
    }
}

pub(crate) fn oracles(names: &[&str]) -> Vec<Box<dyn Oracle>> {
    names.iter().filter_map(|name| oracle::named(name)).collect()
}
