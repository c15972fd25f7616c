//! Compares function calls and collections with Lua 5.1 and Python, the same programs in one run.
//!
//! `cargo bench -p polysmith-lala --bench values` prints a table of seconds (the best of three) and ratios. Peers that
//! are not installed are omitted, and the table says so. All three report processor time, so a busy machine matters
//! less; where the system does not report it, it is wall-clock time.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

use polysmith_lala::read;
use polysmith_source::Memory;
use polysmith_value::{Limits, Machine, NoExternals, Program};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

const TASKS: [&str; 5] = ["calls", "lists", "scopes", "lookups", "visible"];
const REPEAT: usize = 3;

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/values");
    let program = program(&folder);
    let ours: Vec<(f64, String)> = TASKS.iter().map(|task| measure(&program, task)).collect();
    let lua = peer(Command::new("lua5.1").arg(folder.join("values.lua")));
    let python = peer(Command::new("python3").arg(folder.join("values.py")));
    println!(
        "{:<10}{:>12}{:>12}{:>8}{:>12}{:>8}",
        "task", "polysmith", "lua 5.1", "ratio", "python 3", "ratio"
    );
    for (task, (seconds, result)) in TASKS.iter().zip(&ours) {
        print!("{task:<10}{:>10.1}ms", seconds * 1e3);
        for peer in [&lua, &python] {
            match peer.get(*task) {
                Some((other, found)) => {
                    assert_eq!(found, result, "{task}: the peer computes something else");
                    print!("{:>10.1}ms{:>7.2}x", other * 1e3, other / seconds);
                }
                None => print!("{:>12}{:>8}", "absent", ""),
            }
        }
        println!();
    }
}

/// The program of the bench; a class makes a spec of it.
fn program(folder: &std::path::Path) -> Program {
    let text = std::fs::read_to_string(folder.join("values.lala")).expect("it lies beside this file");
    let files = Memory::default().with("values.lala", (text + "class Main(\"x\");").as_bytes());
    let loaded = read(&files, "values.lala".as_ref());
    loaded.spec.expect("the bench's own program has no errors").program
}

fn measure(program: &Program, task: &str) -> (f64, String) {
    let function = program.function("values", task).expect("a function of the bench");
    let mut machine = Machine::new(Limits { steps: u64::MAX, ..Limits::default() });
    let mut best = (f64::INFINITY, String::new());
    for _ in 0..REPEAT {
        let (start, cpu) = (Instant::now(), processor_time());
        let value = program.call(function, &mut [], &mut machine, &mut NoExternals);
        let clock = start.elapsed().as_secs_f64();
        let seconds = cpu.zip(processor_time()).map_or(clock, |(from, to)| to - from);
        let value = value.expect("it computes a number");
        best = (seconds.min(best.0), program.shapes().show(&value));
    }
    best
}

/// The processor time of this thread in seconds, if Linux reports it.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

/// Lines of task, seconds and result.
fn peer(command: &mut Command) -> BTreeMap<String, (f64, String)> {
    let Ok(output) = command.arg(REPEAT.to_string()).output() else { return BTreeMap::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |line: &str| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), (words.next()?.parse().ok()?, words.next()?.to_owned())))
    };
    text.lines().filter_map(line).collect()
}
