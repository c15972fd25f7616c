//! Runs of falling length: all, half, a quarter, … one element.
//!
//! Each length is swept once over the list from its end (users go before what they use), and nothing is tried twice:
//! about 2n questions for a list in which nothing can go, log n for one in which a long run can. This is what
//! C-Reduce does with lines and, breadth first, what Perses does with the children of a list.

use super::{Choice, Cursor, Minimizer, Shape};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Halving;

impl Minimizer for Halving {
    fn name(&self) -> &'static str {
        "halving"
    }

    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { size: list.len(), at: list.len(), ..Cursor::default() }
    }

    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        if cursor.at == 0 {
            if cursor.size <= 1 {
                return None;
            }
            cursor.size = cursor.size.min(list.len()).div_ceil(2);
            cursor.at = list.len();
        }
        let end = cursor.at;
        cursor.at = end.saturating_sub(cursor.size);
        (end > 0).then_some(Choice::Delete(cursor.at..end))
    }

    fn accepted(&self, _list: &Shape, cursor: Cursor, _choice: &Choice) -> Cursor {
        cursor
    }
}
