//! `cargo xtask compare reduce`: the reduction cases beside the peers of their README.
//!
//! Each case is reduced by the release binary with one job, checked again with its own test, and searched by a naive
//! checker for a single line, token or byte that could still go. The peers' figures are read from the table in the
//! README of the cases: tokens left and calls; a `+` means that the peer was cut off by time.

use crate::paths;
use anyhow::{Context as _, ensure};
use polysmith_reduce::{count_tokens, tokens};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Reduce the cases of the data folder and print a table beside the peers' figures
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with the cases
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Only these cases
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// The time for each case
    #[arg(long = "for", value_name = "TIME", default_value = "10m")]
    time: String,
    /// How many tests run at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The program to measure
    #[arg(long, value_name = "FILE")]
    polysmith: Option<PathBuf>,
    /// Look for a single line, token or byte that could still go: one more run of the test for each
    #[arg(long)]
    check: bool,
}

/// What one case came to.
struct Figures {
    tokens: usize,
    bytes: usize,
    questions: u64,
    seconds: f64,
    ended: bool,
    reached: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let cases = args.cases.clone().unwrap_or_else(|| paths::shared().join("data/reduce-cases"));
    let readme = fs::read_to_string(cases.join("README.md"))
        .with_context(|| format!("no cases in {}", cases.display()))?;
    let binary = args.polysmith.clone().unwrap_or_else(|| paths::root().join("target/release/polysmith"));
    ensure!(
        binary.is_file(),
        "{} is missing: `cargo build --release -p polysmith` makes it",
        binary.display()
    );
    let mut good = true;
    println!(
        "| case | tokens | bytes | questions | s | ended | best peer (tokens / calls) | questions to that count |"
    );
    println!("|---|---:|---:|---:|---:|---|---:|---:|");
    for (name, peers) in peers(&readme) {
        if !args.only.is_empty() && !args.only.contains(&name) {
            continue;
        }
        let best = peers.iter().copied().min().unwrap_or((usize::MAX, 0));
        let folder = tempfile::tempdir()?;
        let figures = match measure(args, &binary, &cases.join(&name), folder.path(), best.0) {
            Ok(figures) => figures,
            Err(error) => {
                println!("| {name} | failed: {error:#} |");
                good = false;
                continue;
            }
        };
        let Figures { tokens, bytes, questions, seconds, ended, reached } = figures;
        let ended = if ended { "by itself" } else { "cap" };
        let reached = reached.map_or("-".to_owned(), |questions| questions.to_string());
        println!(
            "| {name} | {tokens} | {bytes} | {questions} | {seconds:.0} | {ended} | {} / {} | {reached} |",
            best.0, best.1
        );
    }
    Ok(good)
}

/// Cases with (tokens, calls) of each peer, from the first table of the README.
fn peers(readme: &str) -> Vec<(String, Vec<(usize, usize)>)> {
    let rows = readme.lines().skip_while(|line| !line.starts_with("| case | tokens | bytes |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let number = |text: &str| text.replace([',', '+'], "").trim().parse().ok();
            let pair = |cell: &&str| {
                cell.split_once('/').and_then(|(tokens, calls)| Some((number(tokens)?, number(calls)?)))
            };
            (cells[0].to_owned(), cells.iter().skip(3).filter_map(pair).collect())
        })
        .collect()
}

fn measure(args: &Args, binary: &Path, case: &Path, folder: &Path, goal: usize) -> anyhow::Result<Figures> {
    let input = input_of(case, folder)?;
    let log = folder.join("log");
    let started = Instant::now();
    let status = Command::new(binary)
        .arg("reduce")
        .args([&case.join("interesting.sh"), &input])
        .args(["--language", "none", "-q", "--for", &args.time, "--jobs", &args.jobs.to_string(), "--log"])
        .arg(&log)
        .status()?;
    let seconds = started.elapsed().as_secs_f64();
    ensure!(status.success(), "polysmith ended with {status}");
    let extension = input.extension().unwrap_or_default().to_string_lossy().into_owned();
    let result = input.with_file_name(format!("input.reduced.{extension}"));
    ensure!(holds(case, &result)?, "the result is not interesting");
    let bytes = fs::read(&result)?;
    if args.check {
        check(case, &bytes, folder, &extension)?;
    }
    let steps: Vec<serde_json::Value> =
        fs::read_to_string(&log)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let tokens_of = |step: &serde_json::Value| step["tokens"].as_u64().unwrap_or(u64::MAX);
    let questions_of = |step: &serde_json::Value| step["questions"].as_u64().unwrap_or(0);
    Ok(Figures {
        tokens: count_tokens(&bytes),
        bytes: bytes.len(),
        questions: steps.last().map_or(0, questions_of),
        seconds,
        ended: !input.with_file_name(format!("input.{extension}.polysmith")).exists(),
        reached: steps.iter().find(|step| tokens_of(step) <= goal as u64).map(questions_of),
    })
}

/// A copy of the input, made by its script where there is one.
fn input_of(case: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let script = case.join("make-input.py");
    if script.is_file() {
        let input = folder.join("input.json");
        ensure!(
            Command::new("python3").arg(&script).arg(&input).status()?.success(),
            "{} failed",
            script.display()
        );
        return Ok(input);
    }
    let mut entries = fs::read_dir(case)?.flatten().map(|entry| entry.path());
    let input =
        entries.find(|path| path.file_stem().is_some_and(|stem| stem == "input")).context("no input")?;
    let copy = folder.join(input.file_name().context("no name")?);
    fs::write(&copy, fs::read(&input)?)?;
    Ok(copy)
}

fn holds(case: &Path, file: &Path) -> anyhow::Result<bool> {
    Ok(Command::new(case.join("interesting.sh")).arg(file).output()?.status.success())
}

/// The naive checker: every line, token and byte alone.
fn check(case: &Path, text: &[u8], folder: &Path, extension: &str) -> anyhow::Result<()> {
    let mut cuts: Vec<(usize, usize)> = tokens(text).map(|token| (token.start, token.end)).collect();
    cuts.extend((0..text.len()).map(|at| (at, at + 1)));
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        cuts.push((start, start + line.len()));
        start += line.len();
    }
    let file = folder.join(format!("less.{extension}"));
    for (start, end) in cuts {
        let less = [&text[..start], &text[end..]].concat();
        fs::write(&file, &less)?;
        // A cut that leaves more tokens than before (a lost quote) is no step down.
        let goes_down = count_tokens(&less) <= count_tokens(text);
        ensure!(!(goes_down && holds(case, &file)?), "bytes {start}..{end} of the result could go");
    }
    Ok(())
}
