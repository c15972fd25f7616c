//! Checks programs of `mini` with an interpreter that is independent of the specification: it finds no undefined name,
//! no type error, no infinite loop.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod mini;
mod shipped;

use polysmith_attributes::Features;
use polysmith_guarded::Limits;

/// The parts of a file of cases, each with the line after `---`.
fn cases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("--- ").skip(1).map(|case| case.split_once('\n').unwrap())
}

#[test]
fn right_programs_run() {
    for (name, case) in cases(include_str!("mini/right.txt")) {
        let (expected, program) = case.split_once("===\n").unwrap();
        assert_eq!(mini::outcome(program).as_deref(), Ok(expected), "{name}");
    }
}

#[test]
fn wrong_programs_are_refused() {
    for (reason, program) in cases(include_str!("mini/wrong.txt")) {
        let found = mini::problems(program);
        assert!(
            found.iter().any(|problem| problem.contains(reason)),
            "{program}: {found:?}, expected {reason}"
        );
    }
}

#[test]
fn most_programs_without_guards_are_wrong() {
    let programs = shipped::unguarded("mini", Features::None, Limits { height: 4, ..Limits::default() }, 100);
    let wrong = programs.iter().filter(|program| !mini::problems(program).is_empty()).count();
    assert!(wrong >= 95, "{wrong} of 100");
}

#[test]
fn the_interpreter_finds_nothing_wrong() {
    let n = shipped::how_many(300);
    let mut wrong = Vec::new();
    let engine = shipped::engine("mini", Features::None, &[], Limits::default());
    shipped::guarded(&engine, n, |index, program| {
        let problems = mini::problems(program);
        if !problems.is_empty() {
            wrong.push(format!("program {index}: {problems:?}"));
        }
    });
    assert!(wrong.is_empty(), "{} of {n}: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
}
