//! `cargo xtask bench generate [DIR]`: how fast tests of a hundred tokens and more are generated, beside Grammarinator.
//!
//! One thread, to memory, with trees that the parser would build. DIR is a collection (a folder with `grammars.csv`).
//! Sizes are drawn as always, between 100 and 1,000 tokens: all orders of magnitude are equally likely, and the table shows
//! the result. Grammarinator has no least size: its rows show the sizes that it draws with the same largest number of
//! tokens. Times are processor time.

mod peer;

use super::{Subject, build};
use crate::paths;
use crate::table::Table;
use anyhow::{Context as _, bail};
use peer::Grammarinator;
use std::path::{Path, PathBuf};

/// Measure generation from ANTLR grammars
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The collection; by default that of `../shared`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The grammars
    #[arg(long, value_name = "NAME", default_values = ["json", "c", "java_java", "csharp_v7"])]
    grammar: Vec<String>,
    /// Seconds for each figure
    #[arg(long, value_name = "N", default_value_t = 3)]
    seconds: u64,
    /// The folder with Grammarinator's commands and its Python; else they are looked for on the PATH
    #[arg(long, value_name = "DIR")]
    grammarinator: Option<PathBuf>,
    /// Only memory: what is held after 10,000, 100,000 and 1,000,000 small tests
    #[arg(long)]
    memory: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let folder = args.folder.clone().unwrap_or_else(|| paths::shared().join("data/grammars-v4"));
    let table = Table::read(&folder.join("grammars.csv")).context("no collection to measure with")?;
    let program = build("polysmith-generate", "generate")?;
    let rows = table.rows().filter(|row| args.grammar.iter().any(|name| name == row.get("grammar")));
    if args.memory {
        println!("grammar          MB after 10,000     100,000   1,000,000 small tests");
        rows.into_iter().try_for_each(|row| memory(&program, &Subject::of(&folder, row)))?;
        return Ok(true);
    }
    let grammarinator = Grammarinator::find(args.grammarinator.as_deref());
    if grammarinator.is_none() {
        println!("Grammarinator is not there: name its folder with --grammarinator");
    }
    println!(
        "grammar      by             load ms   tests  tokens a test: 10 %  half  90 %   tokens/s    MiB/s  allocations/token"
    );
    for row in rows {
        let subject = Subject::of(&folder, row);
        speed(&program, &subject, args.seconds)?;
        if let Some(grammarinator) = &grammarinator {
            match grammarinator.speed(&subject, args.seconds) {
                Ok(line) => println!("{:<12} grammarinator  {line}", subject.name),
                Err(error) => println!("{:<12} grammarinator  {error:#}", subject.name),
            }
        }
    }
    Ok(true)
}

/// Numbers on one line.
fn figures(line: &str) -> anyhow::Result<Vec<f64>> {
    let words = line.split_whitespace();
    words.map(|word| word.parse().with_context(|| format!("`{word}` is no number"))).collect()
}

fn speed(program: &Path, subject: &Subject<'_>, seconds: u64) -> anyhow::Result<()> {
    let found = figures(&subject.measure(program, "speed", &[seconds.to_string()])?)?;
    let [load, tests, low, half, high, tokens, bytes, allocations, _] = found[..] else {
        bail!("the bench printed {} figures", found.len());
    };
    println!(
        "{:<12} polysmith      {load:>7.0} {} {allocations:>18.5}",
        subject.name,
        shown([tests, low, half, high, tokens, bytes])
    );
    Ok(())
}

/// Tests, sizes, tokens and bytes a second as columns.
fn shown([tests, low, half, high, tokens, bytes]: [f64; 6]) -> String {
    let mib = bytes / f64::from(1 << 20);
    format!("{tests:>7.0} {low:>20.0} {half:>5.0} {high:>5.0} {tokens:>10.0} {mib:>8.2}")
}

fn memory(program: &Path, subject: &Subject<'_>) -> anyhow::Result<()> {
    let held = figures(&subject.measure::<&str>(program, "memory", &[])?)?;
    let held: Vec<String> = held.iter().map(|kilobytes| format!("{:>12.1}", kilobytes / 1e3)).collect();
    println!("{:<16} {}", subject.name, held.join(""));
    Ok(())
}
