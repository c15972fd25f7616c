//! `cargo xtask languages NAME`: a grammar of ours beside real files and the language's own tool.
//!
//! `xtask/languages/NAME.toml` names packages with real files, how a file is prepared, and the reference tool ([`plan`]).
//! The files are drawn with a seed ([`corpus`]) and fetched only with `--fetch` ([`fetch`]). Rates:
//!
//! - `languages-real-files`: parsed without an error; `languages-print-back`: the tree prints the same bytes;
//! - `languages-context`: decisions that need their callers for at most one question of a hundred;
//! - `languages-wrong-files`: one token deleted, doubled or swapped, and our verdict is the reference tool's;
//! - `languages-names`: nothing is said about names and needs that the reference tool or a linter would not say;
//!   `languages-undefined-names`: names without a definition that the linter finds and we find too ([`names`]);
//! - `languages-generated`: texts of our generator that our parser accepts; `languages-generated-reference`: that the
//!   reference tool's parser accepts.
//!
//! Then the speed, beside tree-sitter ([`speed`]).

mod checks;
mod corpus;
mod fetch;
mod mutants;
mod names;
mod plan;
mod reference;
mod speed;
mod subject;

use crate::paths;
use crate::rates::Tally;
use plan::Plan;
use reference::Reference;
use subject::Subject;

/// Compare a grammar of ours with real files and the language's own tool
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The language: the name of a data file in `xtask/languages`
    #[arg(value_name = "NAME")]
    language: String,
    /// How many real files to draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    files: usize,
    /// How many texts to generate
    #[arg(long, value_name = "N", default_value_t = 200)]
    generate: u64,
    /// Where the drawing of files and changes starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run these checks only
    #[arg(long, value_name = "CHECK")]
    only: Vec<Check>,
    /// Fetch missing packages into `target/corpus` first
    #[arg(long)]
    fetch: bool,
}

/// One of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Check {
    RealFiles,
    Names,
    WrongFiles,
    Generated,
    Speed,
}

/// Runs all checks; true if every rate keeps its bar.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let plan = Plan::read(&args.language)?;
    let folder = paths::root().join("target/corpus").join(&args.language);
    if args.fetch {
        fetch::fetch(&plan, &folder)?;
        fetch::install_linter(&plan, &folder.join("tools"))?;
        if let Some(peer) = &plan.peer {
            speed::build_peer(peer, &folder)?;
        }
    }
    let subject = Subject::load(&plan)?;
    let reference = Reference::new(&plan)?;
    let samples = corpus::sample(&plan, &reference, &folder, args.files, args.seed)?;
    let mut tally = Tally::default();
    let runs = |check| args.only.is_empty() || args.only.contains(&check);
    if runs(Check::RealFiles) {
        checks::real_files(&subject, &samples, &mut tally)?;
    }
    if runs(Check::Names) {
        names::names(&subject, &reference, &samples, &folder.join("tools"), &mut tally)?;
    }
    if runs(Check::WrongFiles) {
        checks::wrong_files(&subject, &reference, &samples, args.seed, &mut tally)?;
    }
    if runs(Check::Generated) {
        checks::generated(&subject, &reference, args.generate, args.seed, &mut tally)?;
    }
    if runs(Check::Speed) {
        speed::measure(&subject, &samples, plan.peer.as_ref(), &folder)?;
    }
    Ok(tally.finish())
}
