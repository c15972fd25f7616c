//! Tells the binary which commit and which kind of build it is, for `polysmith --version`.
//!
//! The same commit, compiler and profile always give the same text: no date, no host, no path. Without git (a release
//! archive, a vendored copy) the commit is what `POLYSMITH_COMMIT` says, or `unknown`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=POLYSMITH_COMMIT");
    let commit = env::var("POLYSMITH_COMMIT").ok().or_else(commit);
    println!("cargo:rustc-env=POLYSMITH_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    for (name, from) in [("POLYSMITH_PROFILE", "PROFILE"), ("POLYSMITH_TARGET", "TARGET")] {
        println!("cargo:rustc-env={name}={}", env::var(from).unwrap_or_default());
    }
    let rustc = env::var("RUSTC").ok().and_then(|rustc| output(Command::new(rustc).arg("--version")));
    // `rustc 1.90.0 (1159e78c4 2025-09-14)`
    let version = rustc.as_deref().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    println!("cargo:rustc-env=POLYSMITH_RUSTC={version}");
}

/// The commit that is checked out, if this is our repository.
fn commit() -> Option<String> {
    // Not a repository that happens to be around a vendored copy.
    if !Path::new("../../.git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // These files change with every commit and checkout. A packed reference has no file of its own.
    let reference = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(reference.as_deref()) {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    Some(commit)
}

fn git(arguments: &[&str]) -> Option<String> {
    // The folder may belong to another user, as in a container.
    output(Command::new("git").args(["-c", "safe.directory=*"]).args(arguments))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
