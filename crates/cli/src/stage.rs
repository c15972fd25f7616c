//! The stages of a command and their times, shown with `-v`.

use crate::talk::Talk;
use std::fmt;
use std::time::Instant;

/// A stage that has begun: loading, preparing, generating.
#[derive(Debug)]
pub struct Stage {
    talk: Talk,
    began: Instant,
}

impl Stage {
    /// Begins a stage.
    #[must_use]
    pub fn begin(talk: Talk) -> Stage {
        Stage { talk, began: Instant::now() }
    }

    /// Ends the stage: with `-v`, prints what was done and how long it took.
    pub fn end(self, what: impl fmt::Display) {
        let milliseconds = self.began.elapsed().as_secs_f64() * 1e3;
        self.talk.detail(format_args!("{what}: {milliseconds:.1} ms"));
    }
}
