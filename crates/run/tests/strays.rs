//! Strays of a run die with it; children that were started in another way live on.
//!
//! A file of its own with one test: adopting orphans holds for the whole process.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use polysmith_run::{Limits, Pool, Scratch, Start, Stdin, adopt_orphans};

/// Each leaves its run in another way and writes its process id to the file `pid`.
const STRAYS: [&str; 5] = [
    // A new session, orphaned.
    "(setsid sh -c 'echo $$ > pid; exec sleep 100' >/dev/null 2>&1 &); exit 0",
    // The same with a second generation.
    "(setsid sh -c '(setsid sh -c \"echo \\$\\$ > pid; exec sleep 100\" &)' >/dev/null 2>&1 &); exit 0",
    // Nothing in its environment.
    "(env -i setsid sh -c 'echo $$ > pid; exec sleep 100' >/dev/null 2>&1 &); exit 0",
    // Nothing in its environment, at work elsewhere. The limit that marks it is set a moment after the start: the script
    // waits until its limit is not that of its parent any more.
    "while [ \"$(grep msgqueue /proc/$$/limits)\" = \"$(grep msgqueue /proc/$PPID/limits)\" ]; do :; done; \
     (env -i setsid sh -c 'echo $$ > pid; cd /; exec sleep 100' >/dev/null 2>&1 &); exit 0",
    // Somebody else waits while it leaves.
    "setsid sh -c 'echo $$ > pid; exec sleep 100' >/dev/null 2>&1 & sleep 0.05; exit 0",
];

#[test]
fn only_descendants_of_runs_are_killed() {
    adopt_orphans().unwrap();
    let mut foreign =
        Command::new("sleep").arg("100").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // An orphan of a foreign child is adopted too, and must live on as well.
    let script = "setsid sleep 100 >/dev/null 2>&1 & echo $!";
    let shell = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).output().unwrap();
    let orphan: u32 = String::from_utf8(shell.stdout).unwrap().trim().parse().unwrap();

    let mut scratch = Scratch::new().unwrap();
    let mut pool = Pool::new();
    let beside = scratch.folder().unwrap();
    let sleeper = ["100".into()];
    let start = Start {
        program: "sleep".as_ref(),
        arguments: &sleeper,
        folder: beside.path(),
        environment: &[],
        stdin: Stdin::Empty,
        capture: false,
    };
    pool.start(1, &start, &Limits::default()).unwrap();
    for script in STRAYS {
        let folder = scratch.folder().unwrap();
        let wait = "while [ ! -s pid ]; do sleep 0.01; done";
        let arguments = ["-c".into(), script.replace("exit 0", &format!("{wait}; exit 0")).into()];
        let start =
            Start { program: "/bin/sh".as_ref(), arguments: &arguments, folder: folder.path(), ..start };
        pool.start(2, &start, &Limits::default()).unwrap();
        let (ticket, _) = pool.wait(Duration::from_secs(60)).unwrap();
        assert_eq!(ticket, 2);
        let pid: u32 = fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
        assert!(!is_alive(pid), "{script}");
    }
    assert_eq!(pool.len(), 1);
    pool.cancel(1);
    assert!(foreign.try_wait().unwrap().is_none() && is_alive(orphan));
    foreign.kill().unwrap();
    foreign.wait().unwrap();
    Command::new("kill").arg(orphan.to_string()).status().unwrap();
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
