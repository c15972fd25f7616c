//! What a candidate changes: edits of the text ([`polysmith_tree::Edit`]), and files that are left out.
//!
//! Positions are byte offsets into the base.

use std::fmt;
use std::ops::Range;

use polysmith_tree::EditedPart;
pub use polysmith_tree::Shift;

/// A range of the text, and the bytes that come in its place.
pub type Edit = polysmith_tree::Edit<Vec<u8>>;

/// What one candidate changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    edits: polysmith_tree::Edits<Vec<u8>>,
    /// Files (numbers of parts) that are left out altogether; they have no edits.
    dropped: Vec<usize>,
}

impl Edits {
    /// Sorts edits. `None` if two overlap, or if nothing would change.
    ///
    /// Neighbours are not joined: a file may end between them.
    #[must_use]
    pub fn new(edits: Vec<Edit>) -> Option<Self> {
        let edits = polysmith_tree::Edits::new(edits)?;
        (!edits.is_empty()).then_some(Self { edits, dropped: Vec::new() })
    }

    /// Takes one range away.
    #[must_use]
    pub fn delete(range: Range<u32>) -> Option<Self> {
        Self::new(vec![Edit::delete(range)])
    }

    /// Leaves whole files out.
    #[must_use]
    pub fn drop_parts(parts: Vec<usize>) -> Self {
        Self { edits: polysmith_tree::Edits::default(), dropped: parts }
    }

    /// The same edits, with the given ranges deleted as well. Those must not overlap the edits.
    pub(crate) fn with_deleted(&self, ranges: impl Iterator<Item = Range<u32>>) -> Self {
        let all = self.iter().cloned().chain(ranges.map(Edit::delete)).collect();
        let edits = polysmith_tree::Edits::new(all).unwrap_or_else(|| self.edits.clone());
        Self { edits, dropped: self.dropped.clone() }
    }

    /// The edits, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Edit> {
        self.edits.as_slice().iter()
    }

    /// The files that are left out.
    #[must_use]
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// Whether one of the edits touches a range.
    #[must_use]
    pub fn touches(&self, range: &Range<u32>) -> bool {
        self.edits.touches(range)
    }

    /// The positions of the text once the edits are accepted.
    #[must_use]
    pub fn shift(&self) -> Shift {
        Shift::new(&self.edits, Vec::len)
    }

    /// What a range of the text becomes, as parts that follow each other.
    pub(crate) fn parts(&self, range: Range<u32>) -> impl Iterator<Item = EditedPart<'_, Vec<u8>>> {
        self.edits.parts(range)
    }
}

impl fmt::Display for Edits {
    /// The first few edits, for logs: `-120..344`, or `12..17="x"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        for part in &self.dropped {
            write!(f, "-file {part} ")?;
        }
        let edits = self.edits.as_slice();
        for (n, edit) in edits.iter().take(SHOWN).enumerate() {
            let gap = if n == 0 { "" } else { " " };
            let Range { start, end } = edit.range;
            match edit.new.as_slice() {
                [] => write!(f, "{gap}-{start}..{end}")?,
                new => write!(f, "{gap}{start}..{end}={:?}", String::from_utf8_lossy(new))?,
            }
        }
        match edits.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_shown_in_order_and_must_change_something() {
        let edits = Edits::new(vec![Edit::replace(4..6, "x"), Edit::delete(2..4)]).unwrap();
        assert_eq!(edits.to_string(), "-2..4 4..6=\"x\"");
        assert!(Edits::new(vec![Edit::delete(2..5), Edit::delete(4..6)]).is_none());
        assert!(Edits::new(vec![Edit::delete(2..2)]).is_none());
    }
}
