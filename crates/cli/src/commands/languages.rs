//! `polysmith languages`: what is built in, and what each can do.

use crate::built_in::{self, BuiltIn};
use crate::exit::Exit;
use crate::front_ends::Kind;
use crate::talk::Talk;
use serde_json::json;
use std::io::Write as _;

/// List what is built in, and what each can do
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith languages\n  polysmith languages --json")]
pub struct Args {
    /// One object per language on stdout
    #[arg(long)]
    json: bool,
}

/// Lists them.
///
/// # Errors
/// Fails if stdout cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let mut out = talk.out();
    if args.json {
        for folder in built_in::ALL {
            let descriptions: Vec<&str> = folder.kinds().filter_map(|kind| folder.main_file(kind)).collect();
            let about = About::of(folder);
            let line = json!({
                "v": 1, "name": folder.name, "description": about.description, "extensions": about.extensions,
                "files": descriptions, "can": abilities(folder),
            });
            writeln!(out, "{line}")?;
        }
    } else {
        let width = built_in::ALL.iter().map(|folder| folder.name.len()).max().unwrap_or(0);
        let can_width = built_in::ALL.iter().map(|folder| abilities(folder).join(", ").len()).max().unwrap_or(0);
        for folder in built_in::ALL {
            let can = abilities(folder).join(", ");
            writeln!(out, "{:width$}  {can:can_width$}  {}", folder.name, About::of(folder).description)?;
        }
    }
    out.flush()?;
    Ok(Exit::Yes)
}

/// The commands that the descriptions of a folder allow.
fn abilities(folder: &BuiltIn) -> Vec<&'static str> {
    let has = |kind| folder.main_file(kind).is_some();
    let mut can = Vec::new();
    if has(Kind::Lala) || has(Kind::Antlr) || has(Kind::Daedalus) {
        can.push("generate");
    }
    if has(Kind::Antlr) || has(Kind::Daedalus) {
        can.extend(["parse", "reduce"]);
    }
    can.retain(|name| super::GROUPS.iter().any(|(_, names)| names.contains(name)));
    can
}

/// The `[language]` part of a side file, as far as a list needs it.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct About {
    description: String,
    extensions: Vec<String>,
}

#[derive(serde::Deserialize)]
struct SideFile {
    #[serde(default)]
    language: About,
}

impl About {
    fn of(folder: &BuiltIn) -> About {
        let mains = folder.kinds().filter_map(|kind| folder.main_file(kind));
        let text = mains.filter_map(|path| folder.side_file(path)).next();
        text.and_then(|text| toml::from_str::<SideFile>(text).ok()).map(|file| file.language).unwrap_or_default()
    }
}
