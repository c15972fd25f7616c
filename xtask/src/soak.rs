//! `cargo xtask soak WHAT`: random differential runs, as long as told.
//!
//! To add one: write `soak/NAME.rs` with `pub(crate) fn run(args: &Args, tally: &mut Tally) -> anyhow::Result<()>`,
//! which follows from `args.seed` alone and makes `args.count` cases, and one line in [`SOAKS`].

mod bytes;
mod lint;
mod parse;
mod random_grammar;

use crate::rates::Tally;
use anyhow::Context as _;
use std::path::PathBuf;

/// Run random comparisons, as long as told
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which one; without it the list is printed
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// How many cases
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// Everything random follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of the first case: a long run in pieces (each piece prints where the next begins)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) from: u64,
    /// How many oracles `parse` asks side by side; it changes no result
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: u32,
    /// Keep the answers that `parse` gets in this file, and take them from it the next time
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// The collection of grammars for `bytes`; by default that of `../shared`
    #[arg(long, value_name = "DIR")]
    pub(crate) grammars: Option<PathBuf>,
    /// The start script of the ANTLR oracle
    #[arg(long, value_name = "FILE")]
    pub(crate) oracle: Option<PathBuf>,
}

/// A random comparison.
struct Soak {
    name: &'static str,
    about: &'static str,
    run: fn(&Args, &mut Tally) -> anyhow::Result<()>,
}

const SOAKS: &[Soak] = &[
    Soak {
        name: "bytes",
        about: "random bytes for the parsers of twenty grammars: no panic, no hang",
        run: bytes::run,
    },
    Soak { name: "lint", about: "mutants of grammars: the first message and its line", run: lint::run },
    Soak { name: "parse", about: "random grammars and inputs, our parser against ANTLR's", run: parse::run },
];

/// Runs one; true if every rate keeps its bar.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let Some(what) = &args.what else {
        for soak in SOAKS {
            println!("{:<14} {}", soak.name, soak.about);
        }
        return Ok(true);
    };
    let soak = SOAKS.iter().find(|soak| soak.name == *what);
    let soak = soak.with_context(|| format!("there is no soak `{what}`; `cargo xtask soak` lists them"))?;
    let mut tally = Tally::default();
    (soak.run)(args, &mut tally)?;
    Ok(tally.finish())
}
