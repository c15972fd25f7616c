//! `polysmith reduce` as a person uses it: questions, results, interruptions, tests that behave badly.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder with an input and a test.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(input: &str, script: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("input.txt"), input).unwrap();
        let test = folder.path().join("test.sh");
        fs::write(&test, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755)).unwrap();
        Place { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
        command.args(["reduce", "./test.sh", "input.txt", "--language", "none"]);
        command.args(arguments).current_dir(&self.folder);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn result(&self) -> String {
        self.read("input.reduced.txt")
    }

    fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TEXT: &str = "alpha {\n  beta(1, 2);\n  gamma(needle, 3);\n}\ndelta\nepsilon zeta\n";

#[test]
fn the_input_stays_and_the_result_lies_beside_it() {
    let place = Place::new(TEXT, "grep -q needle \"$1\"");
    let output = place.run(&["--log", "log", "--history", "steps"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(place.result(), "needle\n");
    assert_eq!(place.read("input.txt"), TEXT);
    assert!(place.has("input.txt.polysmith"), "answers and results are kept");
    let log = place.read("log");
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((&last["tokens"], &last["bytes"]), (&1.into(), &6.into()));
    assert_eq!(last["n"], log.lines().count());
    let steps = fs::read_dir(place.folder.path().join("steps")).unwrap().count();
    assert_eq!(steps, log.lines().count());
}

#[test]
fn every_way_to_give_the_file_to_a_test_works() {
    // As for creduce and cvise: the name in the working folder. As for shrinkray: argument or standard input.
    for script in ["grep -q needle input.txt", "grep -q needle \"$1\"", "grep -q needle"] {
        let place = Place::new(TEXT, script);
        assert_eq!(place.run(&[]).status.code(), Some(0), "{script}");
        assert_eq!(place.result(), "needle\n", "{script}");
    }
    let place = Place::new(TEXT, "[ $# = 0 ] && grep -q needle");
    assert_eq!(place.run(&["--stdin"]).status.code(), Some(0));
}

#[test]
fn exit_codes_and_output_can_mean_yes() {
    let place = Place::new(TEXT, "grep -q needle && { echo found; exit 3; }; echo gone");
    assert_eq!(place.run(&["--exit-code", "3", "--stdout", "fo+und", "--stdout"]).status.code(), Some(2));
    assert_eq!(place.run(&["--exit-code", "3", "--stdout", "fo+und"]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
    assert_eq!(place.run(&["--stdout", "!gone"]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
}

#[test]
fn a_no_to_the_original_is_explained() {
    let place = Place::new(TEXT, "echo looking; cat helper.txt");
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    for part in ["exit code 1", "it ran in", "looking", "No such file", "relative paths", "--with FILE"] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
    fs::set_permissions(place.folder.path().join("test.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("chmod +x ./test.sh"), "{}", stderr(&output));
}

#[test]
fn side_files_lie_beside_the_candidate() {
    let place = Place::new(TEXT, "grep -q -f pattern input.txt");
    fs::write(place.folder.path().join("pattern"), "need").unwrap();
    assert_eq!(place.run(&["--with", "pattern"]).status.code(), Some(0));
    assert_eq!(place.result(), "need\n");
}

#[test]
fn a_yes_to_an_empty_file_ends_the_run() {
    let place = Place::new(TEXT, "exit 0");
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("yes to an empty file"), "{}", stderr(&output));
    assert!(stderr(&output).contains("absolute path"), "{}", stderr(&output));
    assert!(!place.has("input.reduced.txt") && !place.has("input.txt.polysmith"));
    assert_eq!(place.run(&["--allow-empty"]).status.code(), Some(0));
    assert_eq!(place.result(), "");
}

#[test]
fn other_bugs_are_kept() {
    let place = Place::new(TEXT, "grep -q needle \"$1\" && exit 0; [ -s \"$1\" ] && exit 101");
    let output = place.run(&["--also", "101=others"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let kept: Vec<_> = fs::read_dir(place.folder.path().join("others")).unwrap().flatten().collect();
    assert!(!kept.is_empty());
    assert!(kept.iter().all(|file| !fs::read_to_string(file.path()).unwrap().contains("needle")));
}

#[test]
fn in_place_keeps_the_original() {
    let place = Place::new(TEXT, "grep -q needle");
    assert_eq!(place.run(&["--in-place"]).status.code(), Some(0));
    assert_eq!((place.read("input.txt").as_str(), place.read("input.txt.orig").as_str()), ("needle\n", TEXT));
}

#[test]
fn several_files_are_reduced_together() {
    let place = Place::new("one\ntwo\nthree\n", "cat input.txt other.txt 2>/dev/null | grep -q two");
    fs::write(place.folder.path().join("other.txt"), "four\nfive\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
    command
        .args(["reduce", "./test.sh", "input.txt", "other.txt", "--language", "none"])
        .current_dir(&place.folder);
    assert!(command.status().unwrap().success());
    assert_eq!(place.result(), "two\n");
    assert!(!place.has("other.reduced.txt"));
}

#[test]
fn jobs_do_not_change_the_log() {
    let text = TEXT.repeat(4);
    let place = Place::new(&text, "[ $(grep -c needle) -ge 3 ] && grep -q delta input.txt");
    assert_eq!(place.run(&["--jobs", "1", "--log", "one"]).status.code(), Some(0));
    assert_eq!(place.run(&["--jobs", "3", "--log", "three", "--restart"]).status.code(), Some(0));
    assert_eq!(place.read("one"), place.read("three"));
}

#[test]
fn budgets_end_with_the_best_so_far_and_resume_goes_on() {
    let place = Place::new(&TEXT.repeat(4), "grep -q needle");
    let output = place.run(&["--max-questions", "9", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(place.has("input.txt.polysmith") && place.result().contains("needle"));
    assert!(place.result().len() < 4 * TEXT.len());
    let output = place.run(&[]);
    assert!(stderr(&output).contains("continuing an earlier run"), "{}", stderr(&output));
    assert_eq!(place.result(), "needle\n");
}

#[test]
fn a_changed_test_keeps_the_best() {
    let place = Place::new(&TEXT.repeat(4), "grep -q needle && grep -q delta input.txt");
    place.run(&["--max-questions", "12", "--jobs", "1"]);
    let script = place.folder.path().join("test.sh");
    fs::write(&script, "#!/bin/sh\necho x >> \"$(dirname \"$0\")/asked\"; grep -q needle\n").unwrap();
    let output = place.run(&["--resume"]);
    assert!(stderr(&output).contains("going on from the best result"), "{}", stderr(&output));
    assert_eq!(place.result(), "needle\n");
}

/// Counts the runs of its test in the file `asked`.
const COUNTING: &str = "echo x >> \"$(dirname \"$0\")/asked\"; grep -q needle";

fn asked(place: &Place) -> usize {
    place.read("asked").lines().count()
}

#[test]
fn a_second_run_loses_nothing() {
    let place = Place::new(&TEXT.repeat(4), COUNTING);
    assert_eq!(place.run(&["--resume"]).status.code(), Some(2), "there is nothing to resume");
    assert_eq!(place.run(&[]).status.code(), Some(0));
    let runs = asked(&place);
    // The same again asks nothing; one that does less leaves the result alone.
    for options in [&[][..], &["--resume"], &["--max-questions", "5"], &["--for", "0.000001s"]] {
        let output = place.run(options);
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("continuing an earlier run"), "{}", stderr(&output));
        assert_eq!(place.result(), "needle\n", "{options:?}");
        // A run that is cut off asks once more about the text that it got to.
        assert!(asked(&place) == runs || options.contains(&"--max-questions"), "{options:?}");
        fs::write(place.folder.path().join("asked"), "x\n".repeat(runs)).unwrap();
    }
    // Answers hold for another search.
    assert_eq!(place.run(&["--only", "lines"]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
}

#[test]
fn starting_over_keeps_a_backup() {
    let place = Place::new(&TEXT.repeat(4), COUNTING);
    assert_eq!(place.run(&[]).status.code(), Some(0));
    let runs = asked(&place);
    let output = place.run(&["--restart", "--max-questions", "5", "--jobs", "1"]);
    assert!(asked(&place) > runs && place.result() != "needle\n", "{}", stderr(&output));
    let said = stderr(&output);
    let folder = said.split("are kept in `").nth(1).unwrap().split('`').next().unwrap();
    assert_eq!(place.read(&format!("{folder}/result/input.txt")), "needle");
    assert!(place.has(&format!("{folder}/answers")));
}

#[test]
fn another_test_keeps_the_earlier_result() {
    let place = Place::new(&TEXT.repeat(4), "grep -q needle");
    assert_eq!(place.run(&[]).status.code(), Some(0));
    let output = place.run(&["--stdin", "--max-questions", "3"]);
    let said = stderr(&output);
    let folder = said.split("is kept in `").nth(1).unwrap().split('`').next().unwrap();
    assert_eq!(place.read(&format!("{folder}/input.txt")), "needle");
    assert!(place.result().len() > 6);
    // The first question again has its own result again.
    assert_eq!(place.run(&[]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
}

#[test]
fn side_files_and_limits_are_part_of_the_question() {
    let place = Place::new(TEXT, "grep -q -f pattern input.txt");
    let pattern = place.folder.path().join("pattern");
    fs::write(&pattern, "need").unwrap();
    assert_eq!(place.run(&["--with", "pattern"]).status.code(), Some(0));
    fs::write(&pattern, "zeta").unwrap();
    let output = place.run(&["--with", "pattern"]);
    assert!(stderr(&output).contains("starting over"), "{}", stderr(&output));
    assert_eq!(place.result(), "zeta\n");
    let output = place.run(&["--with", "pattern", "--memory", "2G"]);
    assert!(stderr(&output).contains("starting over"), "{}", stderr(&output));
}

#[test]
fn a_file_that_is_not_ours_is_refused() {
    let place = Place::new(TEXT, "grep -q needle");
    let result = place.folder.path().join("input.reduced.txt");
    fs::write(&result, "by hand").unwrap();
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("`input.reduced.txt` is there already"), "{}", stderr(&output));
    assert_eq!(place.result(), "by hand");
    assert_eq!(place.run(&["--force"]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
    // Our own result that was edited since is not ours any more.
    fs::write(&result, "needle // edited").unwrap();
    assert_eq!(place.run(&[]).status.code(), Some(2));
}

#[test]
fn in_place_refuses_a_file_that_was_edited_since() {
    let place = Place::new(TEXT, "grep -q needle");
    assert_eq!(place.run(&["--in-place"]).status.code(), Some(0));
    assert_eq!(place.run(&["--in-place"]).status.code(), Some(0), "the same again is no edit");
    fs::write(place.folder.path().join("input.txt"), "a needle by hand").unwrap();
    let output = place.run(&["--in-place"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("`input.txt` was edited since"), "{}", stderr(&output));
    assert_eq!(place.read("input.txt"), "a needle by hand");
}

#[test]
fn two_runs_at_once_do_not_share_a_folder() {
    let place = Place::new(TEXT, "[ -e \"$(dirname \"$0\")/go\" ] || sleep 100; grep -q needle");
    let mut first = place.command(&[]).stderr(Stdio::null()).spawn().unwrap();
    while !place.has("input.txt.polysmith/scratch") {
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("another reduction"), "{}", stderr(&output));
    first.kill().unwrap();
    first.wait().unwrap();
    fs::write(place.folder.path().join("go"), "").unwrap();
    assert_eq!(place.run(&[]).status.code(), Some(0));
}

/// `kill -9` at many moments: the same result, and at most one question per job and life asked again.
#[test]
fn killed_at_any_moment_it_resumes() {
    let script = "echo x >> \"$(dirname \"$0\")/asked\"\n[ $(grep -c needle) -ge 2 ] && grep -q zeta \"$1\"";
    let text = TEXT.repeat(3);
    let whole = Place::new(&text, script);
    assert_eq!(whole.run(&["--jobs", "2"]).status.code(), Some(0));
    let place = Place::new(&text, script);
    let mut lives = 0;
    for life in 0..8u64 {
        let mut child = place.command(&["--jobs", "2"]).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + life * 37 % 150));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        lives += 1;
    }
    assert_eq!(place.run(&["--jobs", "2"]).status.code(), Some(0));
    assert_eq!(place.result(), whole.result());
    // Speculation asks a little more or less from run to run: two jobs, so at most one extra question per step.
    let steps = 60;
    assert!(asked(&place) <= asked(&whole) + 2 * lives + steps, "{} and {}", asked(&place), asked(&whole));
}

#[test]
fn tests_that_behave_badly_get_the_right_verdict() {
    let bad = [
        "grep -q needle && exit 0; sleep 1000",
        "grep -q needle && exit 0; trap '' TERM; while :; do :; done",
        "setsid sleep 1000 >/dev/null 2>&1 & grep -q needle",
        "rm -f \"$1\"; grep -q needle",
        "yes | head -c 3000000; grep -q needle",
        "rm -rf \"$TMPDIR\" \"$PWD\"; grep -q needle",
    ];
    for script in bad {
        let place = Place::new("a\nneedle\n", script);
        let output = place.run(&["--timeout", "0.3", "--jobs", "2", "--max-questions", "7"]);
        assert_eq!(output.status.code(), Some(0), "{script}: {}", stderr(&output));
        assert!(place.result().contains("needle") && !place.result().contains('a'), "{script}");
    }
    assert!(!is_running("sleep 1000"));
}

fn is_running(command: &str) -> bool {
    let wanted: Vec<u8> =
        command.bytes().map(|byte| if byte == b' ' { 0 } else { byte }).chain([0]).collect();
    let ours = |path: &Path| fs::read(path.join("cmdline")).is_ok_and(|line| line == wanted);
    fs::read_dir("/proc").unwrap().flatten().any(|process| ours(&process.path()))
}

#[test]
fn passes_are_listed_and_chosen_by_name() {
    let place = Place::new(TEXT, "grep -q needle");
    let output = place.run(&["--list-passes"]);
    let list = String::from_utf8(output.stdout).unwrap();
    for name in ["blocks", "lines", "tokens", "bytes"] {
        assert!(list.lines().any(|line| line == name), "{list}");
    }
    assert_eq!(place.run(&["--only", "lines"]).status.code(), Some(0));
    assert_eq!(place.result(), "  gamma(needle, 3);\n");
    assert_eq!(place.run(&["--without", "nothing"]).status.code(), Some(2));
    for (algorithm, expected) in [("ddmin-lines", "  gamma(needle, 3);\n"), ("ddmin-tokens", "needle")] {
        assert_eq!(place.run(&["--algorithm", algorithm]).status.code(), Some(0));
        assert_eq!(place.result().trim_end(), expected.trim_end(), "{algorithm}");
    }
}

/// The script that another reducer gets asks the same question: every option that changes an answer is in it.
#[test]
fn another_reducer_is_asked_the_same_question() {
    let place =
        Place::new(TEXT, "[ -f side.txt ] && grep -q needle && { echo it\\'s found; exit 3; }; exit 4");
    fs::write(place.folder.path().join("side.txt"), "beside").unwrap();
    let copy = place.folder.path().join("copy.sh");
    let then = format!("cp {{test}} {}; echo $(cat {{}}) > {{}}", copy.display());
    let options = ["--exit-code", "3", "--stdout", "it's fo+und", "--stderr", "!x", "--memory", "none"];
    let more = ["--timeout", "5.5", "--with", "side.txt", "--also", "4=others", "--stdin", "--only", "lines"];
    let output = place.run(&[&options[..], &more, &["--then", &then]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(place.result(), "gamma(needle, 3);\n", "{}", stderr(&output));
    let script = place.read("copy.sh");
    for option in [
        "--ask",
        "--exit-code=3",
        "'--stdout=it'\\''s fo+und'",
        "'--stderr=!x'",
        "--memory=none",
        "--timeout=5.5",
        "--stdin",
        "/side.txt",
        "--also=4=",
        "/others",
    ] {
        assert!(script.contains(option), "`{option}` is missing: {script}");
    }
    let ask = |text: &str| {
        fs::write(place.folder.path().join("input.txt"), text).unwrap();
        Command::new("sh").arg(&copy).current_dir(&place.folder).status().unwrap().code()
    };
    assert_eq!((ask("a needle"), ask("nothing")), (Some(0), Some(1)));
}

/// A result ends with a line end if the test agrees; the answers of a continued run know about it.
#[test]
fn a_result_ends_its_last_line_if_the_test_agrees() {
    let place = Place::new(TEXT, COUNTING);
    assert_eq!(place.run(&[]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
    let runs = asked(&place);
    assert_eq!(place.run(&[]).status.code(), Some(0));
    assert_eq!((place.result().as_str(), asked(&place)), ("needle\n", runs));
    // A run that is cut off asks nothing more.
    assert_eq!(place.run(&["--for", "0.000001s"]).status.code(), Some(0));
    assert_eq!(place.result(), "needle\n");
    let exact = Place::new("a\nneedle", "[ \"$(cat \"$1\"; echo .)\" = needle. ] || grep -q a \"$1\"");
    assert_eq!(exact.run(&["--only", "lines"]).status.code(), Some(0));
    assert_eq!(exact.result(), "a\n");
    let no_end = Place::new("a\nneedle", "[ -z \"$(tail -c 1 \"$1\")\" ] && exit 1; grep -q needle \"$1\"");
    assert_eq!(no_end.run(&[]).status.code(), Some(0));
    assert_eq!(no_end.result(), "needle");
}

#[test]
fn a_formatter_has_the_last_word_if_the_test_agrees() {
    let place = Place::new("a\nf(needle)\n", "tr -d ' ' < \"$1\" | grep -q 'f(needle)'");
    let output = place.run(&["--format-with", "sed 's/[()]/ & /g'"]);
    assert_eq!(place.result(), "f ( needle ) \n", "{}", stderr(&output));
    // The same again, and one that changes the file at its path.
    assert_eq!(place.run(&["--format-with", "sed -i 's/(/( /' {}"]).status.code(), Some(0));
    assert_eq!(place.result(), "f( needle)\n");
    let output = place.run(&["--format-with", "sed s/f/g/"]);
    assert!(
        stderr(&output).contains("does not say yes to the text of `--format-with`"),
        "{}",
        stderr(&output)
    );
    assert_eq!(place.result(), "f(needle)\n");
    for (command, why) in [("echo bad >&2; exit 3", "exit code 3: bad"), ("true", "it printed nothing")] {
        let output = place.run(&["--format-with", command]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output).matches("warning").count(), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
        assert_eq!(place.result(), "f(needle)\n");
    }
}

/// A file that was left out stays left out when a run is continued.
#[test]
fn a_left_out_file_does_not_come_back() {
    let place = Place::new("one\ntwo\nthree\n", "cat input.txt other.txt 2>/dev/null | grep -q two");
    fs::write(place.folder.path().join("other.txt"), "four\nfive\n").unwrap();
    for options in [&[][..], &["--max-questions", "2"], &["--resume", "--stdin"], &["--stdin"]] {
        let mut command = place.command(&[&["other.txt"], options].concat());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", stderr(&output));
        assert_eq!(place.result(), "two\n", "{options:?}");
        assert!(!place.has("other.reduced.txt"), "{options:?}");
    }
}
