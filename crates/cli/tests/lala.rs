//! `polysmith generate` on LALA specifications, as a person uses it: options, exit codes, messages.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::fs;
use std::process::{Command, Output};

/// A folder with a specification.
struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    fn new(spec: &str) -> TestFolder {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("t.lala"), spec).unwrap();
        TestFolder { folder }
    }

    fn generate(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
        command.arg("generate").args(arguments.split(' ')).current_dir(&self.folder);
        command.output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn threads_and_switches_of_the_index_never_change_the_programs() {
    let place = TestFolder::new("");
    let line = "mini --seed 5 -n 30 -o - --null";
    let one = stdout(&place.generate(&format!("{line} --jobs 1")));
    assert_eq!(one, stdout(&place.generate(&format!("{line} --jobs 3"))));
    assert_eq!(one, stdout(&place.generate(&format!("{line} --check"))));
    let eleventh = stdout(&place.generate("mini --seed 5 --index 10"));
    assert_eq!(one.split('\0').nth(10).unwrap(), eleventh);
}

#[test]
fn an_unsatisfiable_specification_ends_with_exit_4_and_names_class_and_guard() {
    let place = TestFolder::new(
        "class P { grd never; p(\"${a : A}\") { this.never = a.str == \"z\"; } } class A(\"[a-c]\");",
    );
    let output = place.generate("t.lala --seed 1");
    assert_eq!(output.status.code(), Some(4));
    let shown = stderr(&output);
    assert!(shown.contains("class `P`: the guard `never` of `P.p` is never satisfied"), "{shown}");
}

#[test]
fn a_literal_that_few_pools_have_is_found_in_another_attempt_or_the_limit_is_named() {
    let place = TestFolder::new(
        "@count(3) class A(\"[a-z]\"); class P { p(\"${a : A}\") { require a.str == \"q\"; } }",
    );
    let spec = "class P { p(\"${a : A}\") { require a.str == \"q\"; } } @count(3) class A(\"[a-z]\");";
    fs::write(place.folder.path().join("t.lala"), spec).unwrap();
    assert_eq!(stdout(&place.generate("t.lala --seed 1 --max-restarts 1000")), "q");
    let output = place.generate("t.lala --seed 1 --max-restarts 0");
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("--max-restarts"), "{}", stderr(&output));
}

#[test]
fn a_rule_that_fails_is_shown_with_its_place_and_ends_with_exit_1() {
    let spec = "class P { p(\"${a : A}\") { require 10 / (int a.str) > 0; } }\nclass A(\"[0-1]\");";
    let place = TestFolder::new(spec);
    let output = place.generate("t.lala --seed 1 -n 20 -o out/");
    assert_eq!(output.status.code(), Some(1));
    let shown = stderr(&output);
    assert!(shown.contains("a requirement of `P.p` failed: division by zero"), "{shown}");
    assert!(shown.contains("(t.lala:1:"), "{shown}");
    for index in 0..20 {
        assert_eq!(place.read(&format!("out/{index}.txt")), "1");
    }
}

#[test]
fn weights_without_and_features_choose_productions() {
    let spec = "class P { a(\"a\") {} b(\"b\") {} @feature(\"x\") c(\"c\") {} }";
    let place = TestFolder::new(spec);
    let all = |options: &str| {
        let mut made: Vec<char> = stdout(&place.generate(&format!("t.lala --seed 3 -n 40 -o - {options}")))
            .chars()
            .filter(|letter| letter.is_alphabetic())
            .collect();
        made.sort_unstable();
        made.dedup();
        made.into_iter().collect::<String>()
    };
    assert_eq!(all("--jobs 2"), "ab");
    assert_eq!(all("--features x"), "abc");
    assert_eq!(all("--features all --without P.a"), "bc");
    fs::write(place.folder.path().join("w.json"), "{\"P.a\": 0}").unwrap();
    assert_eq!(all("--weights w.json"), "b");
    assert_eq!(all("--features all --swarm"), "abc");
    fs::write(place.folder.path().join("w.json"), "{\"P.d\": 0}").unwrap();
    let output = place.generate("t.lala --weights w.json");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no production `P.d`"), "{}", stderr(&output));
}

#[test]
fn statistics_and_profile_tell_what_it_cost() {
    let place = TestFolder::new("");
    let output = place.generate("mini --seed 1 -n 20 -o out/ --stats=s.json --profile");
    assert_eq!(output.status.code(), Some(0));
    let stats: serde_json::Value = serde_json::from_str(&place.read("s.json")).unwrap();
    for measure in ["instances", "levels", "tried", "refused", "equations", "restarts", "microseconds"] {
        assert!(stats[measure]["p99"].is_u64(), "{measure}: {stats}");
    }
    let shown = stderr(&output);
    for part in
        ["guards that fail most", "productions tried in vain", "where the work goes", "Expr.or: require 1"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    place.generate("mini --seed 1 -n 20 -o out/ --stats=s.csv");
    assert!(place.read("s.csv").starts_with("measure,median,p99,max,total\nbytes,"));
}
