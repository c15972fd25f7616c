//! Weighted ddmin (WDD, 2025): parts of equal weight instead of equal count.
//!
//! An element weighs what deleting it brings. The target weight of a run halves from round to round, so heavy
//! elements are tried alone early and light ones in company; the last round tries single elements.

use super::{Choice, Cursor, Minimizer, Shape};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Weighted;

impl Minimizer for Weighted {
    fn name(&self) -> &'static str {
        "weighted"
    }

    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { stage: 0, size: 0, at: list.len(), left: 0 }
    }

    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        if cursor.at == 0 {
            // `left` says that all runs of the round were single elements: smaller targets change nothing.
            if cursor.left == 0 || cursor.stage > 63 {
                return None;
            }
            *cursor = Cursor { stage: cursor.stage + 1, at: list.len(), left: 0, size: 0 };
        }
        let end = cursor.at;
        if end == 0 {
            return None;
        }
        let target = list.total() >> cursor.stage;
        let start = if target == 0 { end - 1 } else { list.start_of_run(end, target) };
        cursor.at = start;
        cursor.left |= usize::from(end - start > 1);
        Some(Choice::Delete(start..end))
    }

    fn accepted(&self, _list: &Shape, cursor: Cursor, _choice: &Choice) -> Cursor {
        cursor
    }
}
