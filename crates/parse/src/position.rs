//! Lines and columns, computed when somebody asks.

/// The lines of a text.
#[derive(Debug, Clone)]
pub struct Positions<'a> {
    text: &'a str,
    starts: Vec<u32>,
}

impl<'a> Positions<'a> {
    /// Finds the line breaks. Only LF is one, as in ANTLR.
    pub fn new(text: &'a str) -> Positions<'a> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect();
        Positions { text, starts }
    }

    /// Line from 1 and column from 0, in code points, as ANTLR counts.
    pub fn antlr(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start as usize <= offset);
        let start = self.starts[line - 1] as usize;
        (line, self.text[start..offset].chars().count())
    }

    /// Line and column from 1.
    pub fn human(&self, offset: usize) -> (usize, usize) {
        let (line, column) = self.antlr(offset);
        (line, column + 1)
    }
}
