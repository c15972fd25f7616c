//! The exit codes, by name. Their meaning is part of the tool's contract: see the book, "Exit codes".

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and the answer is yes.
    Yes = 0,
    /// Done, and the answer is no: rejected, errors found, a failure counted.
    No = 1,
    /// Wrong use: an unknown flag, a missing argument, a limit that is too small.
    Usage = 2,
    /// A file cannot be used: missing, unreadable, a description with errors.
    Unusable = 3,
    /// Gave up inside a limit or budget.
    GaveUp = 4,
    /// Interrupted by Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// `Yes` or `No`.
    pub const fn from_answer(yes: bool) -> Exit {
        if yes { Exit::Yes } else { Exit::No }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
