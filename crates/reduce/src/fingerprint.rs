//! Content hashes of candidates that are never printed.
//!
//! A polynomial hash over two independent bases modulo 2^61 - 1. The hash of a concatenation follows from the
//! hashes of its parts, and the base text keeps the hashes of its prefixes (one in [`STRIDE`] bytes), so a candidate
//! of k edits is hashed in O(k · STRIDE), whatever its length: asking the cache about a 5 MB candidate costs
//! microseconds. Two different texts of n bytes collide with a chance of about (n / 2^61)^2. The constants are
//! part of the format of saved journals and never change.

use std::ops::Range;

/// Identifies what the test would see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [u64; 2]);

impl Key {
    /// The key under which the `n`-th repetition of the same question is remembered.
    #[must_use]
    pub fn repeated(self, n: u64) -> Self {
        Self([self.0[0] ^ (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), self.0[1]])
    }
}

const PRIME: u64 = (1 << 61) - 1;
const BASES: [u64; 2] = [0x0f3a_91c5_27d8_4b6d, 0x16c4_e85d_9b03_7f21];
const STRIDE: usize = 64;

/// Hash of a text of known length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Print {
    hash: [u64; 2],
    len: u64,
}

impl Print {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut print = Self::default();
        print.push(bytes);
        print
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            for (hash, base) in self.hash.iter_mut().zip(BASES) {
                *hash = reduce(mul(*hash, base) + u64::from(*byte) + 1);
            }
        }
        self.len += bytes.len() as u64;
    }

    /// The hash of `self` followed by `next`.
    pub(crate) fn then(self, next: Self) -> Self {
        let power = powers(next.len);
        let lane = |i: usize| reduce(mul(self.hash[i], power[i]) + next.hash[i]);
        Self { hash: [lane(0), lane(1)], len: self.len + next.len }
    }

    /// The hash of what follows `prefix` in `self`.
    fn without_prefix(self, prefix: Self) -> Self {
        let len = self.len - prefix.len;
        let power = powers(len);
        let lane = |i: usize| reduce(self.hash[i] + PRIME - mul(prefix.hash[i], power[i]));
        Self { hash: [lane(0), lane(1)], len }
    }

    /// Folds the hash into a key; the order of calls matters, so several files give one key.
    pub(crate) fn fold(self, into: Key, tag: u64) -> Key {
        let mix = |x: u64, y: u64| (x ^ y).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29) ^ x;
        let tagged = tag.wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ self.len;
        Key([mix(into.0[0], self.hash[0]) ^ tagged, mix(into.0[1], self.hash[1]).wrapping_add(tagged)])
    }
}

/// Hashes of the prefixes of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prefixes {
    samples: Vec<Print>,
}

impl Prefixes {
    /// Hashes a text; `known` are the prefixes of another text that agrees with it for `same` bytes.
    pub(crate) fn new(bytes: &[u8], known: Option<(&Self, usize)>) -> Self {
        let mut samples = Vec::with_capacity(bytes.len() / STRIDE + 1);
        if let Some((known, same)) = known {
            samples.extend_from_slice(&known.samples[..known.samples.len().min(same / STRIDE)]);
        }
        let mut print = samples.pop().unwrap_or_default();
        let done = usize::try_from(print.len).expect("a prefix is no longer than the text");
        samples.push(print);
        for chunk in bytes[done..].chunks_exact(STRIDE) {
            print.push(chunk);
            samples.push(print);
        }
        Self { samples }
    }

    fn prefix(&self, bytes: &[u8], end: usize) -> Print {
        let mut print = self.samples[end / STRIDE];
        print.push(&bytes[end - end % STRIDE..end]);
        print
    }

    /// The hash of a slice of the text.
    pub(crate) fn slice(&self, bytes: &[u8], range: Range<usize>) -> Print {
        if range.len() <= 2 * STRIDE {
            return Print::of(&bytes[range]);
        }
        self.prefix(bytes, range.end).without_prefix(self.prefix(bytes, range.start))
    }
}

fn reduce(x: u64) -> u64 {
    let folded = (x & PRIME) + (x >> 61);
    if folded >= PRIME { folded - PRIME } else { folded }
}

fn mul(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    reduce((wide as u64 & PRIME) + (wide >> 61) as u64)
}

/// The bases to the power of `n`.
fn powers(n: u64) -> [u64; 2] {
    let mut result = [1, 1];
    let mut square = BASES;
    let mut rest = n;
    while rest > 0 {
        for lane in 0..2 {
            if rest & 1 == 1 {
                result[lane] = mul(result[lane], square[lane]);
            }
            square[lane] = mul(square[lane], square[lane]);
        }
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_hash_as_their_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..600), a: usize, b: usize) {
            let (a, b) = (a % (bytes.len() + 1), b % (bytes.len() + 1));
            let (a, b) = (a.min(b), a.max(b));
            let prefixes = Prefixes::new(&bytes, None);
            prop_assert_eq!(prefixes.slice(&bytes, a..b), Print::of(&bytes[a..b]));
            prop_assert_eq!(Print::of(&bytes[..a]).then(Print::of(&bytes[a..])), Print::of(&bytes));
        }

        #[test]
        fn known_prefixes_change_nothing(
            mut bytes in proptest::collection::vec(any::<u8>(), 1..600), at: usize, tail in proptest::collection::vec(any::<u8>(), 0..200)
        ) {
            let known = Prefixes::new(&bytes, None);
            let same = at % bytes.len();
            bytes.truncate(same);
            bytes.extend(tail);
            prop_assert_eq!(Prefixes::new(&bytes, Some((&known, same))).samples, Prefixes::new(&bytes, None).samples);
        }
    }

    #[test]
    fn saved_keys_stay_valid() {
        assert_eq!(
            Print::of(b"polysmith").fold(Key([0, 0]), 0),
            Key([11532403863504481922, 11218920299333681226])
        );
    }
}
