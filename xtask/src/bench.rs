//! `cargo xtask bench WHAT`: how fast, beside a peer in the same run.

mod generate;
mod parse;
mod subject;

use crate::paths;
use anyhow::{Context as _, bail};
use std::path::PathBuf;
use std::process::Command;
use subject::Subject;

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

/// Builds a measuring program of a crate and finds it.
fn build(package: &str, bench: &str) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(paths::root())
        .args(["bench", "--quiet", "--no-run", "--message-format=json"])
        .args(["--package", package, "--bench", bench])
        .output()?;
    if !output.status.success() {
        bail!("the bench does not build:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout)?;
    let messages = text.lines().rev().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut made = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    made.next().context("cargo names no executable")
}
