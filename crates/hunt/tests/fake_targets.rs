//! Targets that misbehave: each gets the right verdict, and nothing of it stays alive.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use polysmith_hunt::oracle::{self, Oracle};
use polysmith_hunt::source::FileSource;
use polysmith_hunt::store::{SqliteStore, Store as _};
use polysmith_hunt::{Budget, Campaign, Feed, Finding, Observer, Status, Target};

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

/// What a campaign against one target found.
struct Seen {
    /// Oracle and title of each finding.
    findings: Vec<(String, String)>,
    discarded: BTreeMap<String, u64>,
    complaints: Vec<String>,
    flaky: u64,
    timed_out: u64,
}

impl Seen {
    fn assert_found(&self, oracle: &str, title: &str) {
        let has = |(name, text): &(String, String)| name == oracle && text.contains(title);
        assert!(self.findings.iter().any(has), "no `{oracle}: {title}` in {:?}", self.findings);
    }

    fn assert_nothing(&self) {
        assert!(self.findings.is_empty(), "{:?}", self.findings);
    }
}

fn oracles() -> Vec<Box<dyn Oracle>> {
    ["crash", "hang"].iter().filter_map(|name| oracle::named(name)).collect()
}

/// Runs two small tests on a target that is a shell script.
fn hunt(script: &str, feed: Feed, seconds: f64) -> Seen {
    polysmith_run::adopt_orphans().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("tests");
    std::fs::create_dir(&tests).unwrap();
    for (name, text) in [("a", "one"), ("b", "two")] {
        std::fs::write(tests.join(name), text).unwrap();
    }
    let command = ["/bin/sh", "-c", script].map(Into::into);
    let mut target = Target::new(&command, Path::new("/"));
    target.feed = feed;
    target.limits.time = Duration::from_secs_f64(seconds);
    target.limits.memory = Some(64 << 20);
    let campaign = Campaign {
        source: Box::new(FileSource::new(&tests).unwrap()),
        targets: vec![target],
        oracles: oracles(),
        seed: 1,
        jobs: 1,
        budget: Budget::default(),
        reduction: None,
        is_confined: false,
    };
    let mut store = SqliteStore::open(&folder.path().join("store")).unwrap();
    let mut notes = Notes::default();
    let status = campaign.run(&mut store, &mut notes, &AtomicBool::new(false)).unwrap();
    let findings = store.findings().unwrap();
    Seen {
        findings: findings.iter().map(|f| (f.oracle().to_owned(), f.signature.title())).collect(),
        discarded: status.counts.discarded.clone(),
        complaints: notes.complaints,
        flaky: status.counts.flaky,
        timed_out: status.counts.targets[0].timed_out,
    }
}

/// Processes whose command line contains a text that only the test uses.
fn processes_with(text: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(text)).count()
}

#[test]
fn a_crash_is_a_crash() {
    hunt("kill -SEGV $$", Feed::Stdin, 20.0).assert_found("crash", "SIGSEGV");
}

#[test]
fn an_abort_with_an_assertion_is_named_by_the_assertion() {
    let script = "echo \"prog: file.c:12: main: Assertion \\`x > 0' failed.\" >&2; kill -ABRT $$";
    hunt(script, Feed::Stdin, 20.0).assert_found("crash", "assertion");
}

#[test]
fn a_hang_is_a_hang_also_when_it_ignores_polite_signals() {
    let seen = hunt("trap '' TERM INT HUP; while :; do sleep 0.1; done", Feed::Stdin, 0.3);
    seen.assert_found("hang", "hang");
    assert_eq!(seen.timed_out, 2);
}

#[test]
fn slow_is_not_a_hang() {
    let seen = hunt("sleep 0.7", Feed::Stdin, 0.5);
    seen.assert_nothing();
    assert_eq!(seen.discarded.get("slow"), Some(&2));
}

#[test]
fn what_forks_away_is_fine_and_does_not_live_on() {
    hunt("setsid sleep 98761 >/dev/null 2>&1 & exit 0", Feed::Stdin, 20.0).assert_nothing();
    assert_eq!(processes_with("98761"), 0);
}

#[test]
fn flooded_output_is_capped() {
    hunt("head -c 50000000 /dev/zero; exit 0", Feed::Stdin, 60.0).assert_nothing();
}

#[test]
fn who_eats_memory_is_no_crash() {
    let seen = hunt("exec tail /dev/zero", Feed::Stdin, 60.0);
    seen.assert_nothing();
    assert_eq!(seen.discarded.get("out of memory"), Some(&2));
}

#[test]
fn random_answers_do_not_become_findings() {
    // Fails the first time only: it leaves a note outside its folder.
    let note = tempfile::tempdir().unwrap();
    let path = note.path().display();
    let script = format!("[ -e {path}/seen ] && exit 0; touch {path}/seen; kill -SEGV $$");
    let seen = hunt(&script, Feed::Stdin, 20.0);
    seen.assert_nothing();
    assert_eq!(seen.flaky, 1);
}

#[test]
fn who_dies_before_reading_is_rejected() {
    hunt("exec <&-; exit 7", Feed::Stdin, 20.0).assert_nothing();
    hunt("exec <&-; exit 7", Feed::Persistent, 20.0).assert_nothing();
}

#[test]
fn a_driver_that_dies_on_a_test_is_a_crash() {
    let script = "echo 'polysmith driver 1'; read n; kill -SEGV $$";
    hunt(script, Feed::Persistent, 20.0).assert_found("crash", "SIGSEGV");
}

#[test]
fn a_driver_that_reports_a_failed_check_is_a_crash() {
    let script = "echo 'polysmith driver 1'; n=0; while read l; do head -c $l >/dev/null; \
                  printf 'fail %d 5\\nwrong\\n' $n; n=$((n+1)); done";
    hunt(script, Feed::Persistent, 20.0).assert_found("crash", "failed check");
}

#[test]
fn a_driver_that_lies_about_framing_is_complained_about() {
    for lie in ["ok 99 0\\n\\n", "ok 0 18446744073709551615\\nx\\n", "ok 0 1\\nxyz\\n"] {
        let script = format!("echo 'polysmith driver 1'; while read l; do printf '{lie}'; done");
        let seen = hunt(&script, Feed::Persistent, 1.0);
        seen.assert_nothing();
        assert_eq!(seen.complaints.len(), 1, "{lie}");
    }
}
