//! Random bytes for real grammars: no panic, no hang, and everything prints back.
//!
//! Twenty grammars, evenly spread over a collection (a folder with `verdicts.csv`), each with `-n` texts: half are
//! bytes of any value, read as Latin-1, half are pieces of the grammar's own examples with such bytes between them. The
//! rate is `soak-bytes`; ending by a limit, with its message, is a good end, and counted apart.

use super::Args;
use crate::paths;
use crate::rates::Tally;
use crate::table::{Row, Table};
use anyhow::Context as _;
use polysmith_antlr::ReadOptions;
use polysmith_grammar::RuleId;
use polysmith_parse::{Limits, Parser};
use polysmith_random::Stream;
use polysmith_source::Disk;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

const TEXTS: u64 = 10_000;
const GRAMMARS: usize = 20;
const MAX_BYTES: u64 = 200;
const MAX_STEPS: u64 = 20_000_000;

pub(crate) fn run(args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let folder = args.grammars.clone().unwrap_or_else(|| paths::shared().join("data/grammars-v4"));
    let table = Table::read(&folder.join("verdicts.csv"))?;
    let mut names: Vec<&str> = table.rows().map(|row| row.get("grammar")).collect();
    names.dedup();
    let n = GRAMMARS.min(names.len());
    for (at, name) in (0..n).map(|at| names[at * names.len() / n]).enumerate() {
        let rows: Vec<Row<'_>> = table.rows().filter(|row| row.get("grammar") == name).collect();
        let examples = rows.iter().map(|row| std::fs::read(folder.join(row.get("input"))));
        let examples = examples.collect::<Result<Vec<_>, _>>()?;
        let (mut parser, start) = load(&folder, rows[0])?;
        let (mut by_limit, mut slowest) = (0, 0.0_f64);
        let count = args.count.unwrap_or(TEXTS);
        for number in args.from..args.from + count {
            let text = text(&mut Stream::keyed(&[args.seed, at as u64, number]), &examples);
            let begun = Instant::now();
            let problem = problem(&mut parser, start, &text, &mut by_limit);
            slowest = slowest.max(begun.elapsed().as_secs_f64());
            let case = format!("{name} seed {} text {number}", args.seed);
            tally.record("soak-bytes", &case, problem.map(|why| format!("{why}\ninput: {text:?}")));
        }
        println!(
            "{name:<28} {count} texts, {by_limit} ended by a limit, the slowest {:.0} ms",
            slowest * 1e3
        );
    }
    Ok(())
}

fn load(folder: &Path, row: Row<'_>) -> anyhow::Result<(Parser, RuleId)> {
    let folder = folder.join(row.get("grammar"));
    let lexer = Some(row.get("lexer")).filter(|name| !name.is_empty()).map(|name| folder.join(name));
    let options = ReadOptions { lexer, ..ReadOptions::default() };
    let read = polysmith_antlr::read(&Disk, &folder.join(row.get("main")), &options);
    let start = read.grammar.rule_named(row.get("start")).context("the start rule is there")?;
    Ok((Parser::new(read.grammar)?, start))
}

/// Any bytes, or pieces of an example with any bytes between them.
fn text(stream: &mut Stream, examples: &[Vec<u8>]) -> String {
    let mut bytes = Vec::new();
    let pure = stream.chance(1, 2);
    let length = stream.below(MAX_BYTES) as usize;
    while bytes.len() < length {
        match stream.pick(examples) {
            Some(example) if !pure && !example.is_empty() => {
                let from = stream.below(example.len() as u64) as usize;
                let to = (from + stream.below(40) as usize).min(example.len());
                bytes.extend_from_slice(&example[from..to]);
                bytes.extend((0..stream.below(3)).map(|_| stream.below(256) as u8));
            }
            _ => bytes.push(stream.below(256) as u8),
        }
    }
    bytes.into_iter().map(char::from).collect()
}

fn problem(parser: &mut Parser, start: RuleId, text: &str, by_limit: &mut u64) -> Option<String> {
    let limits = Limits { max_steps: MAX_STEPS, ..Limits::default() };
    match catch_unwind(AssertUnwindSafe(|| parser.parse(start, text, &limits))) {
        Err(_) => Some("a panic".to_owned()),
        Ok(Ok(parsed)) => {
            (parsed.tree.to_bytes() != text.as_bytes()).then(|| "it prints back other bytes".to_owned())
        }
        Ok(Err(error)) => {
            *by_limit += u64::from(error.is_limit());
            None
        }
    }
}
