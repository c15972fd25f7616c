//! What a confined thread starts has no network and cannot write outside the folder for temporary files.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::path::Path;

use polysmith_run::{Limits, Pool, Scratch, Start, Stdin, confine};

fn run(script: &str) -> String {
    let mut scratch = Scratch::new().unwrap();
    let folder = scratch.folder().unwrap();
    let start = Start {
        program: "/bin/sh".as_ref(),
        arguments: &["-c".into(), script.into()],
        folder: folder.path(),
        environment: &[],
        stdin: Stdin::Empty,
        capture: true,
    };
    let outcome = Pool::new().run(&start, &Limits::default()).unwrap();
    String::from_utf8_lossy(&outcome.stdout).into_owned()
}

#[test]
fn a_confined_run_writes_only_to_temporary_folders_and_has_no_network() {
    let outside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("confined");
    let script =
        format!("echo here > x && cat x; echo out > {}; cut -d: -f1 /proc/net/dev", outside.display());
    let confined = std::thread::spawn(move || {
        // The kernel may not allow it; then there is nothing to test.
        let _confinement = confine::enter_thread().ok()?;
        Some(run(&script))
    });
    let Some(said) = confined.join().unwrap() else { return };
    assert!(said.starts_with("here\n"), "{said}");
    assert!(!outside.exists());
    let interfaces = said.lines().skip(3).map(str::trim).collect::<Vec<_>>();
    assert_eq!(interfaces, ["lo"]);
}
