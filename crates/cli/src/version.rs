//! Version, commit and build. `build.rs` supplies the values.

/// What `--version` prints after the name.
pub const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("POLYSMITH_COMMIT"),
    "\nbuild: ",
    env!("POLYSMITH_PROFILE"),
    ", ",
    env!("POLYSMITH_TARGET"),
    ", rustc ",
    env!("POLYSMITH_RUSTC"),
);

/// Version and commit in one line: `0.1.0 (commit 0123456789ab)`.
pub const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("POLYSMITH_COMMIT"), ")");
