//! `cargo xtask compare WHAT`: our figures beside those of other tools, on the same inputs.

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
}

/// Runs a comparison; true if every case came to a good end.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.what {
        What::Reduce(args) => reduce::run(args),
    }
}
