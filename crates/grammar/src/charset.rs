//! Sets of code points as sorted, disjoint, non-adjacent ranges.

/// The last code point of Unicode.
pub const MAX_CODE_POINT: u32 = 0x10_FFFF;

/// A set of code points. Surrogates may be in it: ANTLR allows them in sets, and no text contains them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// The union of inclusive ranges, given in any order. Reversed ranges are empty.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> CharSet {
        let mut sorted: Vec<(u32, u32)> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        sorted.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(sorted.len());
        for (low, high) in sorted {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        CharSet { ranges: merged }
    }

    /// Just one character.
    pub fn single(c: char) -> CharSet {
        CharSet { ranges: vec![(c.into(), c.into())] }
    }

    /// Every code point.
    pub fn all() -> CharSet {
        CharSet { ranges: vec![(0, MAX_CODE_POINT)] }
    }

    /// The ranges, in ascending order, both ends included.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many code points are in it.
    pub fn len(&self) -> u32 {
        self.ranges.iter().map(|(low, high)| high - low + 1).sum()
    }

    /// Whether a code point is in it.
    pub fn contains(&self, code_point: u32) -> bool {
        let at = self.ranges.partition_point(|(_, high)| *high < code_point);
        self.ranges.get(at).is_some_and(|(low, _)| *low <= code_point)
    }

    /// The only character, if there is exactly one.
    pub fn only(&self) -> Option<char> {
        match self.ranges[..] {
            [(low, high)] if low == high => char::from_u32(low),
            _ => None,
        }
    }

    /// The `n`-th code point from below.
    pub fn nth(&self, mut n: u32) -> Option<u32> {
        for (low, high) in &self.ranges {
            let size = high - low + 1;
            if n < size {
                return Some(low + n);
            }
            n -= size;
        }
        None
    }

    /// What is in either.
    #[must_use]
    pub fn union(&self, other: &CharSet) -> CharSet {
        CharSet::from_ranges(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// What is not in it, up to the last code point.
    #[must_use]
    pub fn complement(&self) -> CharSet {
        let mut next = 0;
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        for (low, high) in &self.ranges {
            if next < *low {
                ranges.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= MAX_CODE_POINT {
            ranges.push((next, MAX_CODE_POINT));
        }
        CharSet { ranges }
    }

    /// What is in both.
    #[must_use]
    pub fn intersection(&self, other: &CharSet) -> CharSet {
        self.complement().union(&other.complement()).complement()
    }

    /// Whether some code point is in both.
    pub fn intersects(&self, other: &CharSet) -> bool {
        let (mut a, mut b) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            if x.0 <= y.1 && y.0 <= x.1 {
                return true;
            }
            if x.1 < y.1 {
                a.next()
            } else {
                b.next()
            };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(u32, u32)]) -> CharSet {
        CharSet::from_ranges(ranges.iter().copied())
    }

    #[test]
    fn ranges_are_merged() {
        assert_eq!(set(&[(5, 9), (1, 4), (20, 10), (30, 31)]).ranges(), [(1, 9), (30, 31)]);
    }

    #[test]
    fn complement_is_its_own_inverse() {
        for s in [set(&[]), CharSet::all(), set(&[(0, 3), (7, MAX_CODE_POINT)]), set(&[(65, 90)])] {
            assert_eq!(s.complement().complement(), s);
            assert_eq!(s.len() + s.complement().len(), MAX_CODE_POINT + 1);
        }
    }

    #[test]
    fn membership_counting_and_intersection_agree() {
        let s = set(&[(2, 3), (7, 9)]);
        let members: Vec<u32> = (0..12).filter(|c| s.contains(*c)).collect();
        assert_eq!(members, [2, 3, 7, 8, 9]);
        assert_eq!(
            (0..6).map(|n| s.nth(n)).collect::<Vec<_>>(),
            [Some(2), Some(3), Some(7), Some(8), Some(9), None]
        );
        assert_eq!(s.intersection(&set(&[(3, 7)])).ranges(), [(3, 3), (7, 7)]);
        assert!(s.intersects(&set(&[(9, 20)])) && !s.intersects(&set(&[(4, 6), (10, 11)])));
    }
}
