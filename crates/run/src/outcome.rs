//! What a process did: plain data, never an error.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// It ended by itself with this exit code.
    Exited(i32),
    /// A signal ended it (a crash, or a limit such as the file size).
    Killed(i32),
    /// It was killed because its time was over.
    TimedOut,
}

/// How a process ended, what it printed, and how long it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// The kept part of standard output; empty unless captured.
    pub stdout: Vec<u8>,
    /// The kept part of standard error; empty unless captured.
    pub stderr: Vec<u8>,
    /// Wall time from the start to the end.
    pub time: Duration,
}

impl Ended {
    pub(crate) fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, Some(signal)) => Self::Killed(signal),
            // `wait` reports only ends, and an end is one of the two.
            (None, None) => Self::Exited(-1),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit code {code}"),
            Self::Killed(signal) => write!(f, "killed by signal {signal}{}", signal_name(*signal)),
            Self::TimedOut => write!(f, "killed after its time limit"),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        24 => " (SIGXCPU: processor time over the limit)",
        25 => " (SIGXFSZ: a file grew over the limit)",
        _ => "",
    }
}
