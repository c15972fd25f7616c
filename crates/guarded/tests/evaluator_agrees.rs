//! The reference evaluator recomputes every attribute of complete programs: the engine's values are the same, and
//! every guard is true. `PROGRAMS=1000` checks more programs.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod agree;
mod shipped;

use polysmith_attributes::Features;
use polysmith_guarded::{Answer, Limits};
use polysmith_random::Draw;

#[track_caller]
fn check(language: &str, features: Features<'_>, without: &[&str]) {
    let n = shipped::how_many(100);
    let engine = shipped::engine(language, features, without, Limits::default());
    let mut solver = engine.solver();
    let mut solved = 0;
    for index in 0..n {
        if let Answer::Solved(derivation, evaluation) = solver.attempt(Draw::new(23, index)) {
            let result = agree::compare(engine.spec(), &derivation, &evaluation);
            assert_eq!(result, Ok(()), "{language}, program {index}");
            solved += 1;
        }
    }
    // A first attempt may exhaust its budget, but only rarely.
    assert!(solved * 100 >= n * 99, "{solved} of {n}");
}

#[test]
fn on_figure_3_with_guarded_variables() {
    check("figure3", Features::None, &[]);
}

#[test]
fn on_figure_3_with_generated_variables() {
    check("figure3", Features::All, &["Expr.use_var"]);
}

#[test]
fn on_mini() {
    check("mini", Features::None, &[]);
}
