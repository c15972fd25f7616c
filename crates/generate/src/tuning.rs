//! Tuning constants.
pub(crate) const MAX_GROWTH: u32 = 24;
