//! ProbDD (2021) in the counter form of "Toward a Better Understanding of ProbDD" (2025).
//!
//! Each element has a chance of being needed, p0 at first; a refused batch raises the chances of its members by
//! 1 / (1 - 1/e), and the best batch has -1 / ln(1 - p) elements. Since all members of a round have the same chance,
//! it is enough to know the round: batches of a falling, fixed size, each element in one batch per round, no
//! floating point per element. The result is not 1-minimal.

use super::{Choice, Cursor, Minimizer, Shape};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct ProbDd;

/// The chance at the start, as the authors of ProbDD set it.
const P0: f64 = 0.1;

impl Minimizer for ProbDd {
    fn name(&self) -> &'static str {
        "probdd"
    }

    fn begin(&self, list: &Shape) -> Cursor {
        Cursor { stage: 0, size: list.len(), at: list.len(), left: 0 }
    }

    fn next(&self, list: &Shape, cursor: &mut Cursor) -> Option<Choice> {
        if cursor.at == 0 {
            if cursor.size <= 1 {
                return None;
            }
            cursor.stage += 1;
            cursor.size = batch(cursor.stage - 1);
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

/// The best size of a batch in a round.
fn batch(round: usize) -> usize {
    let grown = P0 / (1.0 - (-1.0f64).exp()).powi(i32::try_from(round).unwrap_or(i32::MAX));
    if grown >= 0.5 { 1 } else { (-1.0 / (1.0 - grown).ln()).round().max(1.0) as usize }
}
