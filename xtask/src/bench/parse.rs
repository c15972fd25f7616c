//! `cargo xtask bench parse [DIR]`: our parser beside ANTLR's.
//!
//! DIR is a collection (a folder with `verdicts.csv`). *Warm:* its largest JSON, C and Java inputs, and 10 MB made
//! of each by repetition. ANTLR's interpreter runs 50 times before it counts (once for the 10 MB: by then its code is
//! compiled, and the rest warms its caches); ours five times. Both report the median of processor time on one thread,
//! the two one after the other on each input. Ours makes each tree in the memory of the last one, as a virtual machine's
//! collector does too; `fresh` is the speed without that. *Cold:* for every grammar, from its file to the first tree of an example
//! of about a kilobyte, in a process of its own.

use super::{Subject, build};
use crate::oracle::Oracle;
use crate::paths;
use crate::table::{Row, Table};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Measure the parser beside ANTLR's interpreter
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The collection; by default that of `../shared`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Only the start: from a grammar's file to the first tree
    #[arg(long)]
    cold: bool,
    /// Only the speed on large inputs
    #[arg(long, conflicts_with = "cold")]
    warm: bool,
    /// Only inputs or grammars whose name contains this
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// The start script of the ANTLR oracle
    #[arg(long, value_name = "FILE")]
    oracle: Option<PathBuf>,
}

/// The inputs of the warm part, and how each is repeated.
const LARGE: &[(&str, Repeat)] = &[
    ("json/examples/made-large.json", Repeat::AsArray),
    ("c/examples/made-large.c", Repeat::From("")),
    ("java_java/examples/MadeLarge.java", Repeat::From("public class")),
];

enum Repeat {
    /// The text again and again as elements of an array.
    AsArray,
    /// The text, then again and again from the first place of this on.
    From(&'static str),
}

const REPEATED_BYTES: usize = 10_000_000;
const WARM_UP: usize = 50;
const MEASURED: usize = 5;
const KILOBYTE: usize = 1_000;
const COLD_AIM: f64 = 0.050;
const COLD_RUNS: usize = 3;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let folder = args.folder.clone().unwrap_or_else(|| paths::shared().join("data/grammars-v4"));
    let folder = folder.canonicalize().with_context(|| format!("there is no {}", folder.display()))?;
    let table = Table::read(&folder.join("verdicts.csv"))?;
    let program = build("polysmith-parse", "parse")?;
    let wanted = |name: &str| args.case.as_ref().is_none_or(|part| name.contains(part.as_str()));
    if !args.cold {
        let mut oracle = Oracle::start(&args.oracle.clone().unwrap_or_else(Oracle::usual_script))?;
        warm(&folder, &table, &program, &mut oracle, &wanted)?;
    }
    if !args.warm {
        cold(&folder, &table, &program, &wanted)?;
    }
    Ok(true)
}

fn warm(
    folder: &Path,
    table: &Table,
    program: &Path,
    oracle: &mut Oracle,
    wanted: &dyn Fn(&str) -> bool,
) -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    println!(
        "input          bytes    MB/s   fresh  lexing  tokens  nodes/token  decisions/token  lookahead/token  table  automaton  callers  bytes/token  allocations/token  ANTLR MB/s  ratio"
    );
    for (name, repeat) in LARGE.iter().filter(|(name, _)| wanted(name)) {
        let row = table.rows().find(|row| row.get("input") == *name);
        let row = row.with_context(|| format!("verdicts.csv has no {name}"))?;
        let subject = Subject::of(folder, row);
        let loaded = oracle.load(work.path(), subject.start, &subject.files())?;
        if loaded["ok"] != true {
            bail!("ANTLR does not load {}", subject.main.display());
        }
        let small = folder.join(name);
        let large = work.path().join("repeated");
        fs::write(&large, repeated(&fs::read_to_string(&small)?, repeat))?;
        for (input, warm_up, measured) in [(&small, WARM_UP, MEASURED), (&large, 1, 1)] {
            let ours = subject.measure(program, "warm", &[input])?;
            let (seconds, shown) = split_line(&ours)?;
            let bytes = fs::metadata(input)?.len() as f64;
            let answer = oracle.bench(input, warm_up, measured)?;
            let theirs = answer["totalbps"].as_f64().context("ANTLR did not finish")?;
            println!(
                "{:<10}{shown}{:>12.2}{:>7.1}",
                row.get("grammar"),
                theirs / 1e6,
                bytes / seconds / theirs
            );
        }
    }
    Ok(())
}

/// Seconds, and the columns for people.
fn split_line(line: &str) -> anyhow::Result<(f64, &str)> {
    let rest = line.trim_end().split_once(' ').map(|(_, rest)| rest);
    let (seconds, shown) = rest.and_then(|rest| rest.split_once(' ')).context("the bench printed nothing")?;
    Ok((seconds.parse()?, shown.get(10..).unwrap_or(shown)))
}

fn repeated(text: &str, repeat: &Repeat) -> String {
    let mut out = String::with_capacity(REPEATED_BYTES + text.len());
    match repeat {
        Repeat::AsArray => {
            out.push('[');
            while out.len() + text.len() < REPEATED_BYTES {
                out.push_str(text);
                out.push(',');
            }
            out.push_str(text);
            out.push(']');
        }
        Repeat::From(place) => {
            let again = &text[text.find(place).unwrap_or(0)..];
            out.push_str(text);
            while out.len() < REPEATED_BYTES {
                out.push('\n');
                out.push_str(again);
            }
        }
    }
    out
}

fn cold(folder: &Path, table: &Table, program: &Path, wanted: &dyn Fn(&str) -> bool) -> anyhow::Result<()> {
    let mut names: Vec<&str> = table.rows().map(|row| row.get("grammar")).collect();
    names.dedup();
    let mut times = Vec::new();
    for name in names.into_iter().filter(|name| wanted(name)) {
        let accepted = table.rows().filter(|row| row.get("grammar") == name && row.get("accepted") == "yes");
        let distance =
            |row: &Row<'_>| row.get("bytes").parse::<usize>().map_or(usize::MAX, |n| n.abs_diff(KILOBYTE));
        let Some(row) = accepted.min_by_key(distance) else { continue };
        let subject = Subject::of(folder, row);
        let input = folder.join(row.get("input"));
        let seconds = (0..COLD_RUNS).map(|_| -> anyhow::Result<f64> {
            Ok(subject.measure(program, "cold", &[&input])?.trim().parse()?)
        });
        let mut seconds = seconds.collect::<anyhow::Result<Vec<f64>>>()?;
        seconds.sort_by(f64::total_cmp);
        times.push((seconds[COLD_RUNS / 2], name, row.get("bytes")));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slow = times.iter().filter(|(seconds, ..)| *seconds > COLD_AIM).count();
    println!(
        "from a grammar's file to the first tree: {} grammars, {slow} above 50 ms; the slowest:",
        times.len()
    );
    for (seconds, name, bytes) in times.iter().take(10) {
        println!("{:>8.1} ms  {name} ({bytes} bytes)", seconds * 1e3);
    }
    if let Some((seconds, ..)) = times.get(times.len() / 2) {
        println!("{:>8.1} ms  is the median", seconds * 1e3);
    }
    Ok(())
}
