//! Gives tests to a target and reports what happened.
//!
//! One file per kind of driver, and one line in [`start`].

mod one_shot;
mod persistent;

use std::io;
use std::time::Duration;

pub use persistent::{HELLO, speaks_protocol};

use crate::execution::Execution;
use crate::target::{Feed, Target};

/// Runs tests on one target. Each worker of a campaign has its own.
pub trait Driver {
    /// Runs one test within the limits of the target.
    ///
    /// # Errors
    /// When the target cannot be started or its folder cannot be made: the campaign must end.
    fn run(&mut self, test: &[u8]) -> io::Result<Execution>;

    /// Runs one test in a process of its own that no other test has met, with this time limit.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn run_alone(&mut self, test: &[u8], time: Duration) -> io::Result<Execution>;
}

/// Prepares the driver for a target.
///
/// # Errors
/// When there is no place for temporary files.
pub fn start(target: &Target) -> io::Result<Box<dyn Driver>> {
    Ok(match target.feed {
        Feed::File | Feed::Stdin => Box::new(one_shot::OneShot::new(target)?),
        Feed::Persistent => Box::new(persistent::Persistent::new(target)?),
    })
}
