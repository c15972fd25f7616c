//! `polysmith check`: checks that programs satisfy all rules of a specification.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read;
use crate::load::{LanguageOptions, load};
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_attributes::{Derivation, Spec, evaluate};
use polysmith_description::Capability;
use polysmith_source::SourceMap;
use polysmith_tree::save;
use std::path::PathBuf;

/// Check whether saved programs keep all rules of a specification
///
/// Every attribute and guard is computed from scratch. The first guard that is not satisfied, or rule that fails,
/// is named with its place. Exit 1 if there is one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith generate figure3 --guards off --seed 4 -n 2 -o 'p{index}.txt' --trees\n  \
    polysmith check figure3 p0.txt.pst p1.txt.pst || true")]
pub struct Args {
    /// A LALA specification (`-` is stdin) or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    /// Saved trees, as `generate --trees` writes them; `-` is stdin
    #[arg(value_name = "TREE", required = true)]
    trees: Vec<PathBuf>,
}

/// Checks the programs in order.
///
/// # Errors
/// The description or a tree cannot be used.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let usable = load(&args.language, Some(Capability::Check), &LanguageOptions::default(), talk)?;
    let sources = &usable.sources;
    let spec = usable.description.specification();
    let spec = spec.ok_or_else(|| Failure::unusable(format!("`{}` has no rules to check", args.language)))?;
    let mut valid = true;
    for path in &args.trees {
        let shown = path.display();
        let bytes = read(path)?;
        let (_, tree) = save::load(&bytes, usable.description.tree_grammar())
            .with_context(|| format!("`{shown}` cannot be used"))?;
        let derivation =
            Derivation::from_tree(spec, &tree).with_context(|| format!("`{shown}` cannot be used"))?;
        match first_violation(spec, sources, &derivation) {
            None => talk.result(format_args!("{shown}: valid"))?,
            Some(violation) => {
                valid = false;
                talk.result(format_args!("{shown}: {violation}"))?;
            }
        }
    }
    Ok(Exit::from_answer(valid))
}

fn first_violation(spec: &Spec, sources: &SourceMap, derivation: &Derivation) -> Option<String> {
    let evaluation = evaluate(spec, derivation);
    let violation = evaluation.violations.first()?;
    let span = violation.span(spec);
    let place = sources.line_col(span);
    let file = sources.get(span.source).name();
    let more = match evaluation.violations.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let message = violation.message(spec);
    Some(format!("{message} at node {}: {file}:{}:{}{more}", violation.node, place.line, place.column + 1))
}
