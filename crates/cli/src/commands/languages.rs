//! `polysmith languages`: lists the built-in languages, and what each can do.

mod one;

use crate::exit::Exit;
use crate::talk::Talk;
use polysmith_description::Capability;
use polysmith_description::built_in::{self, BuiltIn};
use polysmith_description::side_file::About;
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

/// List what is built in, and what each can do
///
/// With NAME, shows what is known about one language: the standard that it follows, the kinds of names that `check` knows,
/// and what its grammar asks of a target.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith languages\n  polysmith languages json --export my-json")]
pub struct Args {
    /// A built-in name: show only this one, with all that is known
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Write the files of the language into a folder, for changing
    #[arg(long, value_name = "DIR", requires = "name", conflicts_with = "json")]
    export: Option<PathBuf>,
    /// Overwrite files
    #[arg(long, requires = "export")]
    force: bool,
    /// One object per language on stdout
    #[arg(long)]
    json: bool,
}

/// Lists them, shows one, or writes its files.
///
/// # Errors
/// A name that is not built in; files that are there already or cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let one = args.name.as_deref().map(one::find).transpose()?;
    match (one, &args.export, args.json) {
        (Some(folder), Some(target), _) => return one::export(folder, target, args.force, talk),
        (Some(folder), None, false) => return one::show(folder, talk),
        _ => {}
    }
    let mut out = talk.out();
    if args.json {
        for folder in built_in::ALL.iter().filter(|folder| one.is_none_or(|one| one.name == folder.name)) {
            let descriptions: Vec<&str> = folder.main_files().collect();
            let About { description, standard, extensions, has_names } = about(folder);
            let line = json!({
                "v": 1, "name": folder.name, "description": description, "extensions": extensions,
                "files": descriptions, "can": commands(folder), "standard": standard, "names": has_names,
            });
            writeln!(out, "{line}")?;
        }
    } else {
        let width = built_in::ALL.iter().map(|folder| folder.name.len()).max().unwrap_or(0);
        let can_width =
            built_in::ALL.iter().map(|folder| commands(folder).join(", ").len()).max().unwrap_or(0);
        for folder in built_in::ALL {
            let can = commands(folder).join(", ");
            writeln!(out, "{:width$}  {can:can_width$}  {}", folder.name, about(folder).description)?;
        }
    }
    out.flush()?;
    Ok(Exit::Yes)
}

/// The commands that need a capability which one of the folder's descriptions has.
fn commands(folder: &BuiltIn) -> Vec<&'static str> {
    const BY_CAPABILITY: &[(Capability, &[&str])] = &[
        (Capability::Generate, &["generate"]),
        (Capability::Parse, &["parse", "reduce"]),
        (Capability::Check, &["check"]),
    ];
    let usable = BY_CAPABILITY.iter().filter(|(capability, _)| folder.can(*capability));
    usable.flat_map(|(_, names)| names.iter().copied()).collect()
}

/// What the first of its side files says about the language.
fn about(folder: &BuiltIn) -> About {
    folder.main_files().map(|file| folder.about(file)).next().unwrap_or_default()
}
