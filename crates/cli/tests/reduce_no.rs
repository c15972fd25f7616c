//! `polysmith reduce` with a test that says no to the original: what is shown, and which causes are named.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const INPUT: &str = "one\nneedle\n";

/// A folder with `input.txt` and the files of a case; those that begin with `#!` get the run bit.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [("input.txt", INPUT)].iter().chain(files) {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let mode = if content.starts_with("#!") { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
    folder
}

/// Runs `reduce` with these arguments; gives the exit code and what it says.
fn reduce(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
    command.arg("reduce").args(arguments).args(["--language", "none"]).current_dir(folder);
    let output = command.output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The files beside the input, the arguments, the exit code, and what must be said.
type Row<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], i32, &'a [&'a str]);

const TABLE: &[Row<'_>] = &[
    // A file beside the original.
    (
        &[("helper.txt", "needle"), ("test.sh", "#!/bin/sh\ngrep -q -f helper.txt \"$1\"\n")],
        &["./test.sh", "input.txt"],
        1,
        &["it says yes (exit code 0)", "likely: the test names `helper.txt`", "--with helper.txt"],
    ),
    // The same, by a name that the test computes.
    (
        &[("helper.txt", "needle"), ("test.sh", "#!/bin/sh\ngrep -q -f help*txt \"$1\"\n")],
        &["./test.sh", "input.txt"],
        1,
        &["it says yes (exit code 0)", "likely: the test needs a file", "--with FILE"],
    ),
    // What is missing is nowhere.
    (
        &[("test.sh", "#!/bin/sh\necho looking; cat nowhere.txt\n")],
        &["./test.sh", "input.txt"],
        1,
        &[
            "exit code 1",
            "looking",
            "No such file",
            "it says no, too (exit code 1)",
            "likely: the test runs in a fresh",
        ],
    ),
    // An absolute path to nothing.
    (
        &[],
        &["grep -q needle /nowhere/at/all.txt", "input.txt"],
        1,
        &["likely: the test names `/nowhere/at/all.txt`, which does not exist"],
    ),
    // Swapped arguments: the file that was taken for the test has no run bit.
    (
        &[("test.sh", "#!/bin/sh\ngrep -q needle \"$1\"\n")],
        &["input.txt", "test.sh"],
        3,
        &["`input.txt` has no run bit", "TEST and FILE may be swapped: `test.sh` is a script"],
    ),
    // Swapped arguments: it is a word of the shell.
    (
        &[("test.sh", "#!/bin/sh\ngrep -q needle \"$1\"\n")],
        &["false", "test.sh"],
        1,
        &["likely: TEST and FILE may be swapped: `test.sh` is a script"],
    ),
    // No run bit: of the test, and of a program in it.
    (&[("test.sh", "grep -q needle")], &["./test.sh", "input.txt"], 3, &["chmod +x ./test.sh"]),
    (&[("tool", "exit 0")], &["./tool", "input.txt", "--with", "tool"], 3, &["chmod +x ./tool"]),
    (&[("tool", "x")], &["./tool {}", "input.txt", "--with", "tool"], 1, &["likely: exit code 126 means"]),
    // `{}` and several files.
    (
        &[("other.txt", "two\n")],
        &["test $(cat {} | wc -l) = $(wc -l < {})", "input.txt", "other.txt"],
        1,
        &["likely: `{}` stands for the paths of all files"],
    ),
    // The exit code is meant the other way round.
    (
        &[],
        &["! grep -q needle {}", "input.txt"],
        1,
        &["it says no, too", "likely: exit code 0 means yes: if 1 is what you look for, say `--exit-code 1`"],
    ),
    (&[], &["kill -SEGV $$", "input.txt"], 1, &["signal 11", "`--exit-code 139`"]),
    (&[], &["true", "input.txt", "--exit-code", "3"], 1, &["likely: an `--exit-code`, `--stdout` or"]),
    // A first line that the system cannot use.
    (
        &[("test.sh", "#!/bin/sh\r\ngrep -q needle \"$1\"\r\n")],
        &["./test.sh", "input.txt"],
        3,
        &[
            "the first line of `./test.sh` ends with CR LF",
            "program called `/bin/sh\\r`",
            "sed -i 's/\\r$//' ./test.sh",
        ],
    ),
    (
        &[("test.sh", "#!/bin/nothing\nexit 0\n")],
        &["./test.sh", "input.txt"],
        3,
        &["the first line of `./test.sh` names `/bin/nothing`, which does not exist"],
    ),
    (
        &[("test.sh", "#!/bin/sh\ngrep -q needle \"$1\"\r\nexit 1\r\n")],
        &["./test.sh", "input.txt"],
        1,
        &["test.sh` end with CR LF, which a shell takes for a part of the last word"],
    ),
    // It hangs: it is not run a second time.
    (
        &[],
        &["sleep 100", "input.txt", "--timeout", "0.3"],
        1,
        &["likely: the test needs more time: `--timeout"],
    ),
];

#[test]
fn likely_causes_are_named() {
    for (files, arguments, exit, parts) in TABLE {
        let folder = folder(files);
        let (code, said) = reduce(folder.path(), arguments);
        assert_eq!(code, *exit, "{arguments:?}: {said}");
        for part in *parts {
            assert!(said.contains(part), "{arguments:?}: `{part}` is missing:\n{said}");
        }
        assert_eq!(fs::read_to_string(folder.path().join("input.txt")).unwrap(), INPUT, "{arguments:?}");
    }
}

#[test]
fn the_absolute_path_of_the_input_is_named() {
    let folder = folder(&[]);
    let input = folder.path().canonicalize().unwrap().join("input.txt");
    let test = format!("grep -q nothing {}", input.display());
    let (code, said) = reduce(folder.path(), &[&test, "input.txt"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("likely: the test names the original as `"), "{said}");
}

/// The second run sees what is beside the original through links: it can neither change the input nor remove anything.
#[test]
fn a_second_run_is_safe() {
    let script = "#!/bin/sh\necho changed > \"$1\"; rm -rf ./*; exit 1\n";
    let folder = folder(&[("test.sh", script), ("helper.txt", "help")]);
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/part.txt"), "part").unwrap();
    let (code, said) = reduce(folder.path(), &["./test.sh", "input.txt", "sub/part.txt"]);
    assert_eq!(code, 1, "{said}");
    for (name, content) in [("input.txt", INPUT), ("helper.txt", "help"), ("sub/part.txt", "part")] {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), content);
    }
}
