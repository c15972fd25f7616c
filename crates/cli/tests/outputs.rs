//! Where results go: what is not a regular file is written into, never replaced; errors name the path.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn polysmith(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polysmith")).args(arguments).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input.txt"), "one\nneedle\ntwo\n").unwrap();
    folder
}

/// Runs the command while somebody reads the pipe `pipe`; gives what came through.
fn read_pipe(folder: &Path, arguments: &[&str]) -> (Output, Vec<u8>) {
    let pipe: PathBuf = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let mut reader = Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let output = polysmith(folder, arguments);
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{}", stderr(&output));
    let mut bytes = Vec::new();
    reader.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    reader.wait().unwrap();
    fs::remove_file(&pipe).unwrap();
    (output, bytes)
}

#[test]
fn a_pipe_gets_the_result_and_stays_a_pipe() {
    let folder = folder();
    let reduce = ["reduce", "grep -q needle {}", "input.txt", "--language", "none", "-o", "pipe"];
    let (output, bytes) = read_pipe(folder.path(), &reduce);
    assert_eq!(
        (output.status.code(), bytes.trim_ascii_end()),
        (Some(0), &b"needle"[..]),
        "{}",
        stderr(&output)
    );
    let generate = ["generate", "json", "--seed", "1", "--force", "-o", "pipe"];
    let (output, bytes) = read_pipe(folder.path(), &generate);
    assert!(output.status.success() && !bytes.is_empty(), "{}", stderr(&output));
    let stats = ["generate", "json", "--seed", "1", "-o", "out.json", "--stats=pipe"];
    let (output, bytes) = read_pipe(folder.path(), &stats);
    assert!(output.status.success() && bytes.starts_with(b"{"), "{}", stderr(&output));
}

#[test]
fn a_symbolic_link_stays_a_link() {
    let folder = folder();
    let link = folder.path().join("link.txt");
    symlink("target.txt", &link).unwrap();
    let reduce = ["reduce", "grep -q needle {}", "input.txt", "--language", "none", "-o", "link.txt"];
    let output = polysmith(folder.path(), &reduce);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(folder.path().join("target.txt")).unwrap().trim_ascii_end(), b"needle");
}

#[test]
fn stdout_can_be_named_as_a_device() {
    let folder = folder();
    let reduce =
        ["reduce", "grep -q needle {}", "input.txt", "--language", "none", "-q", "-o", "/dev/stdout"];
    let output = polysmith(folder.path(), &reduce);
    assert_eq!(output.stdout.trim_ascii_end(), b"needle", "{}", stderr(&output));
}

#[test]
fn an_error_names_the_path_and_what_was_being_done() {
    let folder = folder();
    let reduce = ["reduce", "grep -q needle {}", "input.txt", "--language", "none", "-o"];
    // Nobody can create a file in `/proc`, not even root.
    for (path, reason) in [("/proc/x.c", "creating a temporary file beside it"), (".", "it is a folder")] {
        let output = polysmith(folder.path(), &[&reduce[..], &[path]].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let message = stderr(&output);
        assert!(message.contains(&format!("cannot write `{path}`: {reason}")), "{message}");
    }
}
