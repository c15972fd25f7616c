//! (seed, index, attempt, purpose) to a stream of numbers.

/// What a stream is for. The numbers are part of the pinned behaviour: never change or reuse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Which alternatives, how many repetitions.
    Structure = 1,
    /// The characters of tokens.
    Text = 2,
    /// Separators and layout.
    Layout = 3,
    /// Values drawn by a description's own functions.
    Values = 4,
    /// Which features and productions a program may use.
    Swarm = 5,
    /// Pools of literals.
    Pool = 6,
}

/// Names one attempt at one test of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Draw {
    /// The user's seed.
    pub seed: u64,
    /// The number of the test, from 0.
    pub index: u64,
    /// How often this test was started anew before.
    pub attempt: u32,
}

impl Draw {
    /// The first attempt at a test.
    pub fn new(seed: u64, index: u64) -> Draw {
        Draw { seed, index, attempt: 0 }
    }

    /// The same test, started anew.
    #[must_use]
    pub fn retry(self) -> Draw {
        Draw { attempt: self.attempt + 1, ..self }
    }

    /// The stream of this attempt for a purpose.
    pub fn stream(self, purpose: Purpose) -> Stream {
        Stream::keyed(&[self.seed, self.index, u64::from(self.attempt), purpose as u64])
    }
}

/// A stream of random numbers with choices built on it.
#[derive(Debug, Clone)]
pub struct Stream {
    state: [u64; 4],
}

impl Stream {
    /// The stream for a list of numbers; lists that differ anywhere give unrelated streams.
    pub fn keyed(key: &[u64]) -> Stream {
        let mut hash = 0x243F_6A88_85A3_08D3_u64; // digits of pi: any fixed odd-looking start will do
        for word in key {
            hash = mix(hash ^ mix(word.wrapping_add(GOLDEN)));
            hash = hash.wrapping_add(GOLDEN);
        }
        let mut state = [0; 4];
        for word in &mut state {
            hash = hash.wrapping_add(GOLDEN);
            *word = mix(hash);
        }
        // All zeros is the one state that xoshiro never leaves.
        if state == [0; 4] {
            state[0] = GOLDEN;
        }
        Stream { state }
    }

    /// A stream of its own, drawn from this one: for a node, a pool, a thread of work.
    pub fn fork(&mut self) -> Stream {
        Stream::keyed(&[self.next_u64(), self.next_u64()])
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        let (b_next, a_next) = (b ^ c, a ^ d);
        self.state = [a_next, b_next, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// Uniform in `0..n`. `n` must not be 0.
    ///
    /// Lemire's multiplication with rejection, so that no value is more likely than another.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "nothing to choose from");
        let mut wide = u128::from(self.next_u64()) * u128::from(n);
        if (wide as u64) < n {
            let reject_under = n.wrapping_neg() % n;
            while (wide as u64) < reject_under {
                wide = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }

    /// Uniform in `0..n` as an index. `n` must not be 0.
    #[inline]
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// Uniform in `low..=high`. `low` must not exceed `high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        assert!(low <= high, "an empty range");
        match (high - low).checked_add(1) {
            Some(n) => low + self.below(n),
            None => self.next_u64(),
        }
    }

    /// True in `yes` of `of` cases.
    #[inline]
    pub fn chance(&mut self, yes: u64, of: u64) -> bool {
        self.below(of) < yes
    }

    /// One of the items, each as likely; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.index(items.len())]) }
    }

    /// Brings the items into random order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output function of splitmix64: a bijection in which every input bit reaches every output bit.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference values of xoshiro256++ for the state 1, 2, 3, 4, as its authors publish them.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut stream = Stream { state: [1, 2, 3, 4] };
        let drawn: Vec<u64> = (0..5).map(|_| stream.next_u64()).collect();
        assert_eq!(drawn, [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]);
    }

    /// The golden stream. If this fails, every saved seed of every user has changed its meaning.
    #[test]
    fn stream_42_never_changes() {
        let mut stream = Draw::new(42, 0).stream(Purpose::Structure);
        let drawn: Vec<u64> = (0..8).map(|_| stream.below(100)).collect();
        assert_eq!(drawn, GOLDEN_42);
        let mut stream = Draw { seed: 42, index: 7, attempt: 2 }.stream(Purpose::Text);
        assert_eq!(stream.next_u64(), GOLDEN_42_7_2);
    }

    const GOLDEN_42: [u64; 8] = [61, 23, 51, 53, 3, 96, 7, 45];
    const GOLDEN_42_7_2: u64 = 16796366823222229953;

    #[test]
    fn neighbouring_keys_are_unrelated() {
        let first = |seed, index, attempt, purpose| Draw { seed, index, attempt }.stream(purpose).next_u64();
        let base = first(1, 0, 0, Purpose::Structure);
        for other in [
            first(0, 1, 0, Purpose::Structure),
            first(2, 0, 0, Purpose::Structure),
            first(1, 1, 0, Purpose::Structure),
            first(1, 0, 1, Purpose::Structure),
            first(1, 0, 0, Purpose::Text),
        ] {
            let differing = (base ^ other).count_ones();
            assert!((12..=52).contains(&differing), "{differing} bits differ");
        }
    }

    #[test]
    fn below_is_even() {
        let mut stream = Stream::keyed(&[1]);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.index(6)] += 1;
        }
        assert!(counts.iter().all(|n| (9_600..10_400).contains(n)), "{counts:?}");
    }

    #[test]
    fn between_takes_the_whole_range() {
        let mut stream = Stream::keyed(&[2]);
        assert_eq!(stream.between(5, 5), 5);
        stream.between(0, u64::MAX);
        assert!((0..100).all(|_| (3..=4).contains(&stream.between(3, 4))));
    }

    #[test]
    fn shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Stream::keyed(&[3]).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
