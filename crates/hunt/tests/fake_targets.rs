//! Targets that misbehave: each gets the right verdict, and nothing of it stays alive.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

mod common;

use common::{Hunt, Seen};
use polysmith_hunt::Feed;

/// Runs two small tests on a target that is a shell script.
fn hunt(script: &str, feed: Feed, seconds: f64) -> Seen {
    Hunt { feed, seconds, ..Hunt::new(script) }.run()
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
fn who_forks_without_end_is_stopped() {
    let seen = hunt("for i in $(seq 400); do sleep 97.531 & done; sleep 2", Feed::Stdin, 60.0);
    seen.assert_nothing();
    assert_eq!(seen.discarded.get("killed by a limit or by somebody else"), Some(&2));
    assert_eq!(processes_with("97.531"), 0);
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
fn a_driver_that_exits_on_each_test_is_started_again() {
    let script = "echo 'polysmith driver 1'; read n; head -c $n >/dev/null; \
                  echo \"thread 'main' panicked at src/lib.rs:1:1:\" >&2; exit 101";
    let seen = hunt(script, Feed::Persistent, 20.0);
    seen.assert_found("crash", "panic");
    assert_eq!((seen.findings[0].count, seen.complaints.len()), (2, 0), "{:?}", seen.complaints);
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
