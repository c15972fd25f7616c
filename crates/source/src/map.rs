//! The texts that were read, and locations in them.
//!
//! A [`Span`] is a pair of byte offsets into one source; lines and columns are computed on demand from a table of line
//! starts. Lines end only at LF, as in ANTLR: a CR belongs to its line.

use std::sync::Arc;

/// Identifies a source of a [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

/// A range of bytes in one source. `start == end` is a position between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The source that the offsets refer to.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that contains both. `other` must have the same source.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.source, other.source);
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Sources are limited to 4 GiB (see [`SourceMap::add`]), so only a bug can lead to greater offsets.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// A line counted from 1 and a column counted from 0, in code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineCol {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 0.
    pub column: u32,
}

/// One text with its name.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: Arc<str>,
    line_starts: Vec<u32>,
}

impl Source {
    fn new(name: String, text: Arc<str>) -> Source {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(at, _)| clamp(at + 1))).collect();
        Source { name, text, line_starts }
    }

    /// The name to show: a path as the user wrote it, or `<built-in json>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column of a byte offset. An offset past the end counts as the end.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let offset = offset.min(clamp(self.text.len()));
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column =
            self.text.as_bytes()[start..offset as usize].iter().filter(|b| !is_continuation(**b)).count();
        LineCol { line: clamp(line + 1), column: clamp(column) }
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// All sources of one run.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// Adds a text with a name. Spans cannot address texts over 4 GiB; readers reject these before.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        let id = SourceId(clamp(self.sources.len()));
        self.sources.push(Source::new(name.into(), text.into()));
        id
    }

    /// The source with this id, which must come from this map.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// All sources, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter()
    }

    /// The text of a span, truncated to the source.
    pub fn slice(&self, span: Span) -> &str {
        let text = &self.get(span.source).text;
        let end = (span.end as usize).min(text.len());
        text.get((span.start as usize).min(end)..end).unwrap_or("")
    }

    /// Line and column of a span's start.
    pub fn line_col(&self, span: Span) -> LineCol {
        self.get(span.source).line_col(span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_and_cr_stays_on_its_line() {
        let mut map = SourceMap::default();
        let id = map.add("x", "aé\r\n日b\n");
        let at = |offset| map.get(id).line_col(offset);
        assert_eq!(at(0), LineCol { line: 1, column: 0 });
        assert_eq!(at(3), LineCol { line: 1, column: 2 });
        assert_eq!(at(5), LineCol { line: 2, column: 0 });
        assert_eq!(at(8), LineCol { line: 2, column: 1 });
        assert_eq!(at(10), LineCol { line: 3, column: 0 });
        assert_eq!(at(999), LineCol { line: 3, column: 0 });
    }
}
