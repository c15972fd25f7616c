//! Weighted choice over a fixed list.
//!
//! Weights become integers once, when a description is loaded, so that no rounding of a processor or a
//! compiler reaches a choice.

use crate::Stream;

/// Cumulated integer weights of a list of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    sums: Vec<u64>,
}

impl Weights {
    /// One weight per item; 0 means never.
    pub fn new(weights: impl IntoIterator<Item = u32>) -> Weights {
        let mut total = 0_u64;
        let sums = weights.into_iter().map(|weight| {
            total += u64::from(weight);
            total
        });
        Weights { sums: sums.collect() }
    }

    /// Weights as people write them. The largest becomes 2^24 and the others follow in proportion, a positive
    /// one never below 1. Negative and non-finite weights count as 0: readers report them before.
    pub fn from_floats(weights: &[f64]) -> Weights {
        let usable = |weight: f64| if weight.is_finite() && weight > 0.0 { weight } else { 0.0 };
        let largest = weights.iter().copied().map(usable).fold(0.0, f64::max);
        Weights::new(weights.iter().map(|weight| match usable(*weight) {
            0.0 => 0,
            weight => ((weight / largest * f64::from(1 << 24)).round() as u32).max(1),
        }))
    }

    /// The sum of all weights.
    pub fn total(&self) -> u64 {
        self.sums.last().copied().unwrap_or(0)
    }

    /// The number of an item, drawn by weight; `None` if all weights are 0.
    pub fn choose(&self, stream: &mut Stream) -> Option<usize> {
        match self.total() {
            0 => None,
            total => {
                let drawn = stream.below(total);
                Some(self.sums.partition_point(|sum| *sum <= drawn))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choice_follows_the_weights_and_zero_is_never_chosen() {
        let weights = Weights::new([1, 0, 3]);
        let mut stream = Stream::keyed(&[4]);
        let mut counts = [0_u32; 3];
        for _ in 0..40_000 {
            counts[weights.choose(&mut stream).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn floats_become_integers_in_proportion() {
        assert_eq!(Weights::from_floats(&[0.5, 1.0, 0.0, -3.0]), Weights::new([1 << 23, 1 << 24, 0, 0]));
        assert_eq!(Weights::from_floats(&[1e-30, 1.0]), Weights::new([1, 1 << 24]));
        assert_eq!(Weights::new([]).choose(&mut Stream::keyed(&[5])), None);
    }
}
