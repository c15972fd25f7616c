//! The targets of one worker, each with its driver.

use std::io;
use std::time::Duration;

use crate::driver::{self, Driver};
use crate::execution::Execution;
use crate::target::Target;

/// The targets that see the same tests, in a fixed order.
pub struct Panel {
    members: Vec<(Target, Box<dyn Driver>)>,
    runs: u64,
}

impl Panel {
    /// Prepares the drivers of all targets.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new(targets: &[Target]) -> io::Result<Self> {
        let members = targets.iter().map(|target| Ok((target.clone(), driver::start(target)?)));
        Ok(Self { members: members.collect::<io::Result<_>>()?, runs: 0 })
    }

    /// How many targets there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no target.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// A target by its place in the order.
    #[must_use]
    pub fn target(&self, n: usize) -> &Target {
        &self.members[n].0
    }

    /// How many tests were run so far, on all targets together.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Runs a test on one target.
    ///
    /// # Errors
    /// When the target cannot be run at all.
    pub fn run(&mut self, n: usize, test: &[u8]) -> io::Result<Execution> {
        self.runs += 1;
        self.members[n].1.run(test)
    }

    /// Runs a test on one target in a process of its own, with `patience` times the target's time limit.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_alone(&mut self, n: usize, test: &[u8], patience: u32) -> io::Result<Execution> {
        self.runs += 1;
        let (target, driver) = &mut self.members[n];
        let time: Duration = target.limits.time.saturating_mul(patience);
        driver.run_alone(test, time)
    }

    /// Runs a test on all targets; in processes of their own if `alone`.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_all(&mut self, test: &[u8], alone: bool) -> io::Result<Vec<Execution>> {
        let members = self.members.len();
        let run = |n: usize| if alone { self.run_alone(n, test, 1) } else { self.run(n, test) };
        (0..members).map(run).collect()
    }
}
