//! What a target did with one test.

use std::time::Duration;

use polysmith_run::{Ended, Outcome};

/// The signal of a process that used more processor time than its limit.
const SIGXCPU: i32 = 24;

/// How a target dealt with a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// It took the test: exit code 0, or the status `ok` of a persistent driver.
    Accepted,
    /// It refused the test: another exit code, or the status `reject`. The code of a driver's answer is 1.
    Rejected(i32),
    /// A check inside a persistent driver failed (status `fail`).
    CheckFailed,
    /// A signal ended it.
    Killed(i32),
    /// It needed more time than its limit.
    TimedOut,
    /// A persistent driver did not keep to the protocol; the text says how.
    Misframed(String),
}

/// What a target did with one test: plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// How it ended.
    pub how: How,
    /// Its result: standard output, or the text that a persistent driver sent with `ok`.
    pub result: Vec<u8>,
    /// What it said: standard error, or the text that a persistent driver sent with `reject` or `fail`.
    pub message: Vec<u8>,
    /// Whether output was longer than its limit and cut.
    pub is_capped: bool,
    /// Wall time.
    pub time: Duration,
}

impl Execution {
    /// The execution that a process of its own was. `cap` is the limit of each output stream.
    #[must_use]
    pub fn of_process(outcome: Outcome, cap: usize) -> Self {
        let how = match outcome.ended {
            Ended::Exited(0) => How::Accepted,
            Ended::Exited(code) => How::Rejected(code),
            Ended::Killed(SIGXCPU) | Ended::TimedOut => How::TimedOut,
            Ended::Killed(signal) => How::Killed(signal),
        };
        let is_capped = outcome.stdout.len() >= cap || outcome.stderr.len() >= cap;
        Self { how, result: outcome.stdout, message: outcome.stderr, is_capped, time: outcome.time }
    }

    /// Whether the target took the test.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.how == How::Accepted
    }

    /// Whether the target refused the test in an orderly way.
    #[must_use]
    pub fn is_rejected(&self) -> bool {
        matches!(self.how, How::Rejected(_))
    }

    /// Whether it says what the right result is: it ended by itself, and nothing of it was cut.
    #[must_use]
    pub fn can_vote(&self) -> bool {
        (self.is_accepted() || self.is_rejected()) && !self.is_capped && !self.ran_out_of_memory()
    }

    /// Whether it reports that its memory limit was reached.
    #[must_use]
    pub fn ran_out_of_memory(&self) -> bool {
        const TEXTS: [&str; 6] = [
            "out of memory",
            "Out of memory",
            "memory exhausted",
            "not enough memory",
            "std::bad_alloc",
            "MemoryError",
        ];
        let is_memory_text = |text: &str| {
            TEXTS.iter().any(|known| text.contains(known))
                || (text.contains("memory allocation of") && text.contains("failed"))
        };
        !self.is_accepted() && is_memory_text(&self.message_text())
    }

    /// The message as text; invalid bytes are replaced.
    #[must_use]
    pub fn message_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.message)
    }

    /// How it ended, in words.
    #[must_use]
    pub fn summary(&self) -> String {
        match &self.how {
            How::Accepted => "accepted".to_owned(),
            How::Rejected(code) => format!("rejected (exit code {code})"),
            How::CheckFailed => "a check of the driver failed".to_owned(),
            How::Killed(signal) => Ended::Killed(*signal).to_string(),
            How::TimedOut => "timed out".to_owned(),
            How::Misframed(why) => format!("broke the driver protocol: {why}"),
        }
    }
}
