//! Overlapping windows of tokens.

use super::{define_pass, tokens::token_run};
use crate::minimize::Windows as Overlapping;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Deletes every run of 2 to 8 neighbouring tokens, at every place.
    ///
    /// Finds what must go together and no structure shows: a cast, an operator with its operand, a type of two words.
    /// Costs a question per token and length, so it runs late.
    Windows, "windows", Late, run
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        for length in 2..=8 {
            problem.minimize_by(&Overlapping(length), token_run(problem.text(), file), &mut ())?;
        }
    }
    Ok(())
}
