//! `polysmith check`: are all rules of a description kept?

mod guards;
mod names;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::{LanguageOptions, load};
use crate::talk::Talk;
use polysmith_description::Capability;
use std::path::PathBuf;

/// Check whether texts or saved trees keep all rules of a description
///
/// A LALA specification has guards: every attribute and guard of a saved tree is computed from scratch, and the first
/// guard that is not satisfied is named. A grammar has rules about names in the table `[names]` of its side file: names
/// that are not defined or defined again, and what lacks something around it, are shown with their places. Exit 1 if a
/// rule is broken.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    echo 'int f(int a) { return a + b; }' > f.c\n  \
    polysmith check c f.c || true\n  \
    polysmith generate figure3 --guards off --seed 4 -n 2 -o 'p{index}.txt' --trees\n  \
    polysmith check figure3 p0.txt.pst p1.txt.pst || true")]
pub struct Args {
    /// A LALA specification or a grammar with `[names]` (`-` is stdin), or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    /// Texts (for a grammar) or saved trees, as `generate --trees` writes them; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Checks the programs in order.
///
/// # Errors
/// A description or a file that cannot be used.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let usable = load(&args.language, Some(Capability::Check), &LanguageOptions::default(), talk)?;
    let description = &usable.description;
    if let Some(spec) = description.specification() {
        return guards::check(spec, &usable.sources, &args.files, talk);
    }
    match (description.grammar(), &description.side_file().names) {
        (Some(grammar), Some(names)) => {
            names::Checker::new(grammar, crate::load::start_rule(description)?, names)?
                .check(&args.files, talk)
        }
        _ => Err(Failure::unusable(format!("`{}` has no rules to check", args.language))
            .help("the table `[names]` of a side file has rules about names")
            .into()),
    }
}
