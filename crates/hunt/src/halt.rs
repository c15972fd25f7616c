//! When the workers of a campaign end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Tells workers to end: the user asked for it, the campaign has what it wanted, or its time is over.
#[derive(Debug)]
pub(crate) struct Halt<'a> {
    interrupted: &'a AtomicBool,
    is_done: AtomicBool,
    pub(crate) deadline: Option<Instant>,
}

impl<'a> Halt<'a> {
    pub(crate) fn new(interrupted: &'a AtomicBool, deadline: Option<Instant>) -> Self {
        Self { interrupted, is_done: AtomicBool::new(false), deadline }
    }

    /// Ends all workers after their current run.
    pub(crate) fn set(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }

    /// Whether work must end, whatever the time.
    pub(crate) fn is_set(&self) -> bool {
        self.is_done.load(Ordering::Relaxed) || self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether no other test is begun.
    pub(crate) fn is_over(&self) -> bool {
        self.is_set() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
