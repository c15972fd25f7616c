//! `cargo xtask compare WHAT`: our figures beside those of other tools, on the same inputs.
//!
//! All of them run the release binary on the reduction cases of the data folder. [`cases`] finds the inputs and runs
//! the tool; the others each measure one thing and print a table.

mod cases;
mod kills;
mod minimal;
mod minimizers;
mod overhead;
mod peers;
mod reduce;

/// Print our figures beside those of other tools
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Reduce(reduce::Args),
    Minimizers(minimizers::Args),
    Overhead(overhead::Args),
    Kills(kills::Args),
}

/// Runs a comparison; true if every case came to a good end.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.what {
        What::Reduce(args) => reduce::run(args),
        What::Minimizers(args) => minimizers::run(args),
        What::Overhead(args) => overhead::run(args),
        What::Kills(args) => kills::run(args),
    }
}
