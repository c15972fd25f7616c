//! Every run of k neighbouring elements, overlapping, from the end.
//!
//! Reaches what must go together and is not aligned with any partition: an operator and its operand, a cast, the
//! two words of a type.

use super::{Choice, Cursor, Minimizer, Shape};

/// Runs of this many elements.
#[derive(Clone, Copy, Debug)]
pub struct Windows(pub usize);

impl Minimizer for Windows {
    fn name(&self) -> &'static str {
        "windows"
    }

    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { at: list.len(), ..Cursor::default() }
    }

    fn next(&self, _list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        let start = cursor.at.checked_sub(self.0)?;
        let end = cursor.at;
        cursor.at -= 1;
        Some(Choice::Delete(start..end))
    }

    fn accepted(&self, list: &Shape, cursor: Cursor, choice: &Choice) -> Cursor {
        let Choice::Delete(gone) = choice else { return cursor };
        // Runs across the new seam have not been tried yet.
        Cursor { at: (gone.start + self.0 - 1).min(list.len()), ..cursor }
    }
}
