//! The search for one program.

use crate::answer::{Answer, Counters, Limit};
use crate::guarded::Guarded;
use crate::skeleton::Skeletons;
use polysmith_random::Draw;

/// The hands of one thread: arenas that are used again from attempt to attempt.
#[derive(Debug)]
pub struct Solver<'a> {
    skeletons: Skeletons<'a>,
    counters: Counters,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(engine: &'a Guarded) -> Solver<'a> {
        let skeletons = Skeletons::new(&engine.spec, engine.selection.clone(), engine.limits);
        Solver { skeletons, counters: Counters::default() }
    }

    /// One attempt at the program of a draw. Follows from the engine and the draw alone.
    pub fn attempt(&mut self, draw: Draw) -> Answer {
        let _ = (&self.skeletons, draw);
        Answer::GaveUp(Limit::Alternatives)
    }

    /// What the last attempt cost.
    pub fn counters(&self) -> Counters {
        self.counters
    }
}
