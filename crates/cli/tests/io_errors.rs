//! Every error of a file names its path and says what was being done, in all commands.
//!
//! Root may write everywhere, so the paths are such that nobody can use: in `/proc`, or below a regular file.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Arguments, and what the message must say. All end with exit code 3.
type Row<'a> = (&'a [&'a str], &'a str);

const REDUCE: [&str; 5] = ["reduce", "grep -q needle {}", "input.txt", "--language", "none"];

/// More arguments for [`REDUCE`].
const REDUCTIONS: &[Row<'_>] = &[
    (&["-o", "/proc/x.c"], "cannot write `/proc/x.c`: creating a temporary file beside it failed"),
    (&["-o", "input.txt/x"], "cannot write `input.txt/x`: creating"),
    (&["-o", "folder"], "cannot write `folder`: it is a folder"),
    (&["--log", "input.txt/log"], "cannot write the log `input.txt/log`"),
    (&["--history", "input.txt/steps"], "cannot create the folder `input.txt/steps`"),
    (&["--record", "input.txt/all"], "cannot create the folder `input.txt/all`"),
    (&["--stats=input.txt/stats"], "cannot write `input.txt/stats`: creating"),
    (&["--also", "1=input.txt/others"], "cannot create the folder `input.txt/others`"),
    (&["--with", "missing.h"], "cannot read the side file `missing.h`: No such file"),
    (&["--in-place"], "cannot write `input.txt.orig`: opening it failed"),
];

const OTHERS: &[Row<'_>] = &[
    (&["reduce", "true", "missing.c"], "cannot read `missing.c`: No such file"),
    (&["reduce", "true", "folder"], "cannot read `folder`: Is a directory"),
    (
        &["reduce", "true", "/proc/version", "--language", "none"],
        "cannot create the folder `/proc/version.polysmith`",
    ),
    (&["generate", "json", "-o", "/proc/x.json"], "cannot write `/proc/x.json`: creating a temporary file"),
    (&["generate", "json", "-n", "2", "-o", "input.txt/{index}"], "cannot write `input.txt/"),
    (
        &["generate", "json", "-o", "a.json", "--trees", "--force"],
        "cannot write `a.json.pst`: it is a folder",
    ),
    (&["generate", "json", "--stats=input.txt/s"], "cannot write `input.txt/s`: creating"),
    (&["generate", "json", "--stats-html", "input.txt/s"], "cannot write `input.txt/s`: creating"),
    (&["generate", "json", "--weights", "missing.json"], "cannot read `missing.json`: No such file"),
    (&["parse", "json", "missing.json"], "cannot read `missing.json`: No such file"),
    (&["parse", "json", "good.json", "--save-tree", "/proc/x.pst"], "cannot write `/proc/x.pst`: creating"),
    (&["print", "json", "missing.pst"], "cannot read `missing.pst`: No such file"),
    (&["check", "mini", "missing.pst"], "cannot read `missing.pst`: No such file"),
    (&["normalize", "json", "-o", "/proc/x.g4"], "cannot write `/proc/x.g4`: creating"),
    (&["lint", "missing.g4"], "there is no file `missing.g4`"),
    (&["man", "-o", "input.txt/man"], "cannot write `input.txt/man/polysmith-"),
    (&["driver", "new", "c", "json", "-o", "/proc/driver.c"], "cannot write `/proc/driver.c`: creating"),
    (&["findings", "--store", "input.txt/store"], "input.txt/store"),
];

#[test]
fn errors_name_the_path_and_what_was_being_done() {
    let reductions = REDUCTIONS.iter().map(|(more, message)| ([&REDUCE[..], more].concat(), *message));
    let others = OTHERS.iter().map(|(arguments, message)| (arguments.to_vec(), *message));
    let mut wrong = Vec::new();
    for (arguments, message) in reductions.chain(others) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("input.txt"), "one\nneedle\ntwo\n").unwrap();
        fs::write(at("good.json"), "[1]").unwrap();
        fs::create_dir_all(at("folder")).unwrap();
        fs::create_dir_all(at("a.json.pst")).unwrap();
        symlink("input.txt/x", at("input.txt.orig")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
        let output = command.args(&arguments).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(3) || !said.contains(message) {
            wrong.push(format!(
                "{arguments:?}: {:?}\n  wanted: {message}\n  said:   {said}",
                output.status.code()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_folder_for_temporary_files_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input.txt"), "needle").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_polysmith"));
    let output = command.args(REDUCE).current_dir(folder.path()).env("TMPDIR", "/proc").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("cannot create a folder for temporary files") && said.contains("/proc/polysmith-"),
        "{said}"
    );
}
