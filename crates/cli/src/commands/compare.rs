//! `polysmith compare`: what two campaigns found.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::hunt::json_lines;
use crate::hunt::tell::{as_json, title};
use crate::talk::Talk;
use polysmith_hunt::Finding;
use polysmith_hunt::store::{SqliteStore, Store as _};
use std::path::{Path, PathBuf};

/// Compare what two campaigns found: both, only the first, only the second
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith hunt -q --language mini --runs 20 --unconfined --store a -- sh -c 'kill -SEGV $$'\n  \
    polysmith hunt -q --language mini --runs 20 --unconfined --store b -- sh -c 'kill -ILL $$'\n  \
    polysmith compare a b")]
pub struct Args {
    /// The folder of one campaign
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The folder of another
    #[arg(value_name = "B")]
    second: PathBuf,
    /// JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Compares them by the keys of signatures.
///
/// # Errors
/// A store that is not there or cannot be used.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let (first, second) = (findings(&args.first)?, findings(&args.second)?);
    let has = |list: &[Finding], key: &str| list.iter().any(|finding| finding.key == key);
    let (both, only_first): (Vec<&Finding>, Vec<&Finding>) =
        first.iter().partition(|finding| has(&second, &finding.key));
    let only_second: Vec<&Finding> = second.iter().filter(|finding| !has(&first, &finding.key)).collect();
    for (place, list) in [("both", &both), ("only A", &only_first), ("only B", &only_second)] {
        if !args.json {
            talk.result(format_args!("{place}: {}", list.len()))?;
        }
        for finding in list {
            if args.json {
                let mut object = as_json(finding);
                object["found_by"] = place.into();
                json_lines(talk, "finding", object)?;
            } else {
                talk.result(format_args!("  {}", title(finding)))?;
            }
        }
    }
    Ok(Exit::Yes)
}

fn findings(folder: &Path) -> anyhow::Result<Vec<Finding>> {
    match SqliteStore::open_existing(folder)? {
        Some(store) => Ok(store.findings()?),
        None => Err(Failure::unusable(format!("there are no findings in `{}`", folder.display()))
            .help("`polysmith hunt` makes them")
            .into()),
    }
}
