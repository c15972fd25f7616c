//! Rows of bits in one array: token sets by rule, relations between symbols.

/// A matrix of bits, stored row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitMatrix {
    words: Vec<u64>,
    words_per_row: usize,
    columns: usize,
}

/// One row of a [`BitMatrix`], seen as a set of column numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits<'a>(&'a [u64]);

impl BitMatrix {
    /// All bits clear.
    pub fn new(rows: usize, columns: usize) -> BitMatrix {
        let words_per_row = columns.div_ceil(64);
        BitMatrix { words: vec![0; rows * words_per_row], words_per_row, columns }
    }

    /// How many columns a row has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Sets one bit.
    pub fn insert(&mut self, row: usize, column: usize) {
        debug_assert!(column < self.columns);
        self.words[row * self.words_per_row + column / 64] |= 1 << (column % 64);
    }

    /// Clears one bit.
    pub fn remove(&mut self, row: usize, column: usize) {
        debug_assert!(column < self.columns);
        self.words[row * self.words_per_row + column / 64] &= !(1 << (column % 64));
    }

    /// Sets a range of columns.
    pub fn insert_range(&mut self, row: usize, columns: std::ops::Range<usize>) {
        for column in columns {
            self.insert(row, column);
        }
    }

    /// Whether one bit is set.
    #[inline]
    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.row(row).contains(column)
    }

    /// Adds everything of one row to another.
    pub fn union_rows(&mut self, into: usize, from: usize) {
        let width = self.words_per_row;
        for at in 0..width {
            self.words[into * width + at] |= self.words[from * width + at];
        }
    }

    /// Adds a set from elsewhere, of the same width.
    pub fn union_with(&mut self, into: usize, from: Bits<'_>) {
        let width = self.words_per_row;
        for (word, other) in self.words[into * width..][..width].iter_mut().zip(from.0) {
            *word |= other;
        }
    }

    /// Empties a row.
    pub fn clear(&mut self, row: usize) {
        self.words[row * self.words_per_row..][..self.words_per_row].fill(0);
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> Bits<'_> {
        Bits(&self.words[row * self.words_per_row..][..self.words_per_row])
    }
}

impl<'a> Bits<'a> {
    /// Whether the bit is set.
    #[inline]
    pub fn contains(self, column: usize) -> bool {
        self.0.get(column / 64).is_some_and(|word| word >> (column % 64) & 1 == 1)
    }

    /// The columns that are set, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> + 'a {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.checked_sub(1)?;
                Some(at * 64 + bit)
            })
        })
    }

    /// How many bits are set.
    pub fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no bit is set.
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether some bit is set in both.
    #[inline]
    pub fn intersects(self, other: Bits<'_>) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every bit is set in one of the others, all of the same width.
    #[inline]
    pub fn is_within(self, one: Bits<'_>, another: Bits<'_>) -> bool {
        self.0.iter().zip(one.0).zip(another.0).all(|((own, one), another)| own & !(one | another) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sets() {
        let mut m = BitMatrix::new(3, 130);
        for column in [0, 63, 64, 129] {
            m.insert(1, column);
        }
        m.insert(2, 5);
        assert!(m.row(0).is_empty());
        assert_eq!(m.row(1).iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(!m.row(1).intersects(m.row(2)));
        m.union_rows(2, 1);
        m.remove(2, 63);
        assert_eq!(m.row(2).iter().collect::<Vec<_>>(), [0, 5, 64, 129]);
        assert!(m.row(1).intersects(m.row(2)) && m.row(2).count() == 4 && !m.row(2).contains(9999));
        m.insert(0, 63);
        assert!(m.row(1).is_within(m.row(0), m.row(2)) && !m.row(1).is_within(m.row(2), m.row(2)));
    }
}
