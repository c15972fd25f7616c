//! `cargo xtask bench WHAT`: how fast, beside a peer in the same run.

mod generate;
mod parse;

/// Measure speed beside a peer
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Parse(parse::Args),
    Generate(generate::Args),
}

/// Runs a bench; true if it came to an end.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.what {
        What::Parse(args) => parse::run(args),
        What::Generate(args) => generate::run(args),
    }
}
