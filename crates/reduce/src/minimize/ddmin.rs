//! ddmin (Zeller and Hildebrandt 2002), with the empty list tried first.
//!
//! The list is cut into n parts. Each part alone is tried, then the list without each part (from the end); if nothing
//! works, n doubles. After a success the search restarts at a coarse level. The result is 1-minimal; the price is
//! up to n² questions, many of them about sublists that were tried before.

use super::{Choice, Cursor, Minimizer, Shape};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Ddmin;

const EMPTY: usize = 0;
const SUBSETS: usize = 1;
const COMPLEMENTS: usize = 2;

impl Minimizer for Ddmin {
    fn name(&self) -> &'static str {
        "ddmin"
    }

    fn begin(&self, _list: &Shape) -> Cursor {
        Cursor { stage: EMPTY, size: 2, at: 0, left: 0 }
    }

    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        let len = list.len();
        if len == 0 {
            return None;
        }
        if cursor.stage == EMPTY {
            *cursor = Cursor { stage: SUBSETS, ..*cursor };
            return Some(Choice::Delete(0..len));
        }
        if len == 1 {
            return None;
        }
        let parts = cursor.size.min(len);
        if cursor.at == parts {
            match cursor.stage {
                // With two parts, the one without the other is a part alone.
                SUBSETS if parts > 2 => *cursor = Cursor { stage: COMPLEMENTS, at: 0, ..*cursor },
                _ if parts == len => return None,
                _ => *cursor = Cursor { stage: SUBSETS, size: (2 * parts).min(len), at: 0, left: 0 },
            }
            return self.next(list, cursor);
        }
        cursor.at += 1;
        let part = |n: usize| n * len / parts..(n + 1) * len / parts;
        Some(match cursor.stage {
            SUBSETS => Choice::Keep(part(cursor.at - 1)),
            _ => Choice::Delete(part(parts - cursor.at)),
        })
    }

    fn accepted(&self, list: &Shape, cursor: Cursor, choice: &Choice) -> Cursor {
        let size = match choice {
            Choice::Keep(_) => 2,
            Choice::Delete(_) => cursor.size.min(list.len() + 1).saturating_sub(1).max(2),
        };
        Cursor { stage: SUBSETS, size, at: 0, left: 0 }
    }
}
