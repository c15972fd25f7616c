//! How fast tests are generated, and at what price: one thread, to memory, with trees.
//!
//! For `cargo xtask bench generate`, one line for each call:
//!
//! - `speed MAIN LEXER START SECONDS` (`-` for no lexer grammar): tests of 100 to 1,000 tokens;
//! - `memory MAIN LEXER START`: what the process holds after 10,000, 100,000 and 1,000,000 small tests.
//!
//! Times are processor time, so a busy machine matters less.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../../parse/benches/parse/allocations.rs"]
mod allocations;

use polysmith_antlr::ReadOptions;
use polysmith_engine::{Test, Worker as _};
use polysmith_generate::{Generator, GeneratorWorker, Options};
use polysmith_random::Draw;
use polysmith_source::Disk;
use polysmith_tree::NodeId;
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;

const LEAST_TOKENS: u32 = 100;
const MOST_TOKENS: u32 = 1_000;
/// Tests before anything counts: the parser and the lexer learn from them.
const WARM_UP: u64 = 500;
/// Tests between two looks at the clock.
const BATCH: u64 = 16;
const SMALL_TOKENS: u32 = 20;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["speed", main, lexer, start, seconds] => {
            let seconds = seconds.parse().expect("a number of seconds");
            speed(main.as_ref(), lexer, start, seconds);
        }
        ["memory", main, lexer, start] => memory(main.as_ref(), lexer, start),
        [] => {}
        _ => println!("usage: speed MAIN LEXER START SECONDS | memory MAIN LEXER START"),
    }
}

fn load(main: &Path, lexer: &str, start: &str, options: Options) -> Generator {
    let lexer = Some(lexer).filter(|lexer| *lexer != "-").map(Into::into);
    let read = polysmith_antlr::read(&Disk, main, &ReadOptions { lexer, ..ReadOptions::default() });
    let options = Options { start: read.grammar.rule_named(start), ..options };
    Generator::new(read.grammar, &options).expect("there is something to generate")
}

/// Makes the test of an index; its tokens and bytes, or zeros where there is none.
fn make(worker: &mut GeneratorWorker<'_>, index: u64, test: &mut Test) -> (usize, usize) {
    test.measures.clear();
    match worker.make(Draw::new(5, index), test) {
        Ok(()) => (test.tree.n_tokens(NodeId::ROOT), test.text.len()),
        Err(_) => (0, 0),
    }
}

/// Milliseconds to load; tests; tokens of a test at 10, 50 and 90 %; tokens and bytes a second; allocations per token;
/// bytes that were held beyond those held before, at most.
fn speed(main: &Path, lexer: &str, start: &str, seconds: f64) {
    let began = processor_time();
    let options = Options { min_tokens: LEAST_TOKENS, max_tokens: Some(MOST_TOKENS), ..Options::default() };
    let generator = load(main, lexer, start, options);
    let loaded = processor_time() - began;
    let mut worker = generator.new_worker();
    let mut test = Test::default();
    for index in 0..WARM_UP {
        make(&mut worker, index, &mut test);
    }
    let mut sizes = Vec::with_capacity(1 << 20);
    let mut bytes = 0;
    let began = processor_time();
    let (spent, allocated) = allocations::count(|| {
        loop {
            for _ in 0..BATCH {
                let (tokens, length) = make(&mut worker, WARM_UP + sizes.len() as u64, &mut test);
                sizes.push(tokens);
                bytes += length;
            }
            let spent = processor_time() - began;
            if spent > seconds {
                return spent;
            }
        }
    });
    let tokens: usize = sizes.iter().sum();
    sizes.sort_unstable();
    let at = |percent: usize| sizes[(sizes.len() - 1) * percent / 100];
    println!(
        "{:.0} {} {} {} {} {:.0} {:.0} {:.5} {}",
        loaded * 1e3,
        sizes.len(),
        at(10),
        at(50),
        at(90),
        tokens as f64 / spent,
        bytes as f64 / spent,
        allocated.calls as f64 / tokens as f64,
        allocated.peak
    );
}

/// Kilobytes that the process holds after each of three numbers of tests.
fn memory(main: &Path, lexer: &str, start: &str) {
    let options = Options { max_tokens: Some(SMALL_TOKENS), ..Options::default() };
    let generator = load(main, lexer, start, options);
    let mut worker = generator.new_worker();
    let mut test = Test::default();
    let mut index = 0;
    let held = [10_000, 100_000, 1_000_000].map(|until| {
        while index < until {
            make(&mut worker, index, &mut test);
            index += 1;
        }
        held_kilobytes().to_string()
    });
    println!("{}", held.join(" "));
}

/// Seconds that this thread has run.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// What the process holds in memory, as Linux tells; 0 elsewhere.
fn held_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
