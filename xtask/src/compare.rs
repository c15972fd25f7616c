//! `cargo xtask compare WHAT`: our figures beside those of other tools, on the same inputs.
//!
//! All of them run the release binary on the reduction cases of the data folder. [`cases`] finds the inputs and runs
//! the tool, [`work`] keeps a reduction in a folder so that it can go on; the others each measure one thing and print a
//! table.

pub(crate) mod cases;
mod grammar;
mod kills;
mod large;
mod minimal;
mod minimizers;
mod overhead;
mod peers;
mod reduce;
mod rerun;
pub(crate) mod tree_minimal;
mod work;

/// Print our figures beside those of other tools
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Reduce(reduce::Args),
    Grammar(grammar::Args),
    Minimizers(minimizers::Args),
    Overhead(overhead::Args),
    Kills(kills::Args),
    Large(large::Args),
}

/// Runs a comparison; true if every case came to a good end.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.what {
        What::Reduce(args) => reduce::run(args),
        What::Grammar(args) => grammar::run(args),
        What::Minimizers(args) => minimizers::run(args),
        What::Overhead(args) => overhead::run(args),
        What::Kills(args) => kills::run(args),
        What::Large(args) => large::run(args),
    }
}
