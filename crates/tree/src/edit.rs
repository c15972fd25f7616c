//! Edits: a candidate or a mutant is a base plus a few edits.
//!
//! An edit puts something else in the place of a range of its base. The base may be a text (ranges of bytes, new bytes), a
//! tree (ranges of nodes in preorder, [`Replacement`](crate::Replacement)s) or a list of tokens. The edits of one
//! candidate are sorted and apart, so printing is one walk over the base ([`Edits::parts`]), and every position of the
//! base maps into the result by binary search ([`Shift`]).

use std::ops::Range;

/// A range of a base, and what comes in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit<T> {
    /// What goes; never empty.
    pub range: Range<u32>,
    /// What comes.
    pub new: T,
}

impl<T> Edit<T> {
    /// Puts something else in the place of a range.
    #[must_use]
    pub fn replace(range: Range<u32>, new: impl Into<T>) -> Self {
        Self { range, new: new.into() }
    }
}

impl<T: Default> Edit<T> {
    /// Takes a range away.
    #[must_use]
    pub fn delete(range: Range<u32>) -> Self {
        Self { range, new: T::default() }
    }
}

/// Edits of one base, sorted and apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edits<T>(Vec<Edit<T>>);

/// A part of the result of edits, in the order of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditedPart<'a, T> {
    /// A range of the base.
    Kept(Range<u32>),
    /// What the edit with this number puts there.
    New(usize, &'a T),
}

impl<T> Default for Edits<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Edits<T> {
    /// Sorts edits and drops those of empty ranges. `None` if two overlap. Neighbours are not joined.
    #[must_use]
    pub fn new(mut edits: Vec<Edit<T>>) -> Option<Self> {
        edits.retain(|edit| !edit.range.is_empty());
        edits.sort_unstable_by_key(|edit| edit.range.start);
        let overlap = edits.windows(2).any(|pair| pair[0].range.end > pair[1].range.start);
        (!overlap).then_some(Self(edits))
    }

    /// The edits, in the order of the base.
    #[must_use]
    pub fn as_slice(&self) -> &[Edit<T>] {
        &self.0
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the edits touches a range.
    #[must_use]
    pub fn touches(&self, range: &Range<u32>) -> bool {
        let next = self.0.partition_point(|edit| edit.range.end <= range.start);
        self.0.get(next).is_some_and(|edit| edit.range.start < range.end)
    }

    /// What a range of the base becomes. An edit that begins before the range takes its part of the range away.
    pub fn parts(&self, range: Range<u32>) -> impl Iterator<Item = EditedPart<'_, T>> {
        let mut next = self.0.partition_point(|edit| edit.range.end <= range.start);
        let mut at = range.start;
        let mut new = None;
        std::iter::from_fn(move || {
            loop {
                if let Some(number) = new.take() {
                    return Some(EditedPart::New(number, &self.0[number].new));
                }
                if at >= range.end {
                    return None;
                }
                let edit = self.0.get(next).filter(|edit| edit.range.start < range.end);
                let Some(edit) = edit else {
                    let rest = std::mem::replace(&mut at, range.end)..range.end;
                    return Some(EditedPart::Kept(rest));
                };
                let kept = at..edit.range.start;
                at = edit.range.end;
                if edit.range.start >= kept.start {
                    new = Some(next);
                }
                next += 1;
                if !kept.is_empty() {
                    return Some(EditedPart::Kept(kept));
                }
            }
        })
    }
}

/// The positions of a base after edits.
#[derive(Debug, Clone)]
pub struct Shift {
    /// The ranges that went.
    gone: Vec<Range<u32>>,
    /// New end minus old end of each.
    offsets: Vec<i64>,
}

impl Shift {
    /// Prepares the map; `len` is the length of what comes.
    pub fn new<T>(edits: &Edits<T>, len: impl Fn(&T) -> usize) -> Self {
        let mut offset = 0;
        let offsets = edits.0.iter().map(|edit| {
            offset += len(&edit.new) as i64 - i64::from(edit.range.end - edit.range.start);
            offset
        });
        Self { offsets: offsets.collect(), gone: edits.0.iter().map(|edit| edit.range.clone()).collect() }
    }

    /// Where a range is now, without what was replaced at its borders; `None` if nothing is left of it.
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

    /// Where a position is now; inside of something that went, the position after it.
    #[must_use]
    pub fn start(&self, at: u32) -> u32 {
        let before = self.gone.partition_point(|gone| gone.end <= at);
        match self.gone.get(before) {
            Some(gone) if gone.start < at => moved(gone.end, self.offsets[before]),
            _ => moved(at, self.offset(before)),
        }
    }

    fn end(&self, at: u32) -> u32 {
        let before = self.gone.partition_point(|gone| gone.end <= at);
        match self.gone.get(before) {
            Some(gone) if gone.start < at => moved(gone.start, self.offset(before)),
            _ => moved(at, self.offset(before)),
        }
    }

    fn offset(&self, before: usize) -> i64 {
        before.checked_sub(1).map_or(0, |last| self.offsets[last])
    }
}

fn moved(at: u32, by: i64) -> u32 {
    u32::try_from(i64::from(at) + by).expect("a base stays shorter than 4 Gi and its positions positive")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_sorted_and_overlaps_are_refused() {
        let delete = Edit::<Vec<u8>>::delete;
        let edits = Edits::new(vec![delete(4..6), delete(2..4)]).unwrap();
        assert_eq!(edits.as_slice()[0].range, 2..4);
        assert!(Edits::new(vec![delete(2..5), delete(4..6)]).is_none());
        assert!(Edits::new(vec![delete(2..2)]).unwrap().is_empty());
    }

    #[test]
    fn parts_follow_the_base() {
        let edits: Edits<&str> =
            Edits::new(vec![Edit::replace(2..6, "x"), Edit::replace(8..9, "y")]).unwrap();
        let shown = |range| -> Vec<String> {
            let show = |part| match part {
                EditedPart::Kept(Range { start, end }) => format!("{start}..{end}"),
                EditedPart::New(_, new) => String::from(*new),
            };
            edits.parts(range).map(show).collect()
        };
        assert_eq!(shown(0..10), ["0..2", "x", "6..8", "y", "9..10"]);
        assert_eq!(shown(2..9), ["x", "6..8", "y"]);
        assert_eq!(shown(3..7), ["6..7"]);
        assert_eq!(shown(1..4), ["1..2", "x"]);
        assert_eq!(shown(9..10), ["9..10"]);
        assert_eq!(shown(3..3), Vec::<String>::new());
    }

    #[test]
    fn ranges_follow_the_text() {
        // 0123456789 -> 01x6789
        let edits: Edits<Vec<u8>> = Edits::new(vec![Edit::replace(2..6, "x")]).unwrap();
        let shift = Shift::new(&edits, Vec::len);
        assert_eq!(shift.range(&(0..2)), Some(0..2));
        assert_eq!(shift.range(&(0..4)), Some(0..2));
        assert_eq!(shift.range(&(1..8)), Some(1..5));
        assert_eq!(shift.range(&(2..6)), Some(2..3));
        assert_eq!(shift.range(&(3..5)), None);
        assert_eq!(shift.range(&(4..9)), Some(3..6));
        assert_eq!(shift.range(&(6..10)), Some(3..7));
    }
}
