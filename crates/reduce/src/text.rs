//! The base text: all files under reduction, one after the other, with what candidates need to be cheap.

use std::ops::Range;

use polysmith_tree::EditedPart;

use crate::edit::Edits;
use crate::fingerprint::Prefixes;
use crate::measure::{Size, count_tokens};

/// The longest text that can be reduced: positions are 32-bit numbers.
pub const MAX_BYTES: usize = (u32::MAX / 2) as usize;

/// The text is too long for us.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the input has {bytes} bytes; reduction works up to {MAX_BYTES} (limit `max-input-bytes`)")]
pub struct TooLong {
    /// Bytes of all files together.
    pub bytes: usize,
}

/// Files under reduction. Immutable: an accepted candidate gives a new text.
#[derive(Clone, Debug)]
pub struct Text {
    bytes: Vec<u8>,
    parts: Vec<FilePart>,
    prefixes: Prefixes,
    tokens: usize,
}

/// One file: its place in the text, or that it has been left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// Its bytes; empty for a file that is left out.
    pub range: Range<u32>,
    /// Whether the file exists.
    pub present: bool,
}

impl Text {
    /// A text of one or more files.
    ///
    /// # Errors
    /// When it is longer than [`MAX_BYTES`].
    pub fn new(files: &[impl AsRef<[u8]>]) -> Result<Self, TooLong> {
        let files: Vec<Option<&[u8]>> = files.iter().map(|file| Some(file.as_ref())).collect();
        Self::of_files(&files)
    }

    /// A text of files, some of which may be left out (`None`).
    ///
    /// # Errors
    /// When it is longer than [`MAX_BYTES`].
    pub fn of_files(files: &[Option<impl AsRef<[u8]>>]) -> Result<Self, TooLong> {
        let bytes: usize = files.iter().flatten().map(|file| file.as_ref().len()).sum();
        if bytes > MAX_BYTES {
            return Err(TooLong { bytes });
        }
        let mut parts = Vec::new();
        let mut all = Vec::with_capacity(bytes);
        for file in files {
            let start = position(all.len());
            file.iter().for_each(|file| all.extend_from_slice(file.as_ref()));
            parts.push(FilePart { range: start..position(all.len()), present: file.is_some() });
        }
        Ok(Self::from_parts(all, parts, None))
    }

    fn from_parts(bytes: Vec<u8>, parts: Vec<FilePart>, known: Option<(&Prefixes, usize)>) -> Self {
        let prefixes = Prefixes::new(&bytes, known);
        let tokens = parts.iter().map(|part| count_tokens(&bytes[as_usize(&part.range)])).sum();
        Self { bytes, parts, prefixes, tokens }
    }

    /// All bytes; files follow each other without anything between them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A piece of the text.
    #[must_use]
    pub fn slice(&self, range: &Range<u32>) -> &[u8] {
        &self.bytes[as_usize(range)]
    }

    /// The files, in the order given.
    #[must_use]
    pub fn parts(&self) -> &[FilePart] {
        &self.parts
    }

    /// Tokens and bytes.
    #[must_use]
    pub fn size(&self) -> Size {
        Size { tokens: self.tokens, bytes: self.bytes.len() }
    }

    pub(crate) fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// The text after edits. Cost: linear.
    #[must_use]
    pub fn apply(&self, edits: &Edits) -> Self {
        let edits = &self.with_dropped_ranges(edits);
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for part in edits.parts(0..position(self.bytes.len())) {
            bytes.extend_from_slice(self.part(part));
        }
        let shift = edits.shift();
        let parts = self.parts.iter().enumerate().map(|(number, part)| FilePart {
            range: shift.range_or_empty(&part.range),
            present: part.present && !edits.dropped().contains(&number),
        });
        let same = edits.iter().next().map_or(self.bytes.len(), |edit| edit.range.start as usize);
        Self::from_parts(bytes, parts.collect(), Some((&self.prefixes, same)))
    }

    /// The bytes of a part of the text after edits.
    pub(crate) fn part<'t>(&'t self, part: EditedPart<'t, Vec<u8>>) -> &'t [u8] {
        match part {
            EditedPart::Kept(range) => self.slice(&range),
            EditedPart::New(_, new) => new,
        }
    }

    /// The same edits, with the bytes of files that are left out as deletions.
    fn with_dropped_ranges(&self, edits: &Edits) -> Edits {
        if edits.dropped().is_empty() {
            return edits.clone();
        }
        edits.with_deleted(edits.dropped().iter().map(|part| self.parts[*part].range.clone()))
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).expect("the length was checked against `MAX_BYTES`")
}

pub(crate) fn as_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
