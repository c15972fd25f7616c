//! A hash index over a list that is stored elsewhere.
//!
//! On a first parse, prediction and the lexer's automata mostly ask whether they have met something before: a
//! configuration, a stack, a whole state. The list has the element; the index has only its number and its hash. So it
//! is small, nothing is stored or allocated twice, growing it hashes nothing again, and emptying it is one addition.

/// Numbers of things in a list, by hash. Linear probing; at most half full.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    buckets: Vec<Bucket>,
    /// Buckets with another one are free.
    round: u32,
    len: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    round: u32,
    hash: u32,
    at: u32,
}

const FIRST_SIZE: usize = 16;

impl Default for Index {
    fn default() -> Index {
        Index { buckets: Vec::new(), round: 1, len: 0 }
    }
}

impl Index {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.buckets.fill(Bucket::default());
            self.round = 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of the thing with this hash for which `is_same` holds.
    #[inline]
    pub(crate) fn get(&self, hash: u32, mut is_same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.buckets.len().wrapping_sub(1);
        let mut place = hash as usize & mask;
        loop {
            let bucket = self.buckets.get(place)?;
            if bucket.round != self.round {
                return None;
            }
            if bucket.hash == hash && is_same(bucket.at) {
                return Some(bucket.at);
            }
            place = (place + 1) & mask;
        }
    }

    /// One more thing, which is not there yet.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, at: u32) {
        if (self.len + 1) * 2 > self.buckets.len() {
            self.grow();
        }
        self.len += 1;
        self.put(Bucket { round: self.round, hash, at });
    }

    /// The number of the thing that is there already, or `None`, and then it is this one.
    #[inline]
    pub(crate) fn get_or_insert(
        &mut self,
        hash: u32,
        at: usize,
        is_same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let known = self.get(hash, is_same);
        if known.is_none() {
            self.insert(hash, at as u32);
        }
        known
    }

    fn put(&mut self, new: Bucket) {
        let mask = self.buckets.len() - 1;
        let mut place = new.hash as usize & mask;
        while self.buckets[place].round == self.round {
            place = (place + 1) & mask;
        }
        self.buckets[place] = new;
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(FIRST_SIZE);
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::default(); size]);
        for bucket in old {
            if bucket.round == self.round {
                self.put(bucket);
            }
        }
    }
}

/// A hash of a few words, one after the other. Its low bits depend on all of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mix(u64);

impl Mix {
    #[inline]
    pub(crate) fn and(self, word: u64) -> Mix {
        Mix((self.0.rotate_left(26) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5))
    }

    /// Two numbers as one word.
    #[inline]
    pub(crate) fn and_both(self, a: u32, b: u32) -> Mix {
        self.and(u64::from(a) << 32 | u64::from(b))
    }

    #[inline]
    pub(crate) fn hash(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32 ^ (self.0 >> 47) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(list: &mut Vec<u64>, index: &mut Index, thing: u64) -> u32 {
        let hash = Mix::default().and(thing).hash() & 7; // many are alike
        let at = list.len();
        index.get_or_insert(hash, at, |at| list[at as usize] == thing).unwrap_or_else(|| {
            list.push(thing);
            at as u32
        })
    }

    #[test]
    fn equal_things_have_equal_numbers_before_and_after_growing() {
        let (mut list, mut index) = (Vec::new(), Index::default());
        let first: Vec<u32> = (0..100).map(|thing| numbered(&mut list, &mut index, thing * 3)).collect();
        let again: Vec<u32> = (0..100).map(|thing| numbered(&mut list, &mut index, thing * 3)).collect();
        assert_eq!(first, (0..100).collect::<Vec<u32>>());
        assert_eq!(first, again);
        assert_eq!((list.len(), index.len()), (100, 100));
    }

    #[test]
    fn nothing_is_found_after_clearing_however_often() {
        let (mut list, mut index) = (Vec::new(), Index { round: u32::MAX - 1, ..Index::default() });
        for _ in 0..4 {
            numbered(&mut list, &mut index, 7);
            index.clear();
            assert_eq!(index.get(Mix::default().and(7).hash() & 7, |_| true), None);
            list.clear();
        }
    }
}
