//! Project tasks that need more than cargo: `cargo xtask VERB`.
//!
//! One file per verb. What the verbs share: [`paths`] (where the project and the shared data lie), [`rates`]
//! (counting hits and misses), [`table`] (CSV), [`oracle`] (ANTLR's own tool behind a line protocol).
#![expect(clippy::print_stdout, reason = "a project task talks to the person who runs it")]

mod accept;
mod bench;
mod compare;
mod conformance;
mod languages;
mod messages;
mod oracle;
mod paths;
mod picture;
mod rates;
mod soak;
mod table;
mod tidy;

use clap::Parser;
use std::process::ExitCode;

/// Project tasks
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", max_term_width = 100)]
enum Verb {
    Tidy(tidy::Args),
    Conformance(conformance::Args),
    Accept(accept::Args),
    Soak(soak::Args),
    Compare(compare::Args),
    Bench(bench::Args),
    Picture(picture::Args),
    Languages(languages::Args),
}

fn main() -> anyhow::Result<ExitCode> {
    let good = match Verb::parse() {
        Verb::Tidy(args) => tidy::run(&args),
        Verb::Conformance(args) => conformance::run(&args),
        Verb::Accept(args) => accept::run(&args),
        Verb::Soak(args) => soak::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Picture(args) => picture::run(&args),
        Verb::Languages(args) => languages::run(&args),
    }?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
