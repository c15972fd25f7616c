//! The help pages keep their promises: they fit the screen, and their examples work as they stand.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::path::Path;
use std::process::{Command, Output};

fn polysmith(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polysmith")).args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = polysmith(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn commands() -> impl Iterator<Item = &'static str> {
    polysmith::commands::GROUPS.iter().flat_map(|(_, names)| names.iter().copied())
}

#[test]
fn the_first_page_fits_one_screen_and_names_every_command() {
    let help = stdout(&["--help"]);
    assert!(help.lines().count() <= 40, "{} lines:\n{help}", help.lines().count());
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    for command in commands() {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is missing:\n{help}");
    }
}

#[test]
fn every_command_ends_its_help_with_two_examples_that_work() {
    for command in commands() {
        let help = stdout(&[command, "--help"]);
        let examples: Vec<&str> =
            help.split("Examples:\n").nth(1).unwrap_or_default().lines().map(str::trim).collect();
        assert!(examples.len() >= 2, "`{command} --help` ends with two examples:\n{help}");
        let folder = tempfile::tempdir().unwrap();
        for example in examples {
            run(example, folder.path());
        }
    }
}

#[test]
fn the_options_of_generate_fit_two_screens() {
    let help = stdout(&["generate", "--help"]);
    assert!(help.lines().count() <= 80, "{} lines:\n{help}", help.lines().count());
    assert!(!help.contains("For experiments"), "{help}");
    let all = stdout(&["generate", "--help-all"]);
    for option in ["--fail-patterns", "--failed-contexts", "--hoist", "--pattern-index", "--separator"] {
        assert!(all.contains(option) && !help.contains(option), "{option}:\n{all}");
    }
}

#[test]
fn the_options_of_hunt_fit_two_screens() {
    let help = stdout(&["hunt", "--help"]);
    assert!(help.lines().count() <= 80, "{} lines:\n{help}", help.lines().count());
    let all = stdout(&["hunt", "--help-all"]);
    for option in ["--max-tokens", "--start", "--weights"] {
        assert!(all.contains(option) && !help.contains(option), "{option}:\n{all}");
    }
}

/// A shell line, with our binary first in the path.
fn run(line: &str, folder: &Path) {
    let binary = Path::new(env!("CARGO_BIN_EXE_polysmith")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let output =
        Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
}
