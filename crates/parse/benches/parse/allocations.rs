//! Counts allocations and the bytes that are held, for this program only.

#![expect(unsafe_code, reason = "an allocator is an unsafe trait; this one counts and passes everything on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator with its arguments unchanged; the counters are atomic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size() as u64);
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size() as u64);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as u64, Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_sub(layout.size() as u64, Relaxed);
        grown(size as u64);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn grown(bytes: u64) {
    CALLS.fetch_add(1, Relaxed);
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
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
    let (calls, held) = (CALLS.load(Relaxed), HELD.load(Relaxed));
    PEAK.store(held, Relaxed);
    let result = work();
    (result, Allocated { calls: CALLS.load(Relaxed) - calls, peak: PEAK.load(Relaxed) - held })
}
