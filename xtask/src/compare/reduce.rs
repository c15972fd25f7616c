//! `cargo xtask compare reduce`: the reduction cases beside the peers of their README.
//!
//! Each case is reduced by the release binary, asked about again with its own test, and searched by the naive checker.
//! Everything lies in a working folder: a case that was cut off by its time goes on there the next time, and one
//! that has ended is only printed. The table is the one in `docs/claims.md`.

use super::cases::Where;
use super::minimal;
use super::peers::{self, Row, WITHOUT_GRAMMAR};
use super::work::{Figures, Work};
use crate::paths;
use std::path::{Path, PathBuf};

/// Reduce the cases of the data folder and print a table beside the peers' figures
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// Only these cases
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// The time for each case; the next call goes on with those that need more
    #[arg(long = "for", value_name = "TIME", default_value = "10m")]
    time: String,
    /// How many tests run at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Where results, logs and states are kept [default: target/compare-reduce]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Reduce nothing: print what is in the working folder
    #[arg(long)]
    table: bool,
    /// Look for a single line, token or byte of a finished result that could still go: a run of the test for each
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.place.binary()?;
    let mut good = true;
    let mut missed = Vec::new();
    println!(
        "| case | tokens | bytes | questions | s | Shrink Ray | C-Vise | Picire | best of them: our questions |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for row in peers::read(&args.place.cases())? {
        if !args.only.is_empty() && !args.only.contains(&row.case) {
            continue;
        }
        match measure(args, &binary, &row.case) {
            Ok(Some(figures)) => {
                println!("{}", line(&row, &figures));
                missed.extend(misses(&row, &figures));
            }
            Ok(None) => {}
            Err(error) => {
                println!("| {} | failed: {error:#} |", row.case);
                good = false;
            }
        }
    }
    missed.iter().for_each(|miss| println!("missed: {miss}"));
    Ok(good)
}

fn line(row: &Row, figures: &Figures) -> String {
    let Figures { tokens, bytes, questions, seconds, ended, checked, .. } = figures;
    let cut_off = if *ended { "" } else { "+" };
    let checked = if *checked { " ✓" } else { "" };
    let peers = WITHOUT_GRAMMAR.map(|tool| row.peers.iter().find(|peer| peer.tool == tool));
    let texts = peers.map(|peer| peer.map_or("-", |peer| peer.text.as_str())).join(" | ");
    let best = peers.into_iter().flatten().min_by_key(|peer| (peer.tokens, peer.calls));
    let reached = best.map_or_else(String::new, |best| {
        let ours = figures.questions_until(best.tokens).map_or("-".to_owned(), |ours| ours.to_string());
        format!("{} / {}: {ours}", best.tokens, best.calls)
    });
    format!(
        "| {} | {tokens}{cut_off}{checked} | {bytes} | {questions} | {seconds} | {texts} | {reached} |",
        row.case
    )
}

/// Peers without a grammar that came to fewer tokens, or to the count of the best in fewer questions; and any other
/// peer that came to fewer tokens than we did.
fn misses(row: &Row, figures: &Figures) -> Vec<String> {
    let behind = row.peers.iter().filter(|peer| peer.tokens < figures.tokens);
    let mut missed: Vec<String> = behind
        .map(|peer| format!("{}: {} tokens, {} {}", row.case, figures.tokens, peer.tool, peer.text))
        .collect();
    let plain = row.peers.iter().filter(|peer| WITHOUT_GRAMMAR.contains(&peer.tool.as_str()));
    if let Some(best) = plain.min_by_key(|peer| (peer.tokens, peer.calls))
        && let Some(ours) = figures.questions_until(best.tokens).filter(|ours| *ours > best.calls)
    {
        missed.push(format!(
            "{}: {ours} questions to the {} tokens of {} {}",
            row.case, best.tokens, best.tool, best.text
        ));
    }
    missed
}

/// Reduces a case, or goes on with it; `None` if there is nothing yet and nothing is to be done.
fn measure(args: &Args, binary: &Path, name: &str) -> anyhow::Result<Option<Figures>> {
    let root = args.work.clone().unwrap_or_else(|| paths::root().join("target/compare-reduce"));
    let case = args.place.case(name)?;
    let work = Work::open(&root.join(name), &case)?;
    if !args.table {
        work.go_on(binary, Path::new("none"), |command| {
            command.args(["--for", &args.time, "--jobs", &args.jobs.to_string()]);
        })?;
    }
    if args.check {
        work.check(|result| minimal::check(&case, result))?;
    }
    work.figures()
}
