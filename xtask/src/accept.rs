//! `cargo xtask accept`: everything that needs other tools or the shared data.
//!
//! It installs nothing. It says what is missing and how to get it, runs what it can, and fails only if
//! something that ran is wrong. With `--ci` the heavy bars are sampled.

use crate::{conformance, oracle::Oracle, paths};
use std::process::Command;

/// Run what needs other tools or the shared data, and the heavy bars
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A sample of the heavy bars, for machines with an hour
    #[arg(long)]
    ci: bool,
}

/// Tools that checks call, and the package that brings each.
const TOOLS: &[(&str, &str)] = &[("java", "openjdk-17-jdk-headless"), ("npm", "npm")];

/// Runs everything; true if what ran is good.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    say_what_is_missing();
    let large = large_grammars()?;
    let conforms = conformance::run(&conformance::Args {
        paths: Vec::new(),
        only: Vec::new(),
        case: None,
        generate: if args.ci { 20 } else { 200 },
        k: 3,
        why: false,
        oracle: None,
        list: false,
    })?;
    Ok(large && conforms)
}

/// Grammars of thousands of rules: tests that are quick enough only when optimized.
fn large_grammars() -> anyhow::Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(paths::root())
        .args(["test", "--quiet", "--release", "--package", "polysmith-generate"])
        .args(["--test", "round_trip", "five_thousand_rules"])
        .status()?;
    Ok(status.success())
}

fn say_what_is_missing() {
    for (tool, package) in TOOLS {
        if !is_installed(tool) {
            println!("missing: {tool} (Debian package {package})");
        }
    }
    let script = Oracle::usual_script();
    if !script.is_file() {
        println!("missing: the ANTLR oracle at {}", script.display());
    }
    for path in paths::shared_data().iter().filter(|path| !path.exists()) {
        println!("missing: {}", path.display());
    }
}

fn is_installed(tool: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output()
        .is_ok_and(|out| out.status.success())
}
