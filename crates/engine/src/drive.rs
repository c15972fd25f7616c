//! Runs an engine over a range of indices. The result does not depend on the number of threads.
//!
//! Threads take batches of indices, make the tests and do the caller's parallel part of the work (`finish`:
//! hashing, writing files) there; the calling thread receives everything in the order of the indices. A
//! batch is a whole number of the engine's chunks, so tests that depend on each other are made by one worker.
//! Cost: one lock per batch. Memory: a bounded number of batches, which are reused.

use crate::batches::{Batches, CloseOnPanic};
use crate::engine::{Engine, GenerateError, Test, Worker};
use polysmith_random::Draw;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

/// Which tests to make.
#[derive(Debug, Clone)]
pub struct Plan {
    seed: u64,
    indices: Range<u64>,
    jobs: usize,
}

impl Plan {
    /// The tests of these indices, on one thread.
    pub fn new(seed: u64, indices: Range<u64>) -> Plan {
        Plan { seed, indices, jobs: 1 }
    }

    /// Sets the number of threads. It never changes what is delivered.
    #[must_use]
    pub fn jobs(self, jobs: usize) -> Plan {
        Plan { jobs: jobs.max(1), ..self }
    }

    /// The number of tests per batch, a multiple of the chunk size. Large enough that a lock per batch costs nothing,
    /// small enough that every thread has work and that tests are delivered soon after they were made.
    fn batch(&self, chunk: u64) -> u64 {
        let wanted = (self.indices.end - self.indices.start) / (4 * self.jobs as u64);
        wanted.clamp(1, MOST_TESTS_PER_BATCH).div_ceil(chunk).saturating_mul(chunk)
    }
}

const MOST_TESTS_PER_BATCH: u64 = 16;
/// Longer chunks are made on the calling thread, because a whole chunk must be kept in memory otherwise.
const LONGEST_PARALLEL_CHUNK: u64 = 1024;
/// Batches per thread that are being made or wait for delivery.
const WINDOW: u64 = 4;

/// The result for one index.
#[derive(Debug)]
pub struct Delivery<'a, R> {
    /// The index.
    pub index: u64,
    /// The test with the result of `finish`, or the reason why there is no test.
    pub result: Result<(&'a Test, R), GenerateError>,
}

/// Makes the tests of a plan. `finish` runs on the worker threads right after a test was made, in no particular
/// order; `deliver` runs on the calling thread in the order of the indices and may end the run.
///
/// Setting `stop` ends the run too: each thread completes the test that it is making, and everything that `finish` has
/// seen is still delivered in the order of the indices. Since threads stop at different indices, some may be missing
/// between those that are delivered.
pub fn drive<R: Send>(
    engine: &dyn Engine,
    plan: &Plan,
    stop: &AtomicBool,
    finish: impl Fn(Finished<'_>) -> R + Sync,
    mut deliver: impl FnMut(Delivery<'_, R>) -> ControlFlow<()>,
) {
    let range = &plan.indices;
    if range.is_empty() {
        return;
    }
    let job = Job { engine, plan, stop, finish: &finish };
    let chunk = engine.chunk().max(1);
    // A chunk is made from its beginning, even if only its last test is wanted.
    let begin = range.start - range.start % chunk;
    if plan.jobs == 1 || chunk > LONGEST_PARALLEL_CHUNK {
        job.run_here(begin..range.end, &mut deliver);
        return;
    }
    let per_batch = plan.batch(chunk);
    let n_batches = (range.end - begin).div_ceil(per_batch);
    let of_batch = |number: u64| {
        let begin = begin + number * per_batch;
        begin..begin.saturating_add(per_batch).min(range.end)
    };
    let batches: Batches<Batch<R>> = Batches::new(n_batches, WINDOW * plan.jobs as u64);
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs {
            scope.spawn(|| {
                let _guard = CloseOnPanic(&batches);
                let mut worker = engine.worker();
                while let Some((number, mut batch)) = batches.take() {
                    if !job.fill(&mut *worker, of_batch(number), &mut batch) {
                        batches.stop();
                    }
                    batches.put(number, batch);
                }
            });
        }
        let _guard = CloseOnPanic(&batches);
        while let Some(mut batch) = batches.next_done() {
            let delivered = batch.deliver(range.start, &mut deliver);
            batches.recycle(batch);
            if delivered.is_break() {
                break;
            }
        }
        batches.close();
    });
}

/// The argument of `finish`, on the worker thread.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The index.
    pub index: u64,
    /// The test.
    pub test: &'a Test,
}

struct Job<'a, F> {
    engine: &'a dyn Engine,
    plan: &'a Plan,
    stop: &'a AtomicBool,
    finish: &'a F,
}

impl<F> Job<'_, F> {
    /// Makes everything on the calling thread, one test at a time.
    fn run_here<R>(&self, indices: Range<u64>, deliver: &mut impl FnMut(Delivery<'_, R>) -> ControlFlow<()>)
    where
        F: Fn(Finished<'_>) -> R,
    {
        let mut worker = self.engine.worker();
        let mut slot = Slot::default();
        for index in indices {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            self.make(&mut *worker, index, &mut slot);
            if index >= self.plan.indices.start && slot.deliver(index, deliver).is_break() {
                return;
            }
        }
    }

    /// Makes the test of an index, after `begin_chunk` if it is the first of its chunk.
    fn make<R>(&self, worker: &mut dyn Worker, index: u64, slot: &mut Slot<R>)
    where
        F: Fn(Finished<'_>) -> R,
    {
        if index.is_multiple_of(self.engine.chunk().max(1)) {
            worker.begin_chunk();
        }
        slot.test.clear();
        let made = worker.make(Draw::new(self.plan.seed, index), &mut slot.test);
        let wanted = index >= self.plan.indices.start;
        slot.result = match made {
            Ok(()) if wanted => Some(Ok((self.finish)(Finished { index, test: &slot.test }))),
            Ok(()) => None,
            Err(trouble) => Some(Err(trouble)),
        };
    }

    /// Makes the tests of a batch. Returns `false` if the run was stopped in between.
    fn fill<R>(&self, worker: &mut dyn Worker, indices: Range<u64>, batch: &mut Batch<R>) -> bool
    where
        F: Fn(Finished<'_>) -> R,
    {
        batch.begin = indices.start;
        batch.n = 0;
        for index in indices {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            if batch.slots.len() == batch.n {
                batch.slots.push(Slot::default());
            }
            self.make(worker, index, &mut batch.slots[batch.n]);
            batch.n += 1;
        }
        true
    }
}

/// The reusable memory for one test and its result.
struct Slot<R> {
    test: Test,
    result: Option<Result<R, GenerateError>>,
}

impl<R> Default for Slot<R> {
    fn default() -> Slot<R> {
        Slot { test: Test::default(), result: None }
    }
}

impl<R> Slot<R> {
    fn deliver(
        &mut self,
        index: u64,
        deliver: &mut impl FnMut(Delivery<'_, R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.result.take() {
            Some(Ok(finished)) => deliver(Delivery { index, result: Ok((&self.test, finished)) }),
            Some(Err(trouble)) => deliver(Delivery { index, result: Err(trouble) }),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Tests of consecutive indices. The first `n` slots are filled.
struct Batch<R> {
    begin: u64,
    n: usize,
    slots: Vec<Slot<R>>,
}

impl<R> Default for Batch<R> {
    fn default() -> Batch<R> {
        Batch { begin: 0, n: 0, slots: Vec::new() }
    }
}

impl<R> Batch<R> {
    fn deliver(
        &mut self,
        wanted_from: u64,
        deliver: &mut impl FnMut(Delivery<'_, R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (at, slot) in self.slots[..self.n].iter_mut().enumerate() {
            let index = self.begin + at as u64;
            if index >= wanted_from {
                slot.deliver(index, deliver)?;
            }
        }
        ControlFlow::Continue(())
    }
}
