//! The door for libFuzzer: the variable `FUZZ_TARGET` names the function to feed.
//!
//! `FUZZ_TARGET=render cargo +nightly fuzz run run --features libfuzzer`
#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names the target");
    polysmith_fuzz::find(&name).expect("FUZZ_TARGET is one of polysmith_fuzz::TARGETS")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
