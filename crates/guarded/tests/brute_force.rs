//! Compares the engine with brute force: on small specifications every valid program is known, and the engine must
//! find each of them and nothing else, with every combination of its options.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod agree;
mod brute;

use brute::{Case, Known, cases, compare};
use polysmith_guarded::FailPatterns;

#[test]
fn brute_force_finds_what_the_specs_say() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} specs", cases.len());
    let wrong = |case: &Case| {
        let Known { lines, texts, faults } = Known::of(case);
        let other_texts = case.texts.as_ref().is_some_and(|said| *said != texts);
        let differs = lines.len() != case.n_trees || other_texts || faults != case.faults;
        differs.then(|| format!("{}: {} trees {texts:?}, faults {faults}", case.name, lines.len()))
    };
    let wrong: Vec<String> = cases.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_fail_patterns() {
    check(FailPatterns::Off);
}

#[test]
fn with_specific_fail_patterns() {
    check(FailPatterns::Specific);
}

#[test]
fn with_general_fail_patterns() {
    check(FailPatterns::General);
}

/// All specifications with all other options on and off. `SPEC=name` selects the specifications whose names contain it.
#[track_caller]
fn check(fail_patterns: FailPatterns) {
    let only = std::env::var("SPEC").unwrap_or_default();
    let mut wrong = Vec::new();
    for case in cases().into_iter().filter(|case| case.name.contains(&only)) {
        let (known, name) = (Known::of(&case), case.name.clone());
        let differences = compare::every_switch(case, &known, fail_patterns);
        wrong.extend(differences.into_iter().map(|why| format!("{name}: {why}")));
    }
    assert!(wrong.is_empty(), "{} of the runs:\n{}", wrong.len(), wrong.join("\n"));
}
