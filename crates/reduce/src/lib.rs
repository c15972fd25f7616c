//! Reduction.
