//! The frame of `generate`, end to end, with the engine of `examples/words.rs`.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// `cargo test` builds the examples beside the binary.
fn words() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_polysmith")).with_file_name("examples").join("words")
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(words());
        command.args(line.split_whitespace()).current_dir(&self.0);
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("the example `words` is built by `cargo test -p polysmith`")
    }

    /// All files with their content, by path.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.0.path().to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(&self.0).unwrap().display().to_string();
                    files.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
                }
            }
        }
        files
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn exits(output: &Output, code: i32, words: &str) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(words), "{stderr}");
}

#[test]
fn one_test_goes_to_stdout_byte_for_byte() {
    let folder = Folder::new();
    let output = folder.run("--seed 1");
    assert_eq!(text(&output.stdout), "hello sb afeo a");
    exits(&output, 0, "");
    assert!(output.stderr.is_empty());
    folder.run("--seed 1 -o a.txt");
    assert_eq!(folder.files()["a.txt"], "hello sb afeo a");
}

#[test]
fn a_fresh_seed_is_told_and_repeats_the_run() {
    let folder = Folder::new();
    let first = folder.run("-n 20 -o -");
    let told = text(&first.stderr).strip_prefix("seed: ").unwrap().trim().to_owned();
    let second = folder.run(&format!("-n 20 -o - --seed {told}"));
    assert_eq!(first.stdout, second.stdout);
    assert!(second.stderr.is_empty());
}

#[test]
fn many_tests_on_stdout_are_lines_or_end_in_nul() {
    let folder = Folder::new();
    let lines = folder.run("-n 3 --seed 1 -o -");
    assert_eq!(text(&lines.stdout), "hello sb afeo a\nhello ybrc gmmc xxbvz\nhello dx\n");
    let nul = folder.run("-n 2 --seed 1 --null");
    assert_eq!(text(&nul.stdout), "hello sb afeo a\0hello ybrc gmmc xxbvz\0");
}

#[test]
fn the_number_of_threads_does_not_show() {
    let (one, two) = (Folder::new(), Folder::new());
    for (folder, jobs) in [(&one, 1), (&two, 3)] {
        let line = format!("-n 200 --seed 9 -j {jobs} -o {{seed}}/{{index}}-{{hash}}.txt --trees");
        exits(&folder.run(&line), 0, "");
    }
    assert_eq!(one.files(), two.files());
    assert_eq!(one.files().len(), 400);
}

#[test]
fn an_index_is_the_test_of_the_whole_run() {
    let (all, one) = (Folder::new(), Folder::new());
    all.run("-n 50 --seed 4 -o out/");
    one.run("--index 37 --seed 4 -o out/");
    let one = one.files();
    assert_eq!(one.keys().collect::<Vec<_>>(), ["out/37.txt"]);
    assert_eq!(one["out/37.txt"], all.files()["out/37.txt"]);
    let output = Folder::new().run("--index 5 -n 5");
    exits(&output, 2, "--index 5 is not one of -n 5 tests");
}

#[test]
fn places_that_cannot_work_are_wrong_use() {
    let folder = Folder::new();
    exits(&folder.run("-n 2"), 2, "-o 'out/{index}.txt'");
    exits(&folder.run("-n 2 -o out.txt"), 2, "all tests would go to one file");
    exits(&folder.run("-n 2 -o {number}.txt"), 2, "unknown `{number}`");
    exits(&folder.run("--trees"), 2, "--trees needs files");
    exits(&folder.run("-n many"), 2, "`inf`");
    assert!(folder.files().is_empty());
}

#[test]
fn a_foreign_file_is_not_overwritten() {
    let folder = Folder::new();
    fs::write(folder.0.path().join("a.txt"), "mine").unwrap();
    exits(&folder.run("--seed 1 -o a.txt"), 3, "`a.txt` is there already");
    assert_eq!(folder.files()["a.txt"], "mine");
    exits(&folder.run("--seed 1 -o a.txt --force"), 0, "");
    assert_eq!(folder.files()["a.txt"], "hello sb afeo a");
    folder.run("--seed 1 -n 2 -o out/");
    exits(&folder.run("--seed 2 -n 2 -o out/"), 0, "");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new();
    fs::write(folder.0.path().join("out"), "a file").unwrap();
    exits(&folder.run("--seed 1 -n 3 -o out/"), 3, "cannot write `out/0.txt`");
}

#[test]
fn failures_are_counted_and_shown_once() {
    let folder = Folder::new();
    let output = folder.run("-n 10 --seed 1 --fail-at 3 --complain-at 5 -o out/");
    exits(&output, 1, "warning: there is no such greeting\nwarning: a name was lost\n");
    exits(&output, 1, "9 tests made, 1 failed, 0 gave up, 1 complaints");
    assert_eq!(folder.files().len(), 9);
}

#[test]
fn fail_fast_leaves_nothing_behind_the_failure() {
    for jobs in [1, 2] {
        let folder = Folder::new();
        exits(
            &folder.run(&format!("-n 100 --seed 1 --fail-at 3 --fail-fast -o out/ -j {jobs}")),
            1,
            "1 failed",
        );
        assert_eq!(folder.files().len(), 3);
    }
}

#[test]
fn an_impossible_description_gives_up() {
    exits(&Folder::new().run("-n inf --max-names 0 --seed 1 -o -"), 4, "error: a greeting needs a name");
}

#[test]
fn stats_for_people_and_programs() {
    let folder = Folder::new();
    let output = folder.run("-n 100 --seed 1 -o out/ --stats");
    exits(&output, 0, "\n  100 distinct, 0 empty\n\nsizes ");
    let covered = |line: &str| line.split_whitespace().eq(["alternatives", "3", "3", "100.0", "%"]);
    assert!(text(&output.stderr).lines().any(covered));
    folder.run("-n 100 --seed 1 -o out/ --stats=stats.json");
    let stats: serde_json::Value = serde_json::from_str(&folder.files()["stats.json"]).unwrap();
    assert_eq!((&stats["v"], &stats["seed"], &stats["tests"]), (&1.into(), &1.into(), &100.into()));
    assert_eq!(stats["rules"], serde_json::json!({ "used": 1, "all": 1 }));
    let bytes: usize = (0..100).map(|index| folder.files()[&format!("out/{index}.txt")].len()).sum();
    assert_eq!(stats["bytes"]["total"], bytes);
    assert_eq!(stats["names"]["max"], 4);
}

#[test]
fn a_closed_pipe_is_a_normal_end() {
    let mut child = Folder::new().command("-n inf --seed 1 -o -").stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut first).unwrap();
    drop(stdout);
    assert_eq!(first, "hello sb afeo a\n");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn ctrl_c_ends_with_whole_files() {
    let folder = Folder::new();
    let mut command = folder.command("-n inf -j 4 --seed 1 -o out/{index}.txt --trees");
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    while !folder.0.path().join("out/50.txt").exists() {
        std::thread::yield_now();
    }
    Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let told =
        stderr.strip_prefix("interrupted after ").unwrap().strip_suffix(" tests\n").unwrap().to_owned();
    let files = folder.files();
    assert!(files.keys().all(|name| name.ends_with(".txt") || name.ends_with(".txt.pst")), "no part files");
    assert_eq!(told, (files.len() / 2).to_string(), "every file is counted");
    assert!(
        files.iter().filter(|(name, _)| name.ends_with(".txt")).all(|(_, text)| text.starts_with("hello "))
    );
}
