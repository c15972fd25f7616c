//! Several processes at once, waited for by one thread.
//!
//! A run is started under a ticket and comes back as `(ticket, Outcome)` when it ended, was over its time, or was
//! cancelled. When it comes back nothing of it is alive.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::process::{Process, Start};
use crate::strays::{Run, adopt_strays, sweep};

/// Names one run of a pool; chosen by the caller.
pub type Ticket = u64;

/// Processes under way.
#[derive(Debug, Default)]
pub struct Pool {
    runs: Vec<(Ticket, Process, PathBuf)>,
    owns_children: bool,
}

impl Pool {
    /// A pool that cleans up process groups.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A pool that also finds processes that left their group.
    ///
    /// This process adopts all orphans below it, and **every child that the pool did not start is killed**: use it
    /// in a program whose only children are the pool's, such as the command line tool.
    ///
    /// # Errors
    /// When the system refuses to make this process a subreaper.
    pub fn owning_all_children() -> io::Result<Self> {
        adopt_strays()?;
        Ok(Self { runs: Vec::new(), owns_children: true })
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
        let process = Process::start(start, limits)?;
        self.runs.push((ticket, process, start.folder.to_owned()));
        Ok(())
    }

    /// Waits until a run ends or `patience` is over; `None` then, and when nothing is under way.
    pub fn wait(&mut self, patience: Duration) -> Option<(Ticket, Outcome)> {
        let until = std::time::Instant::now() + patience;
        loop {
            if let Some(done) =
                self.runs.iter().position(|(_, run, _)| run.has_ended() || run.left().is_zero())
            {
                return Some(self.collect(done));
            }
            let patience = until.saturating_duration_since(std::time::Instant::now());
            let limit = self.runs.iter().map(|(_, run, _)| run.left()).min()?;
            if patience.is_zero() {
                return None;
            }
            self.sleep(patience.min(limit));
            self.runs.iter_mut().for_each(|(_, run, _)| run.read());
        }
    }

    /// Kills a run and all that belongs to it. Its answer is lost.
    pub fn cancel(&mut self, ticket: Ticket) {
        if let Some(at) = self.runs.iter().position(|(other, ..)| *other == ticket) {
            self.collect(at);
        }
    }

    /// Runs one process to its end.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run(&mut self, start: &Start<'_>, limits: &Limits) -> io::Result<Outcome> {
        let process = Process::start(start, limits)?;
        let mut alone = Self { runs: vec![(0, process, start.folder.to_owned())], owns_children: false };
        loop {
            if let Some((_, outcome)) = alone.wait(limits.time) {
                self.sweep();
                return Ok(outcome);
            }
        }
    }

    fn collect(&mut self, at: usize) -> (Ticket, Outcome) {
        let (ticket, run, _) = self.runs.swap_remove(at);
        let outcome = run.finish();
        self.sweep();
        (ticket, outcome)
    }

    fn sweep(&self) {
        if self.owns_children {
            let running: Vec<Run<'_>> =
                self.runs.iter().map(|(_, run, folder)| Run { group: run.id(), folder }).collect();
            sweep(&running);
        }
    }

    /// Sleeps until a descriptor is ready or the time is over.
    fn sleep(&self, time: Duration) {
        let mut fds: Vec<PollFd<'_>> = self
            .runs
            .iter()
            .flat_map(|(_, run, _)| run.descriptors())
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        let timeout = Timespec { tv_sec: seconds, tv_nsec: time.subsec_nanos().into() };
        // An interrupting signal only makes the caller look once more.
        let _ = poll(&mut fds, Some(&timeout));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        while !self.runs.is_empty() {
            self.collect(0);
        }
    }
}
