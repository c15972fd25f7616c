//! Oracles that run targets again or compare them: what they find, and what they leave alone.

mod common;

use common::{Hunt, Seen, oracles};
use polysmith_hunt::Oracle;
use polysmith_hunt::oracle::CommandOracle;

fn hunt(script: &str, tests: &[&str], oracles: Vec<Box<dyn Oracle>>) -> Seen {
    Hunt { tests: tests.iter().map(ToString::to_string).collect(), oracles, ..Hunt::new(script) }.run()
}

#[test]
fn a_printer_whose_output_reads_back_is_fine() {
    hunt("tr a-z A-Z", &["one", "TWO"], oracles(&["round-trip"])).assert_nothing();
}

#[test]
fn output_that_the_target_refuses_breaks_the_round_trip() {
    // Prints quotes that it does not read.
    let script = r#"read t; case $t in \"*) echo "no quotes here" >&2; exit 1;; esac; echo "\"$t\"""#;
    let seen = hunt(script, &["one"], oracles(&["round-trip"]));
    seen.assert_found("round-trip", "own output is refused · no quotes here");
    assert!(seen.findings[0].detail.contains(r#"it printed: "one""#), "{}", seen.findings[0].detail);
}

#[test]
fn output_that_gives_another_result_breaks_the_round_trip() {
    let seen = hunt("sed s/x/xx/", &["one", "axe"], oracles(&["round-trip"]));
    seen.assert_found("round-trip", "own output gives another result");
    assert_eq!(seen.findings.len(), 1);
}

#[test]
fn a_test_that_is_refused_has_no_round_trip() {
    hunt("echo no >&2; exit 1", &["one"], oracles(&["round-trip"])).assert_nothing();
}

#[test]
fn each_reason_to_refuse_a_valid_test_is_one_finding() {
    let script = "read t; case $t in o*) echo \"line 7: no o\" >&2; exit 1;; a*) echo \"line 9: no a\" >&2; exit 2;; esac";
    let seen = hunt(script, &["one", "others", "axe", "two"], oracles(&["rejects-valid"]));
    assert_eq!(seen.findings.len(), 2, "{:?}", seen.titles());
    seen.assert_found("rejects-valid", "line 0: no o");
    assert_eq!(seen.findings.iter().map(|finding| finding.count).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn the_users_oracle_reads_the_executions_and_the_test() {
    let line = r#"read json; case $json in *'"result":"6'*) echo "six is wrong: $(cat input.txt)"; exit 1;; *'"test":"b'*) exit 2;; esac"#;
    let oracle: Vec<Box<dyn Oracle>> = vec![Box::new(CommandOracle::new(line, "txt").unwrap())];
    let seen = hunt("read t; echo $((t * 2))", &["1", "3", "b"], oracle);
    seen.assert_found("command", "six is wrong: 0");
    assert_eq!((seen.findings.len(), seen.discarded.get("by the user's oracle")), (1, Some(&1)));
}
