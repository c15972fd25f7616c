//! The pass over numbers.

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::list::Hints;
use crate::measure::tokens;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Makes numbers small: `0`, `1`, then half of the digits, without prefix and suffix.
    ///
    /// Equal numbers are changed together first.
    "numbers", Late, Text(run)
}

/// A shorter form of a number, if there is one.
type Rewrite = fn(&[u8]) -> Option<Vec<u8>>;

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let rewrites: [Rewrite; 5] =
        [|_| Some(b"0".to_vec()), |_| Some(b"1".to_vec()), plain_digits, first_half, second_half];
    for rewrite in rewrites {
        together(problem, rewrite)?;
        let hints = hints(problem, rewrite).into_iter().filter_map(|edit| Edits::new(vec![edit])).collect();
        problem.sweep(Hints { hints })?;
    }
    Ok(())
}

/// All occurrences of one number at a time.
fn together(problem: &mut Problem<'_>, rewrite: Rewrite) -> Result<(), Stop> {
    let mut edits = hints(problem, rewrite);
    let text = problem.shared_text();
    edits.sort_by(|a, b| {
        text.slice(&a.range).cmp(text.slice(&b.range)).then(a.range.start.cmp(&b.range.start))
    });
    let groups = edits.chunk_by(|a, b| text.slice(&a.range) == text.slice(&b.range));
    let hints =
        groups.filter(|group| group.len() > 1).filter_map(|group| Edits::new(group.to_vec())).collect();
    problem.sweep(Hints { hints }).map(drop)
}

fn hints(problem: &Problem<'_>, rewrite: Rewrite) -> Vec<Edit> {
    let text = problem.text();
    let mut edits = Vec::new();
    for part in text.parts() {
        let bytes = text.slice(&part.range);
        for token in tokens(bytes) {
            let number = &bytes[token.clone()];
            let new = number[0].is_ascii_digit().then(|| rewrite(number)).flatten();
            let range = part.range.start + token.start as u32..part.range.start + token.end as u32;
            edits.extend(new.filter(|new| new != number).map(|new| Edit::replace(range, new)));
        }
    }
    edits
}

fn plain_digits(number: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = number.iter().copied().take_while(u8::is_ascii_digit).collect();
    (digits.len() < number.len()).then_some(digits)
}

fn first_half(number: &[u8]) -> Option<Vec<u8>> {
    (number.len() > 1).then(|| number[..number.len().div_ceil(2)].to_vec())
}

fn second_half(number: &[u8]) -> Option<Vec<u8>> {
    (number.len() > 1).then(|| number[number.len() / 2..].to_vec())
}
