//! Which tokens are alive, how many there are in a range, and where they are in the text as it is now.
//!
//! A token owns its own bytes and the hidden text up to the next one. Deleting tokens deletes what they own, so the
//! position of a token is the sum of what the live tokens before it own. Counts and positions are Fenwick trees:
//! every question and every death costs the logarithm of the number of tokens.

use std::ops::Range;

/// Prefix sums that can change.
#[derive(Debug, Clone)]
struct Sums(Vec<i64>);

impl Sums {
    fn new(values: impl ExactSizeIterator<Item = u32>) -> Sums {
        let mut sums = vec![0i64; values.len() + 1];
        for (at, value) in values.enumerate() {
            sums[at + 1] += i64::from(value);
            let parent = (at + 1) + lowest_bit(at + 1);
            if parent < sums.len() {
                sums[parent] += sums[at + 1];
            }
        }
        Sums(sums)
    }

    fn add(&mut self, at: usize, change: i64) {
        let mut at = at + 1;
        while at < self.0.len() {
            self.0[at] += change;
            at += lowest_bit(at);
        }
    }

    fn before(&self, mut at: usize) -> i64 {
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at -= lowest_bit(at);
        }
        sum
    }

    /// The first place whose value brings the sum above `sum`.
    fn find(&self, mut sum: i64) -> usize {
        let mut at = 0;
        let mut step = self.0.len().next_power_of_two();
        while step > 0 {
            let next = at + step;
            if next < self.0.len() && self.0[next] <= sum {
                at = next;
                sum -= self.0[next];
            }
            step /= 2;
        }
        at
    }
}

fn lowest_bit(n: usize) -> usize {
    n & n.wrapping_neg()
}

/// The tokens of a parsed text.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    alive: Vec<bool>,
    count: Sums,
    owned: Sums,
    /// Bytes of the token itself, and with the hidden text after it.
    own: Vec<(u32, u32)>,
    /// Where the first token was.
    lead: u32,
}

impl Live {
    /// From the ranges of the tokens in the text.
    pub(crate) fn new(tokens: &[Range<u32>]) -> Live {
        let own: Vec<(u32, u32)> = tokens
            .iter()
            .enumerate()
            .map(|(at, token)| {
                let next = tokens.get(at + 1).map_or(token.end, |next| next.start);
                (token.end - token.start, next - token.start)
            })
            .collect();
        Live {
            alive: vec![true; tokens.len()],
            count: Sums::new(tokens.iter().map(|_| 1)),
            owned: Sums::new(own.iter().map(|(_, all)| *all)),
            own,
            lead: tokens.first().map_or(0, |token| token.start),
        }
    }

    /// How many live tokens there are in a range.
    pub(crate) fn size(&self, range: &Range<u32>) -> u32 {
        (self.count.before(range.end as usize) - self.count.before(range.start as usize)) as u32
    }

    /// The live tokens of a range.
    pub(crate) fn tokens(&self, range: &Range<u32>) -> impl Iterator<Item = u32> + '_ {
        range.clone().filter(|at| self.alive[*at as usize])
    }

    /// The bytes from a token to the end of the range's last token, in the text as it is now: what deleting takes
    /// away. At the end of the text the hidden text before stays.
    pub(crate) fn bytes(&self, range: &Range<u32>) -> Range<u32> {
        self.position(range.start)..self.position(range.end)
    }

    /// Where a token begins, or would begin.
    pub(crate) fn position(&self, token: u32) -> u32 {
        self.lead + self.owned.before(token as usize) as u32
    }

    /// A token's own bytes, without hidden text, in the text as it is now.
    pub(crate) fn own_bytes(&self, token: u32) -> Range<u32> {
        let start = self.position(token);
        start..start + self.own[token as usize].0
    }

    /// Whether no hidden text follows a token.
    pub(crate) fn is_bare(&self, token: u32) -> bool {
        self.own[token as usize].0 == self.own[token as usize].1
    }

    /// The last live token before a place.
    pub(crate) fn last_before(&self, at: u32) -> Option<u32> {
        let before = self.count.before(at as usize);
        (before > 0).then(|| self.count.find(before - 1) as u32)
    }

    /// The first live token from a place on.
    pub(crate) fn first_from(&self, at: u32) -> Option<u32> {
        let found = self.count.find(self.count.before(at as usize));
        (found < self.alive.len()).then_some(found as u32)
    }

    /// Takes tokens away.
    pub(crate) fn kill(&mut self, range: &Range<u32>) {
        for at in range.start as usize..range.end as usize {
            if std::mem::replace(&mut self.alive[at], false) {
                self.count.add(at, -1);
                self.owned.add(at, -i64::from(self.own[at].1));
            }
        }
    }

    /// Hidden text was put after a token.
    pub(crate) fn grow(&mut self, token: u32, bytes: u32) {
        self.own[token as usize].1 += bytes;
        self.owned.add(token as usize, i64::from(bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab cd  e;` with tokens ab, cd, e, ;
    fn live() -> Live {
        Live::new(&[0..2, 3..5, 7..8, 8..9])
    }

    #[test]
    fn positions_follow_deaths_and_growth() {
        let mut l = live();
        assert_eq!((l.bytes(&(1..3)), l.own_bytes(1), l.size(&(0..4))), (3..8, 3..5, 4));
        assert!(l.is_bare(2) && !l.is_bare(0));
        l.kill(&(0..1));
        assert_eq!((l.position(1), l.position(3), l.size(&(0..4))), (0, 5, 3));
        assert_eq!((l.last_before(1), l.last_before(3), l.first_from(0)), (None, Some(2), Some(1)));
        l.kill(&(1..3));
        l.kill(&(1..3));
        assert_eq!((l.position(3), l.first_from(0), l.size(&(0..4))), (0, Some(3), 1));
        l.grow(3, 1);
        assert_eq!((l.position(4), l.first_from(4)), (2, None));
    }

    #[test]
    fn sums_agree_with_adding_up() {
        let values: Vec<u32> = (0..100).map(|n| n * 7 % 13).collect();
        let sums = Sums::new(values.iter().copied());
        for at in 0..=100 {
            assert_eq!(sums.before(at), values[..at].iter().map(|v| i64::from(*v)).sum::<i64>());
        }
        for sum in 0..sums.before(100) {
            let at = sums.find(sum);
            assert!(sums.before(at) <= sum && sums.before(at + 1) > sum);
        }
    }
}
