//! The pass over numbers.

use std::ops::Range;

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::list::Hints;
use crate::measure::tokens;
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Makes numbers small: `0`, `1`, then half of the digits, without prefix and suffix.
    ///
    /// Equal numbers are changed together first. What is left is bisected: the smallest value that the test accepts, if
    /// it accepts all larger ones.
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
    bisect(problem)
}

/// Searches for the smallest value of each decimal number, from the last number to the first. Costs a question for each
/// bit of a number.
fn bisect(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let count = decimals(problem.text()).len();
    for number in (0..count).rev() {
        // Zero was refused by the rewrites before.
        let mut refused = 0;
        while let Some((range, value)) = decimals(problem.text()).into_iter().nth(number) {
            if value <= refused + 1 {
                break;
            }
            let middle = refused + (value - refused) / 2;
            if !problem.attempt(Edits::new(vec![Edit::replace(range, middle.to_string())]))? {
                refused = middle;
            }
        }
    }
    Ok(())
}

/// The decimal numbers of a text that are small enough to count with.
fn decimals(text: &Text) -> Vec<(Range<u32>, u64)> {
    let mut found = Vec::new();
    for part in text.parts() {
        let bytes = text.slice(&part.range);
        for token in tokens(bytes) {
            let digits = &bytes[token.clone()];
            if !digits.iter().all(u8::is_ascii_digit) {
                continue;
            }
            let value = digits
                .iter()
                .try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
            let range = part.range.start + token.start as u32..part.range.start + token.end as u32;
            found.extend(value.map(|value| (range, value)));
        }
    }
    found
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
