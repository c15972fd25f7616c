//! Counts allocations and the bytes that are held, for this program only.

#![expect(unsafe_code, reason = "an allocator is an unsafe trait; this one counts and passes everything on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Counting costs a tenth of a cold start, so nothing is counted while time is measured.
static COUNTS: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
/// Since counting began: less than nothing where older memory was given back.
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call is passed on to the system's allocator with its arguments unchanged; the counters are atomic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrunk(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        shrunk(layout.size());
        grown(size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[inline]
fn grown(bytes: usize) {
    if COUNTS.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        let held = HELD.fetch_add(bytes as i64, Relaxed) + bytes as i64;
        PEAK.fetch_max(held, Relaxed);
    }
}

#[inline]
fn shrunk(bytes: usize) {
    if COUNTS.load(Relaxed) {
        HELD.fetch_sub(bytes as i64, Relaxed);
    }
}

/// What a piece of work allocated.
pub(crate) struct Allocated {
    /// How often it asked for memory.
    pub(crate) calls: u64,
    /// The most bytes that it held at once, beyond what was held before.
    pub(crate) peak: u64,
}

/// Counts what a piece of work allocates.
pub(crate) fn count<T>(work: impl FnOnce() -> T) -> (T, Allocated) {
    CALLS.store(0, Relaxed);
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTS.store(true, Relaxed);
    let result = work();
    COUNTS.store(false, Relaxed);
    (result, Allocated { calls: CALLS.load(Relaxed), peak: PEAK.load(Relaxed).unsigned_abs() })
}
