//! Programs that behave badly: the right outcome, and nothing of them left.
#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use polysmith_run::{Ended, Folder, Limits, Outcome, Pool, Scratch, Start, Stdin};

/// The folder of a run, and the scratch folder that goes after it.
struct Kept {
    folder: Folder,
    _scratch: Scratch,
}

fn run(script: &str, limits: &Limits) -> (Outcome, Kept) {
    let mut scratch = Scratch::new().unwrap();
    let folder = scratch.folder().unwrap();
    let arguments = [OsString::from("-c"), script.into()];
    let start = Start {
        program: "/bin/sh".as_ref(),
        arguments: &arguments,
        folder: folder.path(),
        environment: &[("TMPDIR", folder.temporary().as_os_str())],
        stdin: Stdin::Empty,
        capture: true,
    };
    let outcome = Pool::new().run(&start, limits).unwrap();
    (outcome, Kept { folder, _scratch: scratch })
}

fn short() -> Limits {
    Limits { time: Duration::from_millis(200), ..Limits::default() }
}

/// A killed orphan is reaped by init, a moment after the run came back.
fn vanishes(pid: &str) -> bool {
    let stat = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    (0..400).any(|_| {
        let gone = stat().is_empty() || stat().contains(") Z ");
        if !gone {
            std::thread::sleep(Duration::from_millis(5));
        }
        gone
    })
}

#[test]
fn one_that_hangs_is_killed_with_its_children() {
    let (outcome, kept) = run("sleep 1000 & echo $! > child; wait", &short());
    assert_eq!(outcome.ended, Ended::TimedOut);
    let child = fs::read_to_string(kept.folder.path().join("child")).unwrap();
    assert!(vanishes(&child));
}

#[test]
fn one_that_ignores_sigterm_is_killed_all_the_same() {
    let (outcome, _) = run("trap '' TERM INT HUP; while :; do :; done", &short());
    assert_eq!(outcome.ended, Ended::TimedOut);
}

#[test]
fn what_stays_in_the_background_ends_with_the_leader() {
    let (outcome, kept) = run("sleep 1000 & echo $! > child; exit 7", &Limits::default());
    assert_eq!(outcome.ended, Ended::Exited(7));
    let child = fs::read_to_string(kept.folder.path().join("child")).unwrap();
    assert!(vanishes(&child));
}

#[test]
fn a_flood_of_output_is_kept_up_to_the_limit() {
    let limits = Limits { output: 1000, ..short() };
    let (outcome, _) = run("yes flood; exit 0", &limits);
    assert_eq!(outcome.ended, Ended::TimedOut);
    assert_eq!(outcome.stdout.len(), 1000);
    assert!(outcome.stdout.starts_with(b"flood\n"));
}

#[test]
fn eating_memory_ends_at_the_limit() {
    let limits = Limits { memory: Some(64 << 20), time: Duration::from_secs(20), ..Limits::default() };
    let (outcome, _) = run("x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done", &limits);
    assert!(matches!(outcome.ended, Ended::Exited(1..) | Ended::Killed(_)), "{:?}", outcome.ended);
}

#[test]
fn using_the_processor_ends_at_the_limit() {
    let limits = Limits {
        processor: Some(Duration::from_millis(10)),
        time: Duration::from_secs(120),
        ..Limits::default()
    };
    let (outcome, _) = run("while :; do :; done", &limits);
    // The kernel counts whole seconds.
    assert!(matches!(outcome.ended, Ended::Killed(24 | 9)), "{:?}", outcome.ended);
    assert!(outcome.time < Duration::from_secs(120));
}

#[test]
fn too_many_processes_end_together() {
    let limits = Limits { processes: Some(20), time: Duration::from_secs(120), ..Limits::default() };
    let many = |count: usize| format!("for i in $(seq {count}); do sleep 98.7654 & done; sleep 1");
    let (outcome, _) = run(&many(40), &limits);
    assert_eq!(outcome.ended, Ended::Killed(9));
    let (outcome, _) = run(&many(10), &limits);
    assert_eq!(outcome.ended, Ended::Exited(0));
}

#[test]
fn filling_the_disk_ends_at_the_file_limit() {
    let limits = Limits { file: Some(1 << 20), time: Duration::from_secs(20), ..Limits::default() };
    let (outcome, kept) = run("exec cat /dev/zero > big", &limits);
    assert_eq!(outcome.ended, Ended::Killed(25));
    // The limit is set a moment after the start, so the file may have grown over it by then.
    assert!(fs::metadata(kept.folder.path().join("big")).unwrap().len() < 256 << 20);
    assert_vanishes(kept.folder);
}

#[test]
fn a_test_may_delete_its_own_folder() {
    let (outcome, kept) = run(r#"rm -rf "$PWD" "$TMPDIR"; exit 0"#, &Limits::default());
    assert_eq!(outcome.ended, Ended::Exited(0));
    assert_vanishes(kept.folder);
}

#[test]
fn forbidden_folders_are_removed_too() {
    let (_, kept) = run("mkdir -p a/b; touch a/b/c; chmod 000 a/b a; ln -s / link", &Limits::default());
    assert_vanishes(kept.folder);
}

#[test]
fn a_folder_that_became_a_link_is_not_followed() {
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("precious"), "").unwrap();
    let script = format!(
        r#"rm -rf "$PWD" "$TMPDIR"; for d in "$PWD" "$TMPDIR"; do ln -s {} "$d"; done"#,
        elsewhere.path().display()
    );
    let (_, kept) = run(&script, &Limits::default());
    assert_vanishes(kept.folder);
    assert!(elsewhere.path().join("precious").exists());
}

#[test]
fn a_used_folder_is_as_good_as_new() {
    let mut scratch = Scratch::new().unwrap();
    let first = scratch.folder().unwrap();
    let work = first.path().to_owned();
    fs::create_dir_all(work.join("a/b")).unwrap();
    fs::write(first.temporary().join("c"), "").unwrap();
    drop(first);
    let second = scratch.folder().unwrap();
    assert_eq!(second.path(), work);
    assert!(is_gone_or_empty(second.path()) && is_gone_or_empty(second.temporary()));
    // Two runs at once never share a folder, and changed permissions end the use of one.
    assert_ne!(scratch.folder().unwrap().path(), work);
    fs::set_permissions(&work, fs::Permissions::from_mode(0o500)).unwrap();
    drop(second);
    let next: Vec<Folder> = (0..2).map(|_| scratch.folder().unwrap()).collect();
    assert!(next.iter().all(|folder| folder.path() != work));
}

#[test]
fn a_crash_is_told_apart_from_an_exit() {
    let (outcome, _) = run("kill -SEGV $$", &Limits::default());
    assert_eq!(outcome.ended.to_string(), "killed by signal 11 (SIGSEGV)");
}

fn assert_vanishes(folder: Folder) {
    let (work, temporary) = (folder.path().to_owned(), folder.temporary().to_owned());
    drop(folder);
    assert!(is_gone_or_empty(&work) && is_gone_or_empty(&temporary));
}

/// An empty folder waits for its next run.
fn is_gone_or_empty(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(meta) => meta.is_dir() && fs::read_dir(path).unwrap().next().is_none(),
        Err(_) => true,
    }
}
