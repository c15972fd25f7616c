//! An error that ends the command: one sentence, the exit code, and what to do next.
//!
//! Commands return `anyhow::Result<Exit>`. A [`Failure`] in the chain determines the exit code; an error without one
//! is about a file, so it ends with [`Exit::Unusable`].

use crate::exit::Exit;
use std::fmt;

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    message: String,
    help: Option<String>,
}

impl Failure {
    /// Done, and the answer is no.
    pub fn no(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::No, message: message.into(), help: None }
    }

    /// Wrong use of the command line.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into(), help: None }
    }

    /// A file that cannot be used.
    pub fn unusable(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Unusable, message: message.into(), help: None }
    }

    /// A limit or budget was reached; the message names it.
    pub fn gave_up(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::GaveUp, message: message.into(), help: None }
    }

    /// Adds what to do next, shown as `help: …`.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Failure {
        self.help = Some(text.into());
        self
    }

    /// The exit code of an error chain.
    pub fn exit_of(error: &anyhow::Error) -> Exit {
        error.downcast_ref::<Failure>().map_or(Exit::Unusable, |failure| failure.exit)
    }

    /// The help of an error chain.
    pub fn help_of(error: &anyhow::Error) -> Option<&str> {
        error.downcast_ref::<Failure>().and_then(|failure| failure.help.as_deref())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
