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

/// Line and column of one offset after the other, in ascending order: each character is read once, however long the
/// lines are.
#[derive(Debug, Clone)]
pub struct PositionCursor<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
    column: usize,
    code_points: usize,
}

impl<'a> PositionCursor<'a> {
    /// Begins at the first character.
    pub fn new(text: &'a str) -> PositionCursor<'a> {
        PositionCursor { text, offset: 0, line: 1, column: 0, code_points: 0 }
    }

    /// Moves to an offset, which is not before the last one.
    pub fn advance(&mut self, offset: usize) {
        let passed = &self.text[self.offset..offset];
        let length = passed.chars().count();
        match passed.rfind('\n') {
            None => self.column += length,
            Some(last) => {
                self.line += passed.bytes().filter(|byte| *byte == b'\n').count();
                self.column = passed[last + 1..].chars().count();
            }
        }
        self.code_points += length;
        self.offset = offset;
    }

    /// Line from 1 and column from 0, in code points, as ANTLR counts.
    pub fn antlr(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// The number of code points before the offset.
    pub fn code_points(&self) -> usize {
        self.code_points
    }
}

#[cfg(test)]
mod tests {
    use super::{PositionCursor, Positions};

    #[test]
    fn a_cursor_agrees_with_positions() {
        let text = "a\nüb\n\n  c€d";
        let positions = Positions::new(text);
        let mut cursor = PositionCursor::new(text);
        for (count, (offset, _)) in text.char_indices().enumerate().filter(|(count, _)| count % 3 != 1) {
            cursor.advance(offset);
            assert_eq!((cursor.antlr(), cursor.code_points()), (positions.antlr(offset), count));
        }
    }
}
