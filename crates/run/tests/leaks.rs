//! Thousands of hostile runs in one process: descriptors, children, zombies and files stay what they were.
//!
//! A file of its own with one test, because adopting orphans holds for the whole process.
//! `POLYSMITH_LEAK_RUNS=10000` asks for the long run.
#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use polysmith_run::{Limits, Pool, Scratch, Start, Stdin, adopt_orphans};

const SCRIPTS: [&str; 8] = [
    "exit 0",
    "exit 1",
    "sleep 100 & exit 0",
    "setsid sleep 100 >/dev/null 2>&1 & exit 0",
    "(setsid sh -c 'sleep 100 & sleep 100' &) ; exit 3",
    "env -i setsid sleep 100 >/dev/null 2>&1 & exit 0",
    "mktemp >/dev/null; touch a b c; mkdir -p d/e; exit 0",
    "kill -SEGV $$",
];

#[test]
fn nothing_leaks() {
    let runs: usize = std::env::var("POLYSMITH_LEAK_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    adopt_orphans().unwrap();
    let mut scratch = Scratch::new().unwrap();
    let mut pool = Pool::new();
    let before = descriptors();
    let limits = Limits { time: Duration::from_millis(2000), ..Limits::default() };
    let mut under_way = Vec::new();
    for n in 0..runs {
        let folder = scratch.folder().unwrap();
        let arguments = [OsString::from("-c"), SCRIPTS[n % SCRIPTS.len()].into()];
        let start = Start {
            program: "/bin/sh".as_ref(),
            arguments: &arguments,
            folder: folder.path(),
            environment: &[("TMPDIR", folder.temporary().as_os_str())],
            stdin: Stdin::Empty,
            capture: n % 2 == 0,
        };
        pool.start(n as u64, &start, &limits).unwrap();
        under_way.push((n as u64, folder));
        if under_way.len() == 2 {
            let (done, _) = pool.wait(Duration::from_secs(60)).unwrap();
            under_way.retain(|(ticket, _)| *ticket != done);
        }
    }
    pool.cancel(runs as u64 - 1);
    while pool.wait(Duration::from_secs(60)).is_some() {}
    drop(under_way);
    assert_eq!(descriptors(), before);
    assert_eq!(children(), "");
    // The folders of two runs at once wait for the next ones, empty.
    let folders: Vec<_> = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(folders.len() <= 4, "{folders:?}");
    assert!(folders.iter().all(|folder| fs::read_dir(folder).unwrap().next().is_none()));
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

fn children() -> String {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    tasks.map(|task| fs::read_to_string(task.path().join("children")).unwrap()).collect()
}
