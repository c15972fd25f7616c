//! The command line of Polysmith: arguments, files, progress, exit codes. It connects the libraries and computes
//! nothing.
//!
//! [`run`] is the whole program; `main.rs` only calls it. [`commands`] has one file per subcommand; [`talk`] is the
//! only module that prints; [`load`] turns the argument LANGUAGE into a description.
//!
//! ```
//! let exit = polysmith::run(["polysmith", "--version"]);
//! assert_eq!(exit, std::process::ExitCode::SUCCESS);
//! ```

pub mod commands;
pub mod engines;
pub mod exit;
pub mod explanations;
pub mod failure;
pub mod generate;
mod global;
pub mod hunt;
pub mod input;
pub mod interrupt;
pub mod jobs;
pub mod load;
pub mod parse;
pub mod progress;
pub mod stage;
pub mod summary;
pub mod talk;
pub mod units;
pub mod version;

use exit::Exit;
use failure::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

/// The definition of the command line: commands, options, help.
pub fn definition() -> clap::Command {
    global::command()
}

/// Runs one command line, program name first, and returns its exit code.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let cli = match global::parse(arguments) {
        Ok(cli) => cli,
        // Help and version are reported as "errors" with code 0.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::Usage.code()));
        }
    };
    let talk = cli.global.talk();
    let stage = stage::Stage::begin(talk);
    let ended = cli.command.run(talk);
    stage.end("in total");
    exit_code(ended, talk)
}

/// The exit code of a command. Prints the error, if any; a closed stdout is a normal end.
pub fn exit_code(ended: anyhow::Result<Exit>, talk: talk::Talk) -> ExitCode {
    match ended {
        Ok(exit) => exit.into(),
        Err(error) if talk::StdoutClosed::is_cause_of(&error) => Exit::Yes.into(),
        Err(error) => {
            talk.failure(&error);
            Failure::exit_of(&error).into()
        }
    }
}
