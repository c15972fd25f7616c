//! Overlapping windows of tokens.

use super::{define_pass, tokens::token_run};
use crate::edit::{Edits, Shift};
use crate::lex::closer;
use crate::list::{Elements, Follow, Run};
use crate::measure::tokens;
use crate::minimize::{Choice, Shape, Windows as Overlapping};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Deletes every run of 2 to 8 neighbouring tokens, at every place.
    ///
    /// Finds what must go together and no structure shows: a cast, an operator with its operand, a type of two words.
    /// As long as the brackets of the text match, runs that would leave one without its partner are passed over.
    /// Costs up to a question per token and length, so it runs late.
    "windows", Late, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        for length in 2..=8 {
            let text = problem.text();
            let balanced = is_balanced(text.slice(&text.parts()[file].range));
            let elements = Neighbours { run: token_run(text, file), balanced };
            problem.minimize_by(&Overlapping(length), elements, &mut ())?;
        }
    }
    Ok(())
}

/// Tokens, of which only runs with matching brackets go if `balanced`.
struct Neighbours {
    run: Run,
    balanced: bool,
}

impl Elements for Neighbours {
    fn shape(&self) -> Shape {
        self.run.shape()
    }

    fn edits(&mut self, text: &Text, choice: &Choice) -> Option<Edits> {
        let Choice::Delete(gone) = choice else { return self.run.edits(text, choice) };
        let matches = || is_balanced(text.slice(&self.run.range(gone)));
        if self.balanced && !matches() { None } else { self.run.edits(text, choice) }
    }

    fn accept(&mut self, choice: &Choice, edits: &Edits) {
        self.run.accept(choice, edits);
    }
}

impl Follow for Neighbours {
    fn shift(&mut self, shift: &Shift) {
        self.run.shift(shift);
    }
}

/// Whether every bracket outside of quotes has its partner.
fn is_balanced(text: &[u8]) -> bool {
    let mut open = Vec::new();
    for token in tokens(text) {
        match text[token.start] {
            byte @ (b'(' | b'[' | b'{') => open.push(closer(byte)),
            byte @ (b')' | b']' | b'}') if open.pop() != Some(byte) => return false,
            _ => {}
        }
    }
    open.is_empty()
}
