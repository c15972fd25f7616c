//! A candidate: a base text plus a few edits. This is what a question is asked about.
//!
//! Nothing here is proportional to the length of the text but printing: keys come from prefix hashes, and the count
//! of tokens from the lines that the edits touch.

use std::cmp::Ordering;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use polysmith_tree::EditedPart;

use crate::edit::{Edit, Edits};
use crate::fingerprint::{Key, Print};
use crate::measure::{canonical_order, count_tokens};
use crate::text::{FilePart, Text, as_usize};

/// Lines of more bytes than this are not counted before the answer is known.
const COUNTED_BYTES: usize = 64 << 10;

/// A base text plus edits.
#[derive(Clone, Debug)]
pub struct Candidate {
    base: Arc<Text>,
    edits: Edits,
}

impl Candidate {
    /// The candidate that differs from `base` by `edits`.
    #[must_use]
    pub fn new(base: Arc<Text>, edits: Edits) -> Self {
        Self { base, edits }
    }

    /// The base as it is.
    #[must_use]
    pub fn unchanged(base: Arc<Text>) -> Self {
        Self { base, edits: Edits::default() }
    }

    /// The text that it was made from.
    #[must_use]
    pub fn base(&self) -> &Arc<Text> {
        &self.base
    }

    /// What is different from the base.
    #[must_use]
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Which files exist, by number.
    pub fn files(&self) -> impl Iterator<Item = usize> + '_ {
        let exists =
            |number: &usize| self.base.parts()[*number].present && !self.edits.dropped().contains(number);
        (0..self.base.parts().len()).filter(exists)
    }

    /// The bytes of a file, as pieces that follow each other: slices of the base, and what the edits put in.
    pub fn pieces(&self, file: usize) -> impl Iterator<Item = &[u8]> + '_ {
        let FilePart { range, .. } = &self.base.parts()[file];
        self.edits.parts(range.clone()).map(|part| self.base.part(part))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, file: usize, to: &mut impl io::Write) -> io::Result<()> {
        self.pieces(file).try_for_each(|piece| to.write_all(piece))
    }

    /// The bytes of the first file: all there is, unless several files are reduced together.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.pieces(0).flatten().copied().collect()
    }

    /// The length of all files together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files().flat_map(|file| self.pieces(file)).map(<[u8]>::len).sum()
    }

    /// Whether all files are empty or left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the candidate is remembered by: a hash of its files.
    #[must_use]
    pub fn key(&self) -> Key {
        let base = &self.base;
        self.files().fold(Key([0, 0]), |key, file| {
            let range = base.parts()[file].range.clone();
            let print = self.edits.parts(range).fold(Print::default(), |print, part| {
                print.then(match part {
                    EditedPart::Kept(range) => base.prefixes().slice(base.bytes(), as_usize(&range)),
                    EditedPart::New(_, new) => Print::of(new),
                })
            });
            print.fold(key, file as u64)
        })
    }

    /// Whether the candidate comes before its base in (tokens, bytes, canonical text), as far as this can be told
    /// without counting long lines; `None` if that would be needed.
    #[must_use]
    pub fn is_lower(&self) -> Option<bool> {
        if !self.edits.dropped().is_empty() {
            return Some(true);
        }
        let tokens = self.token_change()?;
        let bytes: i64 = self.edits.iter().map(growth).sum();
        Some(match (tokens, bytes).cmp(&(0, 0)) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => self.compare_text() == Ordering::Less,
        })
    }

    fn compare_text(&self) -> Ordering {
        let Some(first) = self.edits.iter().next() else { return Ordering::Equal };
        let end = self.base.bytes().len();
        let rest = first.range.start as usize..end;
        let new = self.edits.parts(first.range.start..end as u32).flat_map(|part| self.base.part(part));
        canonical_order(new.copied(), self.base.bytes()[rest].iter().copied())
    }

    /// Tokens more than the base has; `None` if the lines to count are too long.
    fn token_change(&self) -> Option<i64> {
        let mut change = 0;
        let mut budget = COUNTED_BYTES;
        let mut edits = self.edits.iter().peekable();
        let mut new = Vec::new();
        while let Some(edit) = edits.next() {
            let part = self.part_of(edit);
            let mut lines = self.lines_around(&part, edit.range.start..edit.range.end, budget)?;
            let mut last = edit;
            new.clear();
            new.extend_from_slice(&self.base.bytes()[lines.start..edit.range.start as usize]);
            new.extend_from_slice(&edit.new);
            // Edits that share lines are counted together.
            while let Some(next) = edits.next_if(|next| (next.range.start as usize) < lines.end) {
                lines.end = self.lines_around(&part, next.range.start..next.range.end, budget)?.end;
                new.extend_from_slice(self.base.slice(&(last.range.end..next.range.start)));
                new.extend_from_slice(&next.new);
                last = next;
            }
            new.extend_from_slice(&self.base.bytes()[last.range.end as usize..lines.end]);
            budget = budget.checked_sub(lines.len())?;
            change += count_tokens(&new) as i64 - count_tokens(&self.base.bytes()[lines]) as i64;
        }
        Some(change)
    }

    fn part_of(&self, edit: &Edit) -> Range<usize> {
        let parts = self.base.parts();
        let number = parts.partition_point(|part| part.range.end <= edit.range.start);
        as_usize(&parts[number].range)
    }

    /// The whole lines that a range touches, and the line after it, with which it may have been joined.
    fn lines_around(&self, part: &Range<usize>, range: Range<u32>, budget: usize) -> Option<Range<usize>> {
        let Range { start, end } = as_usize(&range);
        if end - start > budget {
            return None;
        }
        let bytes = self.base.bytes();
        let is_newline = |byte: &u8| *byte == b'\n';
        let floor = part.start.max(start.saturating_sub(budget));
        let before = bytes[floor..start].iter().rposition(is_newline).map(|at| floor + at + 1);
        let ceiling = part.end.min(end.saturating_add(budget));
        let after = bytes[end..ceiling].iter().position(is_newline).map(|at| end + at + 1);
        let start = before.or((floor == part.start).then_some(floor))?;
        let end = after.or((ceiling == part.end).then_some(ceiling))?;
        Some(start..end)
    }
}

fn growth(edit: &Edit) -> i64 {
    edit.new.len() as i64 - i64::from(edit.range.end - edit.range.start)
}
