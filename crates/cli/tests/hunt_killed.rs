//! A campaign that is killed at random moments neither loses nor doubles a finding.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Kills of one campaign.
const KILLS: usize = 50;

/// Four bugs, each with a message of its own, and one refusal.
const TARGET: &str = r#"
case $(cat) in
*1*) echo "prog: a.c:1: f: Assertion \`one' failed." >&2; kill -ABRT $$;;
*2*) echo "prog: a.c:2: f: Assertion \`two' failed." >&2; kill -ABRT $$;;
*3*) echo "thread 'main' panicked at src/three.rs:1:1:" >&2; exit 101;;
*4*) echo "thread 'main' panicked at src/four.rs:1:1:" >&2; exit 101;;
*5*) echo "refused" >&2; exit 1;;
esac
"#;

fn hunt(folder: &Path, store: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
    let options = ["-q", "hunt", "--files", "tests", "--seed", "1", "--unconfined", "--no-reduce", "-j", "1"];
    command.args(options).args(["--store", store, "--", "sh", "target.sh"]);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Key, count and number of kept cases of each finding, sorted.
fn findings(folder: &Path, store: &str) -> Vec<(String, u64, usize)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
    let output = command.args(["findings", "--json", "--store", store]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let read = |line: &str| {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        let cases = finding["cases"].as_array().unwrap().len();
        (finding["key"].as_str().unwrap().to_owned(), finding["count"].as_u64().unwrap(), cases)
    };
    let mut found: Vec<_> = text.lines().map(read).collect();
    found.sort();
    found
}

#[test]
fn a_campaign_that_is_killed_fifty_times_ends_as_one_that_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("tests")).unwrap();
    std::fs::write(folder.join("target.sh"), TARGET).unwrap();
    for n in 0..600 {
        std::fs::write(folder.join(format!("tests/{n:04}")), format!("{}", n % 8)).unwrap();
    }
    assert!(hunt(folder, "whole").status().unwrap().success());
    let whole = findings(folder, "whole");
    assert_eq!(whole.len(), 4);
    assert_eq!(whole.iter().map(|(_, count, _)| count).sum::<u64>(), 300);
    let (mut kills, mut campaign) = (0, 0);
    while kills < KILLS {
        let store = format!("killed{campaign}");
        let mut child = hunt(folder, &store).spawn().unwrap();
        // Moments spread over the start and some batches, not evenly.
        std::thread::sleep(Duration::from_millis(15 + (kills as u64 * 37) % 150));
        if child.try_wait().unwrap().is_some() {
            // It came to its end before this kill: it is checked, and the next kills meet another campaign.
            assert_eq!(findings(folder, &store), whole);
            campaign += 1;
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    let store = format!("killed{campaign}");
    assert!(hunt(folder, &store).status().unwrap().success());
    assert_eq!(findings(folder, &store), whole);
}
