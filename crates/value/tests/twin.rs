//! Compares the machine with a naive evaluator on random well-typed programs.
//!
//! Programs are built as syntax, so checking and compiling are tested too: the generated programs are well-typed, so
//! every diagnostic of the checker is a failure.

#[path = "twin/naive.rs"]
mod naive;
#[path = "twin/programs.rs"]
mod programs;

use polysmith_source::{Diagnostics, Severity};
use polysmith_value::{Checker, EntryId, Machine, NoExternals, Origin, Program};
use programs::Generated;
use proptest::prelude::*;

fn compile(generated: &Generated) -> (Program, Vec<EntryId>) {
    let mut found = Diagnostics::default();
    let mut checker = Checker::new();
    checker.add(programs::list_module(generated.span), Origin::Core);
    let module = checker.add(generated.module.clone(), Origin::User);
    checker.declare(&mut found);
    let entries = generated
        .expressions
        .iter()
        .map(|expr| checker.expr(module, *expr, None, &mut |_| unreachable!("no externals"), &mut found).id)
        .collect();
    let program = checker.finish(&mut found).expect("the programs are right");
    let errors: Vec<&String> =
        found.iter().filter(|d| d.severity == Severity::Error).map(|d| &d.message).collect();
    assert_eq!(errors, Vec::<&String>::new());
    (program, entries)
}

fn agree(seed: u64) {
    let generated = programs::generate(seed);
    let (program, entries) = compile(&generated);
    let mut machine = Machine::default();
    for entry in entries {
        let fast = program.eval(entry, &mut machine, &mut NoExternals).map_err(|failure| failure.kind);
        let slow = naive::eval(&program, entry);
        assert_eq!(fast, slow, "seed {seed}");
    }
}

#[test]
fn machine_and_naive_evaluator_agree_on_fixed_seeds() {
    (0..150).for_each(agree);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn machine_and_naive_evaluator_agree(seed: u64) {
        agree(seed);
    }
}
