//! Single elements, from the end, round and round until none can go: what remains is 1-minimal.
//!
//! An acceptance changes the company of all other elements, so the countdown to the end starts again; the place
//! does not, which keeps lists with many successes linear.

use super::{Choice, Cursor, Minimizer, Shape};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct OneByOne;

impl Minimizer for OneByOne {
    fn name(&self) -> &'static str {
        "one-by-one"
    }

    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { at: list.len(), left: list.len(), ..Cursor::default() }
    }

    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        if list.is_empty() {
            return None;
        }
        if cursor.stage == 0 {
            cursor.stage = 1;
            if list.len() > 1 {
                return Some(Choice::Delete(0..list.len()));
            }
        }
        if cursor.left == 0 {
            return None;
        }
        if cursor.at == 0 {
            cursor.at = list.len();
        }
        cursor.at -= 1;
        cursor.left -= 1;
        Some(Choice::Delete(cursor.at..cursor.at + 1))
    }

    fn accepted(&self, list: &Shape, cursor: Cursor, _choice: &Choice) -> Cursor {
        Cursor { at: cursor.at.min(list.len()), left: list.len(), ..cursor }
    }
}
