//! Counts of numbers in buckets: any number of values in a fixed memory, quantiles within 3 %.

/// Numbers below 64 have a bucket each; above, each power of two has 32.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    buckets: Vec<u64>,
    n: u64,
    total: u128,
    max: u64,
}

const EXACT: u64 = 64;
const PER_POWER: u64 = 32;
const N_BUCKETS: u64 = EXACT + (64 - 6) * PER_POWER;

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { buckets: vec![0; N_BUCKETS as usize], n: 0, total: 0, max: 0 }
    }
}

impl Histogram {
    pub(crate) fn add(&mut self, value: u64) {
        self.buckets[bucket(value) as usize] += 1;
        self.n += 1;
        self.total += u128::from(value);
        self.max = self.max.max(value);
    }

    /// Counts in at most `n` bars of equal width, each with its lower end; nothing if there are no values. A bar is a
    /// whole number of the widest buckets, so that none has more of them than its neighbour.
    pub(crate) fn bars(&self, n: u64) -> Vec<(u64, u64)> {
        if self.n == 0 {
            return Vec::new();
        }
        let bucket = bucket(self.max);
        let widest = lower_end(bucket + 1).wrapping_sub(lower_end(bucket));
        let width = (self.max / n + 1).next_multiple_of(widest);
        let mut bars: Vec<(u64, u64)> = (0..=self.max / width).map(|at| (at * width, 0)).collect();
        for (at, count) in self.buckets.iter().enumerate().filter(|(_, count)| **count > 0) {
            bars[(lower_end(at as u64) / width) as usize].1 += count;
        }
        bars
    }

    pub(crate) fn total(&self) -> u128 {
        self.total
    }

    pub(crate) fn max(&self) -> u64 {
        self.max
    }

    /// The smallest bucket that `per_mille` of all values do not exceed, by its lower end.
    pub(crate) fn quantile(&self, per_mille: u64) -> u64 {
        let rank = (u128::from(self.n) * u128::from(per_mille)).div_ceil(1000).max(1);
        let mut seen = 0_u128;
        for (at, count) in self.buckets.iter().enumerate() {
            seen += u128::from(*count);
            if seen >= rank {
                return lower_end(at as u64);
            }
        }
        0
    }
}

fn bucket(value: u64) -> u64 {
    if value < EXACT {
        return value;
    }
    let power = u64::from(value.ilog2());
    EXACT + (power - 6) * PER_POWER + ((value >> (power - 5)) - PER_POWER)
}

fn lower_end(bucket: u64) -> u64 {
    if bucket < EXACT {
        return bucket;
    }
    let (power, part) = ((bucket - EXACT) / PER_POWER + 6, (bucket - EXACT) % PER_POWER);
    (PER_POWER + part) << (power - 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_what_belongs_to_it() {
        for value in (0..5000).chain([u64::MAX, u64::MAX / 3, 1 << 40]) {
            let low = lower_end(bucket(value));
            assert!(low <= value && value - low <= value / 32, "{value} {low}");
        }
        assert!(bucket(u64::MAX) < N_BUCKETS);
    }

    #[test]
    fn bars_hold_everything() {
        let mut histogram = Histogram::default();
        [0, 1, 5, 9, 9, 100].into_iter().for_each(|value| histogram.add(value));
        assert_eq!(histogram.bars(4), [(0, 5), (26, 0), (52, 0), (78, 1)]);
        histogram.add(1000);
        assert!(histogram.bars(40).iter().all(|(from, _)| from % 16 == 0), "whole buckets");
        assert_eq!(Histogram::default().bars(4), []);
    }

    #[test]
    fn quantiles_of_a_hundred() {
        let mut histogram = Histogram::default();
        (1..=100).for_each(|value| histogram.add(value % 60));
        assert_eq!((histogram.quantile(0), histogram.quantile(500), histogram.quantile(1000)), (0, 25, 59));
        assert_eq!((histogram.total(), histogram.max()), (1770 + 820, 59));
        assert_eq!(Histogram::default().quantile(500), 0);
    }
}
