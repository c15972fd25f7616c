//! Likely causes of a no to the original: one function for each, and a table of all.

use polysmith_run::{Ended, Outcome};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What is known about a test that says no to the original.
#[derive(Debug)]
pub(super) struct Case<'a> {
    /// What it did in a folder with the files alone.
    pub(super) outcome: &'a Outcome,
    /// Whether it says yes in a folder with all that is beside the original.
    pub(super) says_yes_beside: bool,
    /// The text of the script or the shell command.
    pub(super) test: &'a str,
    /// The path of the script; `None` for a shell command.
    pub(super) script: Option<&'a Path>,
    /// The folder of the original.
    pub(super) original: &'a Path,
    /// The files under reduction, as given.
    pub(super) paths: &'a [PathBuf],
    /// The names of all files that the folder of the test has.
    pub(super) present: &'a [PathBuf],
    /// Whether nothing but exit code 0 means yes.
    pub(super) expects_zero: bool,
}

/// One likely cause: what is wrong and what to do, or `None` if it does not apply.
type Cause = fn(&Case<'_>) -> Option<String>;

/// The causes, the surest first.
const CAUSES: &[Cause] = &[
    ran_out_of_time,
    swapped_arguments,
    carriage_returns,
    missing_run_bit,
    absolute_path_of_input,
    absolute_path_to_nothing,
    file_beside_the_original,
    several_files_for_braces,
    condition_not_met,
    memory_limit,
    fresh_folder,
    other_exit_code,
];

/// More causes than this help nobody.
const SHOWN: usize = 3;

/// The likely causes, the surest first.
pub(super) fn likely(case: &Case<'_>) -> Vec<String> {
    CAUSES.iter().filter_map(|cause| cause(case)).take(SHOWN).collect()
}

fn ran_out_of_time(case: &Case<'_>) -> Option<String> {
    let is_over = case.outcome.ended == Ended::TimedOut;
    is_over.then(|| "the test needs more time: `--timeout SECONDS` gives it".to_owned())
}

/// FILE is a script and TEST is none.
fn swapped_arguments(case: &Case<'_>) -> Option<String> {
    if case.script.is_some_and(is_runnable_script) {
        return None;
    }
    swapped_file(case.paths).map(swapped_advice)
}

/// The file among those to reduce that looks like a test.
pub(super) fn swapped_file(paths: &[PathBuf]) -> Option<&Path> {
    paths.iter().map(PathBuf::as_path).find(|path| is_runnable_script(path))
}

/// What to say about it.
pub(super) fn swapped_advice(file: &Path) -> String {
    format!("TEST and FILE may be swapped: `{}` is a script; TEST comes first", file.display())
}

/// Whether a file has the run bit and a line `#!`.
fn is_runnable_script(path: &Path) -> bool {
    let has_run_bit = path.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0);
    has_run_bit && std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"#!"))
}

fn carriage_returns(case: &Case<'_>) -> Option<String> {
    let script = case.script.filter(|_| case.test.contains("\r\n"))?.display();
    Some(format!("lines of `{script}` end with CR LF, which a shell takes for a part of the last word"))
}

fn missing_run_bit(case: &Case<'_>) -> Option<String> {
    let is_refused = case.outcome.ended == Ended::Exited(126);
    is_refused.then(|| "exit code 126 means that a program in the test has no run bit: `chmod +x`".to_owned())
}

fn absolute_path_of_input(case: &Case<'_>) -> Option<String> {
    let inputs: Vec<PathBuf> = case.paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let named = absolute_paths(case.test).find(|word| inputs.iter().any(|input| input == Path::new(word)))?;
    Some(format!(
        "the test names the original as `{named}`, so it never looks at a candidate: use `$1`, `{{}}` or the name \
         alone"
    ))
}

fn absolute_path_to_nothing(case: &Case<'_>) -> Option<String> {
    let named = absolute_paths(case.test).find(|word| !Path::new(word).exists())?;
    Some(format!("the test names `{named}`, which does not exist"))
}

/// Words of a script that are absolute paths of two names or more, without shell variables and patterns.
fn absolute_paths(test: &str) -> impl Iterator<Item = &str> {
    let lines = test.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "\"'`;|&<>()=,".contains(c)));
    let is_plain = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c));
    let has_parts = |word: &&str| word.starts_with('/') && word[1..].trim_end_matches('/').contains('/');
    words.filter(is_plain).filter(has_parts)
}

/// The test names files that are beside the original and not beside the candidate.
fn file_beside_the_original(case: &Case<'_>) -> Option<String> {
    let missing = names_beside(case);
    if missing.is_empty() {
        return case.says_yes_beside.then(|| {
            "the test needs a file that is beside the original: `--with FILE` puts it beside the candidate"
                .to_owned()
        });
    }
    let list: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let options: Vec<String> = missing.iter().map(|name| format!("--with {name}")).collect();
    let verb = if missing.len() == 1 { "is" } else { "are" };
    Some(format!(
        "the test names {}, which {verb} beside the original only: `{}`, or an absolute path",
        list.join(", "),
        options.join(" ")
    ))
}

fn names_beside(case: &Case<'_>) -> BTreeSet<String> {
    let is_part_of_name = |c: char| c.is_alphanumeric() || "._-+".contains(c);
    let lines = case.test.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words = lines.flat_map(|line| line.split(|c: char| !is_part_of_name(c) && c != '/'));
    let names = words.map(|word| word.strip_prefix("./").unwrap_or(word)).filter(|word| !word.is_empty());
    let is_missing = |word: &&str| {
        let path = Path::new(word);
        let is_name = path.components().count() == 1 && path.file_name().is_some();
        is_name && case.original.join(path).is_file() && !case.present.iter().any(|name| name == path)
    };
    names.filter(is_missing).map(str::to_owned).collect()
}

fn several_files_for_braces(case: &Case<'_>) -> Option<String> {
    let applies = case.paths.len() > 1 && case.script.is_none() && case.test.contains("{}");
    applies.then(|| {
        "`{}` stands for the paths of all files, one after the other: name each file by its relative path instead"
            .to_owned()
    })
}

fn condition_not_met(case: &Case<'_>) -> Option<String> {
    (!case.expects_zero && matches!(case.outcome.ended, Ended::Exited(_))).then(|| {
        "an `--exit-code`, `--stdout` or `--stderr` does not hold for what is shown above".to_owned()
    })
}

fn memory_limit(case: &Case<'_>) -> Option<String> {
    let stderr = String::from_utf8_lossy(&case.outcome.stderr);
    (matches!(case.outcome.ended, Ended::Killed(_)) || stderr.contains("memory"))
        .then(|| "the test may have reached its memory limit: `--memory none` lifts it".to_owned())
}

/// Something is missing in the folder of the test.
fn fresh_folder(case: &Case<'_>) -> Option<String> {
    let is_explained = case.says_yes_beside || !names_beside(case).is_empty();
    (misses_something(case.outcome) && !is_explained).then(|| {
        "the test runs in a fresh folder that holds only the file: relative paths to anything else do not work (use \
         absolute paths, `$(dirname \"$0\")`, or `--with FILE`)"
            .to_owned()
    })
}

/// Whether a program or a file was not found.
fn misses_something(outcome: &Outcome) -> bool {
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    outcome.ended == Ended::Exited(127) || stderr.contains("No such file")
}

fn other_exit_code(case: &Case<'_>) -> Option<String> {
    let code = match case.outcome.ended {
        Ended::Exited(code) if !matches!(code, 0 | 126 | 127) => code,
        Ended::Killed(signal) => 128 + signal,
        Ended::Exited(_) | Ended::TimedOut => return None,
    };
    (case.expects_zero && !case.says_yes_beside && !misses_something(case.outcome)).then(|| {
        format!(
            "exit code 0 means yes: if {code} is what you look for, say `--exit-code {code}`; if the test fails \
             where the bug shows, turn it round with `!`"
        )
    })
}
