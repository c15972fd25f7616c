//! The subcommands, one file each.
//!
//! To add one: write `commands/NAME.rs` with
//!
//! - `pub struct Args` (`#[derive(Debug, clap::Args)]`): its doc comment is the line in the first page of help,
//!   a second paragraph the start of its own help, and `#[command(after_help = …)]` ends with `Examples:` and
//!   two or more lines, at most 98 columns wide, that work as they stand, one after the other in a folder that is
//!   empty at first (`tests/help.rs` runs them in a shell);
//! - `pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit>`: results through [`Talk::out`] or
//!   [`Talk::result`], the rest through the other methods of [`Talk`]; what went wrong as a
//!   [`crate::failure::Failure`] with the exit code and the help;
//!
//! and two lines below: its module, and its entry in the group where a newcomer would look for it. Its manual page is
//! `docs/book/commands/NAME.md`. LANGUAGE arguments go through [`crate::load::load`]; work that may last listens to
//! Ctrl-C with [`crate::interrupt::Interrupt`].

pub mod check;
pub mod compare;
pub mod completions;
pub mod demo;
pub mod driver;
pub mod explain;
pub mod findings;
pub mod generate;
pub mod help;
pub mod hunt;
pub mod init;
pub mod languages;
pub mod lint;
pub mod man;
pub mod normalize;
pub mod parse;
pub mod print;
pub mod reduce;
pub mod report;

use crate::exit::Exit;
use crate::talk::Talk;

/// Generates the enum that clap reads, the dispatch, and the groups of the help page from one list.
macro_rules! commands {
    ($($group:literal { $($variant:ident => $module:ident,)+ })+) => {
        /// A subcommand with its arguments.
        #[allow(clippy::large_enum_variant, reason = "there is one of it in a process")]
        #[derive(Debug, clap::Subcommand)]
        pub enum Command {
            $($(
                #[allow(missing_docs, reason = "the doc comment of `Args` is the help text")]
                #[command(name = stringify!($module))]
                $variant($module::Args),
            )+)+
        }

        impl Command {
            /// Runs the command.
            ///
            /// # Errors
            /// Returns the error that ended the command, with the exit code in a [`crate::failure::Failure`].
            pub fn run(self, talk: Talk) -> anyhow::Result<Exit> {
                match self {
                    $($(Command::$variant(args) => $module::run(args, talk),)+)+
                }
            }
        }

        /// The commands as the first page of help groups them.
        pub const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($module)),+])),+];
    };
}

commands! {
    "Descriptions" {
        Lint => lint,
        Languages => languages,
        Normalize => normalize,
        Explain => explain,
    }
    "Texts" {
        Generate => generate,
        Parse => parse,
        Print => print,
        Check => check,
        Reduce => reduce,
    }
    "Campaigns" {
        Demo => demo,
        Init => init,
        Hunt => hunt,
        Findings => findings,
        Report => report,
        Compare => compare,
        Driver => driver,
    }
    "Help and shell" {
        Help => help,
        Completions => completions,
        Man => man,
    }
}

/// The names of all commands, as the first page of help orders them.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    GROUPS.iter().flat_map(|(_, names)| names.iter().copied())
}
