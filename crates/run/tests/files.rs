//! Result files: replaced whole when regular, written into otherwise, and errors that name the path.
#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use polysmith_run::files::{Target, write_file};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_regular_file_is_replaced_and_keeps_its_mode() {
    let folder = folder();
    let path = folder.path().join("new/folder/test.sh");
    write_file(&path, b"one").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    write_file(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(names(path.parent().unwrap()), ["test.sh"]);
}

#[test]
fn a_pipe_is_written_into() {
    let folder = folder();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    assert_eq!(Target::of(&path).unwrap(), Target::Special);
    let reader = {
        let path = path.clone();
        std::thread::spawn(move || {
            let mut text = String::new();
            fs::File::open(path).unwrap().read_to_string(&mut text).unwrap();
            text
        })
    };
    write_file(&path, b"through the pipe").unwrap();
    assert_eq!(reader.join().unwrap(), "through the pipe");
    assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo());
    assert_eq!(names(folder.path()), ["pipe"]);
}

#[test]
fn a_symbolic_link_stays_and_its_file_is_written() {
    let folder = folder();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    symlink("file", &link).unwrap();
    // The link names nothing yet.
    write_file(&link, b"a longer text").unwrap();
    write_file(&link, b"short").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"short");
}

#[test]
fn a_folder_is_an_error_that_names_it() {
    let folder = folder();
    let link = folder.path().join("link");
    symlink(".", &link).unwrap();
    for path in [folder.path(), &link] {
        let error = write_file(path, b"").unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write `{}`: it is a folder", path.display()));
    }
    assert_eq!(names(folder.path()), ["link"]);
}

#[test]
fn an_error_names_the_path_and_the_action() {
    // Nobody can create files there, not even root.
    let error = write_file(Path::new("/proc/self/result.c"), b"").unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("cannot write `/proc/self/result.c`: creating "), "{text}");
    let folder = folder();
    fs::write(folder.path().join("file"), "").unwrap();
    let below = folder.path().join("file/result.c");
    let text = write_file(&below, b"").unwrap_err().to_string();
    assert!(text.starts_with(&format!("cannot write `{}`: creating ", below.display())), "{text}");
}

#[test]
fn a_read_only_folder_is_an_error_unless_the_system_allows_it() {
    let folder = folder();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let path = closed.join("result.c");
    let may_write = fs::File::create(closed.join("probe")).is_ok(); // root may
    let written = write_file(&path, b"text");
    assert_eq!(written.is_ok(), may_write);
    if let Err(error) = written {
        let expected =
            format!("cannot write `{}`: creating a temporary file beside it failed: ", path.display());
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}
