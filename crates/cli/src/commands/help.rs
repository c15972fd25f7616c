//! `polysmith help`: the first page of help, or that of a command.

use crate::commands::names;
use crate::exit::Exit;
use crate::global;
use crate::talk::Talk;
use clap::builder::PossibleValuesParser;

/// Print help on a command
///
/// `polysmith help COMMAND` prints the same as `polysmith COMMAND --help`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith help\n  polysmith help generate")]
pub struct Args {
    /// The command; without it, the list of all commands
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(names()), hide_possible_values = true)]
    command: Option<String>,
}

/// Prints the page.
///
/// # Errors
/// Fails if stdout cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let words = [Some("polysmith"), args.command.as_deref(), Some("--help")];
    if let Err(page) = global::parse(words.into_iter().flatten()) {
        talk.page(&page)?;
    }
    Ok(Exit::Yes)
}
