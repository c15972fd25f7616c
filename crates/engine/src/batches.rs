//! The queue between the workers and the delivering thread: batches are finished in any order and delivered in order.
//!
//! At most `window` batches are being made or wait for delivery, so memory is bounded however slow the delivery is.
//! Delivered batches are reused, so nothing is allocated after the first few.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue of batches of type `B`, numbered from 0 to `n`.
pub(crate) struct Batches<B> {
    state: Mutex<State<B>>,
    changed: Condvar,
    n: u64,
    window: u64,
}

struct State<B> {
    next: u64,
    delivered: u64,
    done: BTreeMap<u64, B>,
    free: VecDeque<B>,
    /// No batch is given out any more; those already given out are still delivered.
    stopped: bool,
    /// Nothing is given out or delivered any more.
    closed: bool,
}

impl<B: Default> Batches<B> {
    pub(crate) fn new(n: u64, window: u64) -> Batches<B> {
        let state = State {
            next: 0,
            delivered: 0,
            done: BTreeMap::new(),
            free: VecDeque::new(),
            stopped: false,
            closed: false,
        };
        Batches { state: Mutex::new(state), changed: Condvar::new(), n, window: window.max(1) }
    }

    /// Returns the next batch to fill; waits while `window` batches are not delivered yet. `None` if there are no more.
    pub(crate) fn take(&self) -> Option<(u64, B)> {
        let mut state = self.lock();
        loop {
            if state.closed || state.stopped || state.next >= self.n {
                return None;
            }
            if state.next < state.delivered + self.window {
                state.next += 1;
                return Some((state.next - 1, state.free.pop_front().unwrap_or_default()));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns a finished batch to the queue.
    pub(crate) fn put(&self, number: u64, batch: B) {
        self.lock().done.insert(number, batch);
        self.changed.notify_all();
    }

    /// Waits for the next batch in order. `None` when all batches were delivered (after [`Batches::stop`]: all
    /// that had been given out) or the queue is closed.
    pub(crate) fn next_done(&self) -> Option<B> {
        let mut state = self.lock();
        loop {
            let number = state.delivered;
            let end = if state.stopped { state.next } else { self.n };
            if state.closed || number >= end {
                return None;
            }
            if let Some(batch) = state.done.remove(&number) {
                return Some(batch);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Counts the batch as delivered and keeps its memory for a new one.
    pub(crate) fn recycle(&self, batch: B) {
        let mut state = self.lock();
        state.delivered += 1;
        state.free.push_back(batch);
        drop(state);
        self.changed.notify_all();
    }

    /// Gives out no more batches. Batches that were given out must still be put back, and are delivered.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Ends all waiting at once: nothing is given out or delivered any more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Ignores poisoning: a panic in another thread ends the run anyway, and the state is always consistent.
    fn lock(&self) -> MutexGuard<'_, State<B>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the queue if a thread panics, so that no other thread waits for its batch.
pub(crate) struct CloseOnPanic<'a, B: Default>(pub(crate) &'a Batches<B>);

impl<B: Default> Drop for CloseOnPanic<'_, B> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_batches_are_used_again() {
        let batches: Batches<Vec<u64>> = Batches::new(3, 2);
        let (first, _) = batches.take().unwrap();
        let (second, _) = batches.take().unwrap();
        batches.put(second, vec![second]);
        batches.put(first, vec![first]);
        let delivered = batches.next_done().unwrap();
        assert_eq!(delivered, [0]);
        batches.recycle(delivered);
        assert_eq!(batches.take(), Some((2, vec![0])), "the memory of the first");
        assert_eq!(batches.next_done(), Some(vec![1]));
    }

    #[test]
    fn a_stopped_queue_delivers_what_was_given_out() {
        let batches: Batches<Vec<u64>> = Batches::new(u64::MAX, 3);
        let (first, _) = batches.take().unwrap();
        let (second, _) = batches.take().unwrap();
        batches.put(second, vec![second]);
        batches.stop();
        assert_eq!(batches.take(), None);
        batches.put(first, vec![first]);
        for expected in [0, 1] {
            let delivered = batches.next_done().unwrap();
            assert_eq!(delivered, [expected]);
            batches.recycle(delivered);
        }
        assert_eq!(batches.next_done(), None);
    }

    #[test]
    fn a_closed_queue_lets_everybody_go() {
        let batches: Batches<()> = Batches::new(u64::MAX, 1);
        batches.take().unwrap();
        batches.close();
        assert_eq!(batches.take(), None);
        assert_eq!(batches.next_done(), None);
    }
}
