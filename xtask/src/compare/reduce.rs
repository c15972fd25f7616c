//! `cargo xtask compare reduce`: the reduction cases beside the peers of their README.
//!
//! Each case is reduced by the release binary, asked about again with its own test, and searched by the naive checker.
//! Everything lies in a working folder: a case that was cut off by its time goes on there the next time, and one
//! that has ended is only printed. Its figures are in `docs/measured.md`.

use super::minimal;
use super::peers::{Row, WITHOUT_GRAMMAR};
use super::work::{Figures, Options, Work};
use std::path::Path;

/// Reduce the cases of the data folder and print a table beside the peers' figures
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    options: Options,
    /// How many tests run at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.options.place.binary()?;
    let mut good = true;
    let mut missed = Vec::new();
    println!(
        "| case | tokens | bytes | questions | s | Shrink Ray | C-Vise | Picire | best of them: our questions |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for row in args.options.rows()? {
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
    let case = args.options.place.case(name)?;
    let work = Work::open(&args.options.folder("compare-reduce").join(name), &case)?;
    if !args.options.table {
        work.go_on(binary, Path::new("none"), |command| {
            command.args(["--for", &args.options.time, "--jobs", &args.jobs.to_string()]);
        })?;
    }
    if args.options.check {
        work.check(|result| minimal::check(&case, result))?;
    }
    work.figures()
}
