//! Cooldown: what was chosen lately is chosen less.
//!
//! Each choice multiplies the factor of the chosen alternative, so alternatives that were left out gain. Factors
//! start afresh every [`Cooldown::CHUNK`] tests: test `i` then depends on at most 63 tests before it.

/// The factors of one worker.
#[derive(Debug, Clone)]
pub(crate) struct Cooldown {
    /// By alternative, in 2^16.
    factors: Vec<u32>,
    /// What a choice multiplies with, in 2^16.
    rate: u32,
}

const ONE: u32 = 1 << 16;

impl Cooldown {
    /// After this number of tests all factors are 1 again.
    pub(crate) const CHUNK: u64 = 64;

    pub(crate) fn new(n_alternatives: usize, rate: f64) -> Cooldown {
        let rate = (rate.clamp(0.0, 1.0) * f64::from(ONE)).round() as u32;
        Cooldown { factors: vec![ONE; n_alternatives], rate }
    }

    /// All factors are 1 again.
    pub(crate) fn restart(&mut self) {
        self.factors.fill(ONE);
    }

    /// A weight times the factor of its alternative, never down to 0.
    pub(crate) fn cooled(&self, alt: usize, weight: u64) -> u64 {
        ((weight * u64::from(self.factors[alt])) >> 8).max(1)
    }

    /// An alternative was chosen.
    pub(crate) fn chosen(&mut self, alt: usize) {
        let factor = &mut self.factors[alt];
        *factor = ((u64::from(*factor) * u64::from(self.rate)) >> 16).max(1) as u32;
    }
}
