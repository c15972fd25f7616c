//! The engine against brute force: on small specs every valid program is known, and the engine must find each of
//! them and nothing else.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod brute;

use brute::{Case, cases, enumerate::programs};
use polysmith_attributes::{Evaluator, Machine, print};
use std::collections::BTreeSet;

/// What brute force finds, without repetition.
struct Known {
    lines: BTreeSet<String>,
    texts: Vec<String>,
    faults: bool,
}

fn known(case: &Case) -> Known {
    let found = programs(&case.spec, &case.selection, case.limits.height);
    let mut lines = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for mut derivation in found.valid {
        lines.insert(case.line(&derivation));
        let mut machine = Machine::default();
        let evaluation = Evaluator::new(&case.spec, &mut derivation).run(&mut machine, &mut ());
        let printed = print(&case.spec, &derivation, &evaluation, &mut machine);
        texts.insert(String::from_utf8(printed.tree.to_bytes()).unwrap());
    }
    Known { lines, texts: texts.into_iter().collect(), faults: found.faults }
}

#[test]
fn brute_force_finds_what_the_specs_say() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} specs", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let Known { lines, texts, faults } = known(case);
        let other_texts = case.texts.as_ref().is_some_and(|said| *said != texts);
        if lines.len() != case.n_trees || other_texts || faults != case.faults {
            wrong.push(format!("{}: {} trees {texts:?}, faults {faults}", case.name, lines.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
