//! Edits: ranges of a base text that are replaced, mostly by nothing.
//!
//! Positions are byte offsets into the base. Edits of one candidate are sorted and do not overlap, so
//! printing is one walk, and any position of the base maps into the new text by binary search.

use std::fmt;
use std::ops::Range;

/// One range of the base and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes; never empty.
    pub range: Range<u32>,
    /// What comes.
    pub text: Vec<u8>,
}

impl Edit {
    /// Takes a range away.
    #[must_use]
    pub fn delete(range: Range<u32>) -> Self {
        Self { range, text: Vec::new() }
    }

    /// Puts something else in the place of a range.
    #[must_use]
    pub fn replace(range: Range<u32>, text: impl Into<Vec<u8>>) -> Self {
        Self { range, text: text.into() }
    }
}

/// The edits of one candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    edits: Vec<Edit>,
    /// Files (numbers of parts) that are left out altogether; they have no edits.
    dropped: Vec<usize>,
}

impl Edits {
    /// Sorts edits. `None` if two overlap, or if nothing would change.
    ///
    /// Neighbours are not joined: a file may end between them.
    #[must_use]
    pub fn new(mut edits: Vec<Edit>) -> Option<Self> {
        edits.retain(|edit| !edit.range.is_empty());
        edits.sort_unstable_by_key(|edit| edit.range.start);
        let overlap = edits.windows(2).any(|pair| pair[0].range.end > pair[1].range.start);
        (!overlap && !edits.is_empty()).then_some(Self { edits, dropped: Vec::new() })
    }

    /// Takes one range away.
    #[must_use]
    pub fn delete(range: Range<u32>) -> Option<Self> {
        Self::new(vec![Edit::delete(range)])
    }

    /// Leaves whole files out.
    #[must_use]
    pub fn drop_parts(parts: Vec<usize>) -> Self {
        Self { edits: Vec::new(), dropped: parts }
    }

    /// The same edits, with whole ranges deleted beside them.
    pub(crate) fn with_deleted(&self, ranges: impl Iterator<Item = Range<u32>>) -> Self {
        let mut edits = self.edits.clone();
        edits.extend(ranges.filter(|range| !range.is_empty()).map(Edit::delete));
        edits.sort_unstable_by_key(|edit| edit.range.start);
        Self { edits, dropped: self.dropped.clone() }
    }

    /// The edits, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Edit> {
        self.edits.iter()
    }

    /// The files that are left out.
    #[must_use]
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// Whether one of the edits touches a range.
    #[must_use]
    pub fn touches(&self, range: &Range<u32>) -> bool {
        let next = self.edits.partition_point(|edit| edit.range.end <= range.start);
        self.edits.get(next).is_some_and(|edit| edit.range.start < range.end)
    }
}

impl fmt::Display for Edits {
    /// The first few edits, for logs: `-120..344`, or `12..17="x"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        for part in &self.dropped {
            write!(f, "-file {part} ")?;
        }
        for (n, edit) in self.edits.iter().take(SHOWN).enumerate() {
            let gap = if n == 0 { "" } else { " " };
            let Range { start, end } = edit.range;
            match edit.text.as_slice() {
                [] => write!(f, "{gap}-{start}..{end}")?,
                text => write!(f, "{gap}{start}..{end}={:?}", String::from_utf8_lossy(text))?,
            }
        }
        match self.edits.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Where positions of the old text lie after edits were applied.
#[derive(Debug)]
pub struct Shift<'a> {
    edits: &'a [Edit],
    /// New end minus old end of each edit.
    offsets: Vec<i64>,
}

impl<'a> Shift<'a> {
    /// Prepares the map for accepted edits.
    #[must_use]
    pub fn new(edits: &'a Edits) -> Self {
        let mut offset = 0;
        let grow = |edit: &Edit| edit.text.len() as i64 - i64::from(edit.range.end - edit.range.start);
        let offsets = edits.iter().map(|edit| {
            offset += grow(edit);
            offset
        });
        Self { offsets: offsets.collect(), edits: &edits.edits }
    }

    /// Where a range lies now, without what was replaced at its borders; `None` if nothing is left of it.
    #[must_use]
    pub fn range(&self, range: &Range<u32>) -> Option<Range<u32>> {
        let (start, end) = (self.start(range.start), self.end(range.end));
        (start < end).then_some(start..end)
    }

    /// Like [`Self::range`], but gives an empty range where nothing is left.
    #[must_use]
    pub fn range_or_empty(&self, range: &Range<u32>) -> Range<u32> {
        let start = self.start(range.start);
        start..self.end(range.end).max(start)
    }

    fn start(&self, at: u32) -> u32 {
        let before = self.edits.partition_point(|edit| edit.range.end <= at);
        match self.edits.get(before) {
            Some(edit) if edit.range.start < at => moved(edit.range.end, self.offsets[before]),
            _ => moved(at, self.offset(before)),
        }
    }

    fn end(&self, at: u32) -> u32 {
        let before = self.edits.partition_point(|edit| edit.range.end <= at);
        match self.edits.get(before) {
            Some(edit) if edit.range.start < at => moved(edit.range.start, self.offset(before)),
            _ => moved(at, self.offset(before)),
        }
    }

    fn offset(&self, before: usize) -> i64 {
        before.checked_sub(1).map_or(0, |last| self.offsets[last])
    }
}

fn moved(at: u32, by: i64) -> u32 {
    u32::try_from(i64::from(at) + by).expect("a text stays shorter than 4 GiB and its positions positive")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_sorted_and_overlaps_are_refused() {
        let edits = Edits::new(vec![Edit::delete(4..6), Edit::delete(2..4)]).unwrap();
        assert_eq!(edits.to_string(), "-2..4 -4..6");
        assert!(Edits::new(vec![Edit::delete(2..5), Edit::delete(4..6)]).is_none());
        assert!(Edits::new(vec![Edit::delete(2..2)]).is_none());
    }

    #[test]
    fn ranges_follow_the_text() {
        // 0123456789 -> 01x6789
        let edits = Edits::new(vec![Edit::replace(2..6, "x")]).unwrap();
        let shift = Shift::new(&edits);
        assert_eq!(shift.range(&(0..2)), Some(0..2));
        assert_eq!(shift.range(&(0..4)), Some(0..2));
        assert_eq!(shift.range(&(1..8)), Some(1..5));
        assert_eq!(shift.range(&(2..6)), Some(2..3));
        assert_eq!(shift.range(&(3..5)), None);
        assert_eq!(shift.range(&(4..9)), Some(3..6));
        assert_eq!(shift.range(&(6..10)), Some(3..7));
    }
}
