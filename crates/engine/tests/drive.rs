//! The guarantees of the driver, tested with an engine that counts: order, independence of `jobs`, chunks, ends.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use polysmith_engine::{Draw, Engine, GenerateError, Plan, Test, Worker, drive};
use polysmith_grammar::{Alt, Builder, Grammar, TokenType};
use polysmith_random::Purpose;
use polysmith_tree::TreeBuilder;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A number of random letters. In a chunk, each test has also the number of tests before it in the chunk.
struct Letters {
    grammar: Grammar,
    token: TokenType,
    chunk: u64,
    fails_at: Option<u64>,
}

impl Letters {
    fn new(chunk: u64) -> Letters {
        let mut b = Builder::new("Letters");
        let token = b.token("WORD");
        let s = b.rule("s");
        b.body(s, [Alt::of([token.into()])]);
        Letters { grammar: b.finish(), token, chunk, fails_at: None }
    }
}

impl Engine for Letters {
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Hands { engine: self, builder: TreeBuilder::new(), before: 0 })
    }

    fn chunk(&self) -> u64 {
        self.chunk
    }
}

struct Hands<'a> {
    engine: &'a Letters,
    builder: TreeBuilder,
    before: u64,
}

impl Worker for Hands<'_> {
    fn begin_chunk(&mut self) {
        self.before = 0;
    }

    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        if self.engine.fails_at == Some(draw.index) {
            return Err(GenerateError::Failed("as told".into()));
        }
        let mut stream = draw.stream(Purpose::Text);
        let letters = (0..=stream.below(20)).map(|_| (b'a' + stream.below(26) as u8) as char);
        let before = if self.engine.chunk > 1 { self.before } else { 0 };
        let word = format!("{}{before}", letters.collect::<String>());
        self.before += 1;
        self.builder.open_rule(self.engine.grammar.start().unwrap(), 1);
        self.builder.token(self.engine.token, word.as_bytes());
        self.builder.close();
        test.take(&mut self.builder);
        Ok(())
    }
}

fn run(engine: &Letters, indices: Range<u64>, jobs: usize) -> Vec<String> {
    let mut made = Vec::new();
    let plan = Plan::new(5, indices).jobs(jobs);
    drive(
        engine,
        &plan,
        &AtomicBool::new(false),
        |finished| finished.index,
        |delivery| {
            made.push(match delivery.result {
                Ok((test, finished_index)) => {
                    assert_eq!(finished_index, delivery.index);
                    format!("{} {}", delivery.index, String::from_utf8_lossy(&test.text))
                }
                Err(trouble) => format!("{} {trouble:?}", delivery.index),
            });
            ControlFlow::Continue(())
        },
    );
    made
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for chunk in [1, 7, 64] {
        let engine = Letters::new(chunk);
        let alone = run(&engine, 0..300, 1);
        assert_eq!(alone.len(), 300);
        for jobs in [2, 3, 8] {
            assert_eq!(run(&engine, 0..300, jobs), alone, "chunk {chunk}, {jobs} jobs");
        }
    }
}

#[test]
fn a_single_index_is_what_it_is_in_the_whole_run() {
    for chunk in [1, 64, u64::MAX] {
        let engine = Letters::new(chunk);
        let all = run(&engine, 0..200, 2);
        for index in [0, 63, 64, 130, 199] {
            for jobs in [1, 2] {
                assert_eq!(
                    run(&engine, index..index + 1, jobs),
                    [all[index as usize].clone()],
                    "chunk {chunk}"
                );
            }
        }
    }
}

#[test]
fn a_failed_test_is_delivered_in_its_place() {
    let engine = Letters { fails_at: Some(41), ..Letters::new(1) };
    let made = run(&engine, 40..43, 2);
    assert!(made[1].starts_with("41 Failed"), "{made:?}");
    assert_eq!(made.len(), 3);
}

#[test]
fn the_caller_can_end_an_endless_run() {
    for jobs in [1, 2] {
        let mut delivered = Vec::new();
        let plan = Plan::new(5, 0..u64::MAX).jobs(jobs);
        drive(
            &Letters::new(1),
            &plan,
            &AtomicBool::new(false),
            |_| (),
            |delivery| {
                delivered.push(delivery.index);
                if delivered.len() == 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(delivered, (0..1000).collect::<Vec<u64>>());
    }
}

#[test]
fn the_flag_ends_an_endless_run() {
    for jobs in [1, 2] {
        let stop = AtomicBool::new(false);
        let plan = Plan::new(5, 0..u64::MAX).jobs(jobs);
        drive(
            &Letters::new(1),
            &plan,
            &stop,
            |_| (),
            |delivery| {
                stop.store(delivery.index >= 100, Ordering::Relaxed);
                ControlFlow::Continue(())
            },
        );
    }
}

/// Everything that `finish` has seen is delivered, so that everything it wrote is counted.
#[test]
fn what_was_finished_before_the_flag_is_delivered() {
    let stop = AtomicBool::new(false);
    let finished = AtomicU64::new(0);
    let plan = Plan::new(5, 0..u64::MAX).jobs(4);
    let mut delivered = Vec::new();
    drive(
        &Letters::new(1),
        &plan,
        &stop,
        |_| stop.store(finished.fetch_add(1, Ordering::SeqCst) >= 500, Ordering::SeqCst),
        |delivery| {
            delivered.push(delivery.index);
            ControlFlow::Continue(())
        },
    );
    assert_eq!(delivered.len() as u64, finished.load(Ordering::SeqCst));
    assert!(delivered.is_sorted());
}

/// Workers are never far ahead, however slow the delivery is.
#[test]
fn the_tests_that_wait_are_bounded() {
    let made = AtomicU64::new(0);
    let plan = Plan::new(5, 0..20_000).jobs(2);
    let mut most_ahead = 0;
    let count = |_: polysmith_engine::Finished<'_>| made.fetch_add(1, Ordering::SeqCst);
    drive(&Letters::new(1), &plan, &AtomicBool::new(false), count, |delivery| {
        most_ahead = most_ahead.max(made.load(Ordering::SeqCst).saturating_sub(delivery.index));
        if delivery.index % 64 == 0 {
            std::thread::yield_now();
        }
        ControlFlow::Continue(())
    });
    assert!(most_ahead <= 2 * 4 * 16 + 16, "{most_ahead} tests waited");
}

#[test]
fn a_panic_in_a_worker_ends_the_run() {
    let run = std::panic::catch_unwind(|| {
        let plan = Plan::new(5, 0..u64::MAX).jobs(2);
        let fall = |finished: polysmith_engine::Finished<'_>| assert!(finished.index < 50, "as told");
        drive(&Letters::new(1), &plan, &AtomicBool::new(false), fall, |_| ControlFlow::Continue(()));
    });
    assert!(run.is_err());
}
