//! What is chosen how often: weights from a file and from numeric predicates, probabilities, cooldown.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use polysmith_antlr::read_str;
use polysmith_engine::{Engine, Plan, Test, drive};
use polysmith_generate::{Generator, Options, Style};
use polysmith_random::Draw;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

const WORDS: &str = "grammar W; s : w w w w w w w w EOF ; w : 'a' | 'b' | 'c' 'd'* ;";

fn generator(grammar: &str, weights: &str, cooldown: Option<f64>) -> Generator {
    let grammar = read_str("W", grammar).grammar;
    let mut options = Options { style: Style::Compact, cooldown, ..Options::default() };
    if !weights.is_empty() {
        options.read_weights(&grammar, weights).unwrap();
    }
    Generator::new(grammar, &options).unwrap()
}

/// Texts of the indices, by the driver, on this number of threads.
fn texts(generator: &Generator, indices: std::ops::Range<u64>, jobs: usize) -> Vec<String> {
    let mut made = Vec::new();
    let plan = Plan::new(11, indices).jobs(jobs);
    drive(
        generator,
        &plan,
        &AtomicBool::new(false),
        |_| (),
        |delivery| {
            made.push(String::from_utf8(delivery.result.unwrap().0.text.clone()).unwrap());
            ControlFlow::Continue(())
        },
    );
    made
}

/// How often each letter occurs in 250 texts.
fn letters<const N: usize>(generator: &Generator, letters: [char; N]) -> [usize; N] {
    let all = texts(generator, 0..250, 1).concat();
    letters.map(|letter| all.matches(letter).count())
}

#[test]
fn a_file_changes_how_often() {
    let even = letters(&generator(WORDS, r#"{"quants": {"w": {"0": 0}}}"#, None), ['a', 'b']);
    assert!(even[0].abs_diff(even[1]) < 120, "{even:?}");
    let nine = generator(WORDS, r#"{"alts": {"w": {"0": {"0": 9, "2": 0}}}}"#, None);
    let [a, b, c] = letters(&nine, ['a', 'b', 'c']);
    assert!(c == 0 && (a as f64 / b as f64 - 9.0).abs() < 2.0, "{a} {b} {c}");
}

#[test]
fn a_probability_is_that_of_one_more() {
    let often =
        generator(WORDS, r#"{"alts": {"w": {"0": {"0": 0, "1": 0}}}, "quants": {"w": {"0": 0.75}}}"#, None);
    let [c, d] = letters(&often, ['c', 'd']);
    // Three more on average; the limit on tokens takes a little.
    assert!(c == 2000 && (d as f64 / c as f64 - 3.0).abs() < 0.4, "{c} {d}");
}

#[test]
fn a_number_as_a_predicate_is_a_weight_and_multiplies() {
    let grammar = "grammar W; s : w w w w w w w w EOF ; w : {0.25}? 'a' | 'b' | {0}? 'c' ;";
    let [a, b, c] = letters(&generator(grammar, "", None), ['a', 'b', 'c']);
    assert!(c == 0 && (b as f64 / a as f64 - 4.0).abs() < 0.8, "{a} {b} {c}");
    let [a, b, _] =
        letters(&generator(grammar, r#"{"alts": {"w": {"0": {"0": 4}}}}"#, None), ['a', 'b', 'c']);
    assert!((b as f64 / a as f64 - 1.0).abs() < 0.2, "{a} {b}");
}

#[test]
fn cooldown_evens_out_what_weights_do_not() {
    let grammar = "grammar W; s : w w w w w w w w EOF ; w : {0.02}? 'a' | 'b' ;";
    let [plain, _] = letters(&generator(grammar, "", None), ['a', 'b']);
    let [cooled, b] = letters(&generator(grammar, "", Some(0.9)), ['a', 'b']);
    assert!(cooled > 5 * plain && cooled < b, "{plain} {cooled} {b}");
}

#[test]
fn with_cooldown_a_single_test_is_that_of_the_whole_run() {
    let cooled = generator(WORDS, "", Some(0.8));
    let whole = texts(&cooled, 0..200, 1);
    assert_eq!(whole, texts(&cooled, 0..200, 2), "threads do not matter");
    for index in [0, 1, 63, 64, 65, 130, 199] {
        assert_eq!(texts(&cooled, index..index + 1, 1), [whole[index as usize].clone()], "index {index}");
    }
    // The chunk begins afresh: its first test needs nothing before it.
    let mut worker = cooled.worker();
    worker.begin_chunk();
    let mut test = Test::default();
    worker.make(Draw::new(11, 64), &mut test).unwrap();
    assert_eq!(String::from_utf8(test.text).unwrap(), whole[64]);
}

#[test]
fn what_was_written_is_read_again() {
    let grammar = read_str("W", WORDS).grammar;
    let mut options = Options::default();
    options
        .read_weights(&grammar, r#"{"alts": {"w": {"0": {"1": 2.5}}}, "quants": {"w": {"0": 0.1}}}"#)
        .unwrap();
    let written = options.write_weights(&grammar);
    let mut again = Options::default();
    again.read_weights(&grammar, &written).unwrap();
    assert_eq!(again.write_weights(&grammar), written);
    assert_eq!((again.weights.len(), again.repetitions.len()), (3, 1));
}
