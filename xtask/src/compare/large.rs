//! `cargo xtask compare large`: megabytes of C by grammar.
//!
//! A large source (SQLite's amalgamation, `sqlite3/sqlite3.c` of the crate `libsqlite3-sys`) is preprocessed and repeated
//! until it has 5 MB. The test asks for the definitions of ten functions spread over it. All of it must be in the tree,
//! and half of its tokens must go within the questions and the memory that there are.

use super::cases::{self, Where};
use anyhow::{Context as _, ensure};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Reduce megabytes of C by grammar, with ten functions that must stay
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// A C source of some megabytes, not preprocessed yet
    #[arg(long, value_name = "FILE")]
    source: PathBuf,
    /// The most questions
    #[arg(long, value_name = "N", default_value_t = 500)]
    questions: u64,
}

/// How long the input is at least, in bytes.
const LENGTH: usize = 5_000_000;
/// How many functions must stay.
const FUNCTIONS: usize = 10;
/// What the process may take of memory, in megabytes.
const MEMORY: u64 = 1000;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.place.binary()?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("large.c");
    let text = preprocessed(&args.source)?;
    let text = text.repeat(LENGTH.div_ceil(text.len().max(1)));
    fs::write(&input, &text)?;
    let test = test_for(folder.path(), &spread(&functions(&text))?)?;
    let grammar = args.place.case("c-csmith-checksum")?.grammar()?;
    let mut command = cases::reduce_by(&binary, &test, &input, &grammar);
    command.args(["-v", "--jobs", "1", "--max-questions", &args.questions.to_string()]);
    let started = Instant::now();
    let said = String::from_utf8_lossy(&command.output()?.stderr).into_owned();
    let seconds = started.elapsed().as_secs();
    let number = |word: &str| {
        cases::number_before(&said, word).with_context(|| format!("nothing about{word} in: {said}"))
    };
    let (before, memory) = (number(" -> ")?, number(" MB")?);
    let outside = if said.contains(" tokens lie outside the tree") { number(" of ")? } else { 0 };
    let left = polysmith_reduce::count_tokens(&fs::read(cases::result_of(&input))?) as u64;
    println!(
        "{} bytes, {before} tokens, {outside} of them outside the tree: {left} tokens left after {} questions, {seconds} s, \
         {} ms of our own, {memory} MB",
        text.len(),
        number(" questions,")?,
        number(" ms for")?,
    );
    Ok(outside == 0 && 2 * left <= before && memory < MEMORY)
}

fn preprocessed(source: &Path) -> anyhow::Result<String> {
    let output = Command::new("gcc").args(["-E", "-P"]).arg(source).output()?;
    ensure!(output.status.success(), "gcc cannot preprocess {}", source.display());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The names of functions whose definitions begin on a line of their own, in their order.
fn functions(text: &str) -> Vec<&str> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.lines()
        .filter(|line| line.ends_with("){") && line.starts_with(is_name))
        .filter_map(|line| line.split_once('(')?.0.rsplit(|letter| !is_name(letter)).next())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Ten of them, each from another tenth.
fn spread<'a>(names: &[&'a str]) -> anyhow::Result<Vec<&'a str>> {
    let mut chosen: Vec<&str> = Vec::new();
    for tenth in 0..FUNCTIONS {
        let part = &names[names.len() * tenth / FUNCTIONS..names.len() * (tenth + 1) / FUNCTIONS];
        chosen.push(part.iter().find(|name| !chosen.contains(name)).context("there are too few functions")?);
    }
    Ok(chosen)
}

/// A test that says yes if all of these functions are defined, however they are laid out.
fn test_for(folder: &Path, names: &[&str]) -> anyhow::Result<PathBuf> {
    let test = folder.join("test.sh");
    let pattern = format!(r"\b({})\([^;{{}}]*\)\{{", names.join("|"));
    let script = format!(
        "#!/bin/sh\nfound=$(tr -s ' \\t\\n' ' ' < \"$1\" | tr '}};' '\\n\\n' | sed 's/ *\\([(){{]\\) */\\1/g' |\n\
         grep -oE '{pattern}' | sed 's/(.*//' | sort -u | wc -l)\n[ \"$found\" -eq {} ]\n",
        names.len()
    );
    fs::write(&test, script)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    Ok(test)
}
