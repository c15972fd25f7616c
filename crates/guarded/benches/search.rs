//! Measures nodes per second in one thread: Figure 3 with the guarded variable, and `mini`, small and large programs.
//!
//! `cargo bench -p polysmith-guarded --bench search` prints a table. A node is one instance of a class, including its
//! attributes, without printing; `-- mini` or `-- figure3` measures one of them. `-- alternatives` prints instead the
//! number of alternatives that Figure 3 needs with general and with specific fail patterns over 100 seeds, `-- jobs`
//! the speed-up of two threads, `-- leaks` the memory after 1,000 and after 10,000 programs. Times are processor times
//! where the system reports them.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

use polysmith_attributes::{Features, Machine, Selection, Spec, print};
use polysmith_engine::{Delivery, Engine, Plan, Test, drive};
use polysmith_guarded::{Answer, Counters, FailPatterns, Guarded, Limits, Search};
use polysmith_random::Draw;
use polysmith_source::Disk;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The languages, with the weights that make their programs as long as the limit of nodes allows.
const LARGE: [(&str, &[(&str, u32)]); 2] = [
    ("figure3", &[("StmtList.mult", 100_000)]),
    (
        "mini",
        &[("Stmts.more", 100_000), ("Globals.more", 100_000), ("Action.if", 30), ("Action.if_else", 30)],
    ),
];

fn main() {
    let words: Vec<String> = std::env::args().collect();
    for (word, task) in [("alternatives", alternatives as fn()), ("jobs", jobs), ("leaks", leaks)] {
        if words.iter().any(|given| given == word) {
            return task();
        }
    }
    println!(
        "{:<10}{:>9}{:>9}{:>12}{:>12}{:>11}{:>11}{:>9}{:>9}",
        "language", "programs", "nodes", "nodes/s", "printed/s", "eq/node", "alt/node", "refused", "restarts"
    );
    for (name, weights) in LARGE {
        let others =
            LARGE.iter().any(|(other, _)| *other != name && words.iter().any(|given| given == other));
        if !others {
            speed(name, 400, 2_000, weights);
            speed(name, 8, 100_000, weights);
        }
    }
}

fn spec_of(name: &str) -> Spec {
    let path = format!("{}/../../languages/{name}/{name}.lala", env!("CARGO_MANIFEST_DIR"));
    let loaded = polysmith_lala::read(&Disk, Path::new(&path));
    loaded.spec.expect("shipped specs have no errors")
}

/// A built-in language with longer lists: `nodes` is the size at which programs end.
fn engine(name: &str, nodes: usize, weights: &[(&str, u32)]) -> Guarded {
    let spec = spec_of(name);
    let mut selection = Selection::new(&spec, Features::None);
    for (production, weight) in weights {
        selection.set(spec.production_named(production).expect("a production of the language"), *weight);
    }
    Guarded::new(spec, selection, Limits { nodes, ..Limits::default() }, Search::default())
}

fn speed(name: &str, programs: u64, nodes: usize, weights: &[(&str, u32)]) {
    let engine = engine(name, nodes, weights);
    let mut solver = engine.solver();
    let mut machine = Machine::default();
    let mut total = Counters::default();
    let (mut searching, mut printing) = (0.0, 0.0);
    for index in 0..programs {
        let mut draw = Draw::new(1, index);
        loop {
            let start = now();
            let answer = solver.attempt(draw);
            total.add(&solver.counters());
            searching += now() - start;
            if let Answer::Solved(derivation, evaluation) = answer {
                let start = now();
                std::hint::black_box(print(engine.spec(), &derivation, &evaluation, &mut machine));
                printing += now() - start;
                break;
            }
            draw = draw.retry();
            total.restarts += 1;
        }
    }
    let per_node = |count: u64| count as f64 / total.nodes as f64;
    println!(
        "{name:<10}{programs:>9}{:>9}{:>12.0}{:>12.0}{:>11.2}{:>11.3}{:>9.2}{:>9}",
        total.nodes / programs,
        total.nodes as f64 / searching,
        total.nodes as f64 / (searching + printing),
        per_node(total.equations),
        per_node(total.alternatives),
        per_node(total.refused),
        total.restarts
    );
}

/// With fail patterns alone: no memory, no hoisting.
fn alternatives() {
    for fail_patterns in [FailPatterns::General, FailPatterns::Specific] {
        let spec = spec_of("figure3");
        let selection = Selection::new(&spec, Features::None);
        let search = Search {
            fail_patterns,
            memory: false,
            hoist: false,
            max_alternatives: 200_000,
            ..Search::default()
        };
        let engine = Guarded::new(spec, selection, Limits::default(), search);
        let mut solver = engine.solver();
        let mut gave_up = 0;
        let mut counts: Vec<u64> = (0..100)
            .map(|seed| {
                gave_up += u32::from(!matches!(solver.attempt(Draw::new(seed, 0)), Answer::Solved(..)));
                solver.counters().alternatives
            })
            .collect();
        counts.sort_unstable();
        println!(
            "{fail_patterns:?}: median {}, p99 {}, max {}; {gave_up} of 100 gave up at 200,000",
            counts[49], counts[98], counts[99]
        );
    }
}

/// The same programs with one thread and with two, by the clock.
fn jobs() {
    for (name, weights) in LARGE {
        let engine = engine(name, 2_000, weights);
        let run = |jobs| {
            let (start, mut texts) = (Instant::now(), Vec::new());
            let keep = |delivery: Delivery<'_, ()>| {
                texts.push(delivery.result.map(|(test, ())| test.text.clone()).unwrap_or_default());
                ControlFlow::Continue(())
            };
            drive(&engine, &Plan::new(1, 0..600).jobs(jobs), &AtomicBool::new(false), |_| (), keep);
            (start.elapsed().as_secs_f64(), texts)
        };
        let (one, two) = (run(1), run(2));
        assert!(one.1 == two.1, "the programs differ");
        println!(
            "{name}: {:.2} s with one thread, {:.2} s with two: {:.2} times as fast",
            one.0,
            two.0,
            one.0 / two.0
        );
    }
}

/// Resident pages of memory after more and more programs, if Linux reports them.
fn leaks() {
    let engine = engine("mini", 2_000, &[]);
    let mut worker = engine.worker();
    let mut test = Test::default();
    for index in 0..10_000 {
        let _ = worker.make(Draw::new(1, index), &mut test);
        if [999, 4_999, 9_999].contains(&index) {
            let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
            println!("after {} programs: {} pages", index + 1, told.split(' ').nth(1).unwrap_or("?"));
        }
    }
}

/// The processor time of this thread in seconds if Linux reports it, otherwise the wall-clock time.
fn now() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(Instant::elapsed).as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
