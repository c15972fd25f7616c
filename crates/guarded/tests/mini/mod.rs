//! The language `mini`, written from its README: tokens, syntax, static checks, execution.
//!
//! Nothing here comes from the specification that generates programs: this is an independent implementation.
//! [`problems`] returns everything that is wrong with a text: it does not parse, a name is undefined, types differ, a
//! function does not return, the program does not end.

mod check;
mod lex;
mod parse;
mod run;
mod syntax;

/// A program that takes more steps is considered infinite.
pub(crate) const STEPS: u64 = 5_000_000;

/// What a program printed, or what is wrong with it, one line each.
pub(crate) fn outcome(text: &str) -> Result<String, Vec<String>> {
    let program =
        lex::tokens(text).and_then(|tokens| parse::program(&tokens)).map_err(|error| vec![error])?;
    let problems = check::problems(&program);
    if !problems.is_empty() {
        return Err(problems);
    }
    run::output(&program, STEPS).map_err(|error| vec![error])
}

/// What is wrong with a program.
pub(crate) fn problems(text: &str) -> Vec<String> {
    outcome(text).err().unwrap_or_default()
}
