//! `cargo xtask compare minimizers`: tokens left and questions asked by each list minimizer.

use super::cases::{self, Where};
use anyhow::{Context as _, ensure};
use polysmith_reduce::{count_tokens, minimize::MINIMIZERS};
use std::fs;

/// Reduce cases with each list minimizer and print tokens and questions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// The cases; those with cheap questions by default
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "awk-interval,c-tcc-float128,java-clang-format,sql-on-clause"
    )]
    only: Vec<String>,
    /// Only these minimizers
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    minimizers: Vec<String>,
    /// The time for each run; a `+` marks one that it cut off
    #[arg(long = "for", value_name = "TIME", default_value = "5m")]
    time: String,
    /// The questions for each run
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    max_questions: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.place.binary()?;
    let is_wanted =
        |name: &str| args.minimizers.is_empty() || args.minimizers.iter().any(|wanted| wanted == name);
    let names: Vec<&str> =
        MINIMIZERS.iter().map(|minimizer| minimizer.name()).filter(|name| is_wanted(name)).collect();
    println!("| case | {} |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(names.len()));
    for name in &args.only {
        let case = args.place.case(name)?;
        let mut cells = Vec::new();
        for minimizer in &names {
            let folder = tempfile::tempdir()?;
            let input = case.input(folder.path())?;
            let mut command = cases::reduce(&binary, &case.test(), &input);
            command.args(["--jobs", "1", "--for", &args.time, "--minimizer", minimizer]);
            command.args(["--max-questions", &args.max_questions.to_string()]);
            let output = command.output()?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            ensure!(output.status.success(), "{name} with {minimizer}: {}", said.trim());
            let questions = cases::number_before(&said, " questions,").context("no number of questions")?;
            let tokens = count_tokens(&fs::read(cases::result_of(&input))?);
            let cut_off = if cases::is_complete(&input) { "" } else { "+" };
            cells.push(format!("{tokens}{cut_off} / {questions}"));
        }
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(true)
}
