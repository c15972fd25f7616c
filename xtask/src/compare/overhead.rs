//! `cargo xtask compare overhead`: our own time per question, and what a second job brings.
//!
//! The test says yes to the original alone, so every question is about a text as long as the original. Our own time is
//! that of the process without its children. Without a grammar it has the start in it; by grammar the start (reading
//! the grammar, the first parse) is measured by a run of a few questions and told apart. Needs a quiet machine.

use super::cases::{self, Where};
use anyhow::{Context as _, ensure};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Measure our own time per question, memory, and the gain of a second job
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// The questions of each measurement of our own time
    #[arg(long, value_name = "N", default_value_t = 1000)]
    questions: usize,
}

/// What a question may cost us besides the candidate, in milliseconds.
const BAR: f64 = 0.5;
/// What 5 MB may take of memory, in megabytes.
const MEMORY: u64 = 300;
/// The same with a tree.
const MEMORY_BY_GRAMMAR: u64 = 1000;
/// The questions of a run that measures the start.
const FIRST_QUESTIONS: usize = 3;
/// How much faster two jobs must be on a question of 20 ms.
const GAIN: f64 = 1.7;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.place.binary()?;
    let mut good = true;
    println!(
        "| case | grammar | bytes | questions | own ms per question | start ms | write ms | bar ms | memory MB |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for by_grammar in [false, true] {
        for name in ["c-csmith-checksum", "json-orders-5mb"] {
            good &= own_time(args, &binary, name, by_grammar)?;
        }
    }
    let gain = gain(args, &binary)?;
    println!("two jobs on a question of 20 ms: {gain:.2} times the questions per second (bar {GAIN})");
    Ok(good && gain >= GAIN)
}

/// Prints a row; true if it is within the bars.
fn own_time(args: &Args, binary: &Path, name: &str, by_grammar: bool) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let case = args.place.case(name)?;
    let input = case.input(folder.path())?;
    let bytes = fs::read(&input)?;
    let test = only_the_original(folder.path(), bytes.len(), "")?;
    let language = if by_grammar { case.grammar()? } else { PathBuf::from("none") };
    let spend = |questions: usize| -> anyhow::Result<Spent> {
        let mut command = cases::reduce_by(binary, &test, &input, &language);
        command.args(["-v", "--jobs", "1", "--max-questions", &questions.to_string()]);
        if by_grammar {
            command.args(["--algorithm", "perses"]);
        }
        let said = String::from_utf8_lossy(&command.output()?.stderr).into_owned();
        let number = |word: &str| {
            cases::number_before(&said, word).with_context(|| format!("nothing about{word} in: {said}"))
        };
        Ok(Spent { own: number(" ms for")?, runs: number(" runs of the test")?, memory: number(" MB")? })
    };
    let (start, all) = (spend(FIRST_QUESTIONS)?, spend(args.questions)?);
    let write = write_time(folder.path(), &bytes)?;
    let bar = BAR + 2.0 * write;
    // Reading a grammar and learning to parse by it happens once; without one there is nothing to take apart.
    let each = if by_grammar {
        all.own.saturating_sub(start.own) as f64 / (all.runs - start.runs) as f64
    } else {
        all.own as f64 / all.runs as f64
    };
    let shown = if by_grammar { "yes, perses" } else { "none" };
    println!(
        "| {name} | {shown} | {} | {} | {each:.2} | {} | {write:.2} | {bar:.2} | {} |",
        bytes.len(),
        all.runs,
        start.own,
        all.memory
    );
    let most_memory = if by_grammar { MEMORY_BY_GRAMMAR } else { MEMORY };
    Ok(each <= bar && all.memory <= most_memory)
}

/// What a run of the tool says about itself.
struct Spent {
    /// Own CPU time, in milliseconds.
    own: u64,
    runs: u64,
    /// In megabytes.
    memory: u64,
}

/// A test that says yes to a file of this length.
fn only_the_original(folder: &Path, length: usize, before: &str) -> anyhow::Result<PathBuf> {
    let test = folder.join("test.sh");
    fs::write(&test, format!("#!/bin/sh\n{before}\n[ \"$(wc -c < \"$1\")\" -eq {length} ]\n"))?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    Ok(test)
}

/// The median time to write a file, in milliseconds.
fn write_time(folder: &Path, bytes: &[u8]) -> anyhow::Result<f64> {
    let path = folder.join("written");
    let mut times = Vec::new();
    for _ in 0..31 {
        let started = Instant::now();
        fs::File::create(&path)?.write_all(bytes)?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        fs::remove_file(&path)?;
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// Questions per second of two jobs over those of one.
fn gain(args: &Args, binary: &Path) -> anyhow::Result<f64> {
    const QUESTIONS: &str = "400";
    let mut seconds = [0.0; 2];
    for jobs in [1, 2] {
        let folder = tempfile::tempdir()?;
        let input = args.place.case("c-csmith-checksum")?.input(folder.path())?;
        let length = fs::metadata(&input)?.len() as usize;
        let test = only_the_original(folder.path(), length, "sleep 0.02")?;
        let mut command = cases::reduce(binary, &test, &input);
        command.args(["-q", "--jobs", &jobs.to_string(), "--max-questions", QUESTIONS]);
        let started = Instant::now();
        ensure!(command.status()?.success(), "the reduction failed");
        seconds[jobs - 1] = started.elapsed().as_secs_f64();
    }
    Ok(seconds[0] / seconds[1])
}
