//! Pairs of brackets and tags.

use super::define_pass;
use crate::edit::{Edit, Edits};
use crate::lex::{LexemeKind, is_markup, lex};
use crate::list::{Hints, glued};
use crate::measure::is_space;
use crate::problem::Problem;
use crate::question::Stop;

define_pass! {
    /// Takes groups apart: the group goes, its content goes, its brackets go, or it becomes `;` or `0` (`<a/>`).
    ///
    /// Looks at every pair of `()`, `[]`, `{}` and at every pair of tags, the outer ones first.
    "brackets", Always, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    for form in [Form::Gone, Form::Hollow, Form::Closed, Form::Unwrapped, Form::Ended, Form::Zero] {
        let mut hints = Vec::new();
        let text = problem.text();
        for part in text.parts() {
            let slice = text.slice(&part.range);
            let markup = is_markup(slice);
            let lexemes = lex(slice, part.range.start, markup);
            for open in lexemes.iter() {
                let Some(close) = open.partner.map(|partner| &lexemes[partner as usize]) else { continue };
                let (whole, inside) = (open.range.start..close.range.end, open.range.end..close.range.start);
                let edits = match form {
                    Form::Gone => vec![glued(text, whole)],
                    Form::Hollow => vec![Edit::delete(inside)],
                    Form::Unwrapped => {
                        vec![glued(text, open.range.clone()), glued(text, close.range.clone())]
                    }
                    Form::Closed
                        if open.kind == LexemeKind::Open
                            && text.slice(&inside).iter().all(|byte| is_space(*byte)) =>
                    {
                        vec![Edit::replace(open.range.end - 1..close.range.end, "/>")]
                    }
                    Form::Closed => continue,
                    Form::Ended if markup || open.kind != LexemeKind::Mark(b'{') => continue,
                    Form::Ended => vec![Edit::replace(whole, ";")],
                    Form::Zero if markup || open.kind == LexemeKind::Mark(b'{') => continue,
                    Form::Zero => vec![Edit::replace(whole, "0")],
                };
                hints.extend(Edits::new(edits));
            }
        }
        // A sweep starts at the end of the list: with the outermost, last groups.
        problem.sweep(Hints { hints })?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Form {
    Gone,
    Hollow,
    /// `<a></a>` becomes `<a/>`.
    Closed,
    Unwrapped,
    /// `f() { … }` becomes `f();`.
    Ended,
    Zero,
}
