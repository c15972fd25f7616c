//! The search: what it finds is valid by the plain evaluator, and it finds it in few alternatives.

#![allow(clippy::unwrap_used, reason = "a test may")]

use polysmith_attributes::{Features, Selection, Spec, evaluate};
use polysmith_guarded::{Answer, Counters, FailPatterns, Guarded, Limits, Search};
use polysmith_random::Draw;
use polysmith_source::{Disk, Files, Memory, render};
use std::path::Path;

fn spec_of(path: &Path, files: &dyn Files) -> Spec {
    let loaded = polysmith_lala::load(path, files);
    let shown = render::human(&loaded.sources, &loaded.diagnostics, &render::Style::plain());
    loaded.spec.unwrap_or_else(|| panic!("{shown}"))
}

fn shipped(name: &str) -> Spec {
    let path = format!("{}/../../languages/{name}/{name}.lala", env!("CARGO_MANIFEST_DIR"));
    spec_of(Path::new(&path), &Disk)
}

fn written(text: &str) -> Spec {
    spec_of(Path::new("t.lala"), &Memory::default().with("t.lala", text))
}

fn engine(spec: Spec, search: Search) -> Guarded {
    let selection = Selection::new(&spec, Features::None);
    Guarded::new(spec, selection, Limits::default(), search)
}

/// Every switch in every position.
fn ablations() -> impl Iterator<Item = Search> {
    (0..24).map(|bits| Search {
        fail_patterns: [FailPatterns::Off, FailPatterns::Specific, FailPatterns::General][bits / 8],
        memory: bits & 1 != 0,
        hoist: bits & 2 != 0,
        pattern_index: bits & 4 != 0,
        max_alternatives: 20_000,
        ..Search::default()
    })
}

/// Solves programs and recomputes each from scratch.
fn solve_all(engine: &Guarded, seeds: std::ops::Range<u64>) -> Vec<Counters> {
    let mut solver = engine.solver();
    let mut one = |seed| {
        let answer = solver.attempt(Draw::new(seed, 0));
        let Answer::Solved(derivation, evaluation) = answer else { panic!("seed {seed}: {answer:?}") };
        let again = evaluate(engine.spec(), &derivation);
        assert!(again.is_valid(), "seed {seed}: {}", again.failures[0].message(engine.spec()));
        for (node, instance) in derivation.nodes.iter().enumerate() {
            let class = engine.spec().production(instance.production).class;
            for attribute in 0..engine.spec().class(class).attributes.len() as u32 {
                assert_eq!(evaluation.value(node, attribute), again.value(node, attribute), "seed {seed}");
            }
        }
        solver.counters()
    };
    seeds.map(&mut one).collect()
}

#[test]
fn the_evaluator_agrees_with_every_program() {
    for name in ["figure3", "mini"] {
        solve_all(&engine(shipped(name), Search::default()), 0..200);
    }
}

#[test]
fn every_ablation_finds_valid_programs() {
    for search in ablations() {
        let n = if search.fail_patterns == FailPatterns::General { 30 } else { 5 };
        let mut solver_engine = engine(shipped("figure3"), search.clone());
        solve_all(&solver_engine, 0..n);
        if search.fail_patterns == FailPatterns::General {
            solver_engine = engine(shipped("mini"), search);
            solve_all(&solver_engine, 0..n);
        }
    }
}
