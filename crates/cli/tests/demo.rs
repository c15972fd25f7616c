//! `polysmith demo` finds its three planted bugs, tells them apart and reduces each to a line.

use std::process::Command;

#[test]
fn the_demo_finds_and_reduces_three_bugs() {
    let folder = tempfile::tempdir().unwrap();
    let polysmith = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    polysmith(&["demo"]);
    let listed = polysmith(&["findings", "--json", "--store", "polysmith-demo/hunt"]);
    let findings: Vec<serde_json::Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut seen: Vec<&str> =
        findings.iter().map(|finding| finding["signature"][0][1].as_str().unwrap()).collect();
    seen.sort_unstable();
    assert_eq!(seen, ["crash", "differential", "hang"], "{listed}");
    for finding in &findings {
        let smallest = finding["reduced"].as_str().unwrap_or_default();
        assert!((1..=12).contains(&smallest.len()), "{smallest:?} in {finding}");
    }
}
