//! The command line as a whole: options that every command takes, and the first page of help.

use crate::commands::{self, Command};
use crate::talk::{Talk, Verbosity};
use crate::version;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;

/// Describe a language once: generate inputs, parse real ones, reduce what fails
#[derive(Debug, Parser)]
#[command(name = "polysmith", version, long_version = version::LONG, max_term_width = 100, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, subcommand_value_name = "COMMAND")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that mean the same in every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Use colours: auto, always or never; NO_COLOR and a non-terminal turn them off
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    color: clap::ColorChoice,
    /// Say less on stderr: errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more on stderr: what is loaded, the time of each stage
    #[arg(short, long, global = true)]
    verbose: bool,
}

impl Global {
    pub(crate) fn talk(&self) -> Talk {
        match self.color {
            clap::ColorChoice::Always => anstream::ColorChoice::Always,
            clap::ColorChoice::Never => anstream::ColorChoice::Never,
            clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        }
        .write_global();
        Talk::new(match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        })
    }
}

/// Reads the arguments.
pub(crate) fn parse(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<Cli, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let mut command = command();
    if arguments.iter().take_while(|word| *word != "--").any(|word| word == "--help-all") {
        command = command.mut_subcommands(|command| command.mut_args(|argument| argument.hide(false)));
    } else {
        command = command.mut_subcommand("hunt", |hunt| hunt.mut_args(hide_shape));
    }
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// Hides the options that shape generated tests: in the help of a campaign they come last.
fn hide_shape(argument: clap::Arg) -> clap::Arg {
    let is_shown = matches!(argument.get_help_heading(), None | Some("Source" | "Target" | "Global options"));
    if is_shown { argument } else { argument.hide(true) }
}

/// The definition of the command line, with commands grouped on the first page.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let heading = command.get_styles().get_header().to_owned();
    let literal = command.get_styles().get_literal().to_owned();
    let mut groups = String::new();
    for (title, names) in commands::GROUPS {
        groups.push_str(&format!("{heading}{title}:{heading:#}\n"));
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            groups.push_str(&format!("  {literal}{name:<13}{literal:#}{about}\n"));
        }
        groups.push('\n');
    }
    let last = format!(
        "`{literal}polysmith help COMMAND{literal:#}` has the options of a command and examples.\n\
         {literal}LANGUAGE{literal:#} is a file or a built-in name: see `{literal}polysmith languages{literal:#}`."
    );
    command
        .help_template(format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}{heading}Options:{heading:#}\n{{options}}\n\n{last}\n"))
}
