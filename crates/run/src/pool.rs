//! Several processes at once, waited for by one thread.
//!
//! A run is started under a ticket and comes back as `(ticket, Outcome)` when it ended, was over its time, or was
//! cancelled. When it comes back nothing of its process group is alive, and after [`adopt_orphans`](crate::adopt_orphans)
//! nothing that it started at all.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Pid;

use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::process::{Process, Start, timespec};

/// Names one run of a pool; chosen by the caller.
pub type Ticket = u64;

/// Processes under way.
#[derive(Debug, Default)]
pub struct Pool {
    runs: Vec<(Ticket, Process)>,
}

impl Pool {
    /// A pool without runs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many runs are under way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether nothing is under way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Starts a process.
    ///
    /// # Errors
    /// When the program or its standard input cannot be opened or started.
    pub fn start(&mut self, ticket: Ticket, start: &Start<'_>, limits: &Limits) -> io::Result<()> {
        self.runs.push((ticket, Process::start(start, limits)?));
        Ok(())
    }

    /// Waits until a run ends or `patience` is over; `None` then, and when nothing is under way.
    pub fn wait(&mut self, patience: Duration) -> Option<(Ticket, Outcome)> {
        let until = Instant::now() + patience;
        loop {
            let is_done = |(_, run): &mut (Ticket, Process)| {
                run.has_ended() || run.left().is_zero() || run.is_crowded()
            };
            if let Some(done) = self.runs.iter_mut().position(is_done) {
                return Some(self.collect(done));
            }
            let patience = until.saturating_duration_since(Instant::now());
            let limit = self.runs.iter().map(|(_, run)| run.rest()).min()?;
            if patience.is_zero() {
                return None;
            }
            self.sleep(patience.min(limit));
            self.runs.iter_mut().for_each(|(_, run)| run.read());
        }
    }

    /// Kills a run and all that belongs to it. Its answer is lost.
    pub fn cancel(&mut self, ticket: Ticket) {
        if let Some(at) = self.runs.iter().position(|(other, _)| *other == ticket) {
            self.collect(at);
        }
    }

    /// Runs one process to its end; others go on meanwhile.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run(&mut self, start: &Start<'_>, limits: &Limits) -> io::Result<Outcome> {
        let mut alone = Self { runs: vec![(0, Process::start(start, limits)?)] };
        loop {
            if let Some((_, outcome)) = alone.wait(limits.time) {
                return Ok(outcome);
            }
        }
    }

    fn collect(&mut self, at: usize) -> (Ticket, Outcome) {
        let (ticket, run) = self.runs.swap_remove(at);
        let others: Vec<Pid> = self.runs.iter().map(|(_, run)| run.id()).collect();
        (ticket, run.finish(&others))
    }

    /// Sleeps until a descriptor is ready or the time is over.
    fn sleep(&self, time: Duration) {
        let mut fds: Vec<PollFd<'_>> = self
            .runs
            .iter()
            .flat_map(|(_, run)| run.descriptors())
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        // An interrupting signal only makes the caller look once more.
        let _ = poll(&mut fds, Some(&timespec(time)));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        while !self.runs.is_empty() {
            self.collect(0);
        }
    }
}
