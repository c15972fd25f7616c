//! `cargo xtask bench generate [DIR]`: how fast tests of a hundred tokens and more are generated.
//!
//! One thread, to memory, with trees, borders and the parser's choices cared for. DIR is a collection (a folder with
//! `grammars.csv`). Sizes are drawn as always: all orders of magnitude between the limits are as likely; the table
//! shows what came of it.

use crate::paths;
use crate::table::{Row, Table};
use anyhow::Context as _;
use polysmith_antlr::ReadOptions;
use polysmith_engine::{Test, Worker as _};
use polysmith_generate::{Generator, Options};
use polysmith_random::Draw;
use polysmith_source::Disk;
use polysmith_tree::NodeId;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measure generation from ANTLR grammars
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The collection; by default that of `../shared`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The grammars
    #[arg(long, value_name = "NAME", default_values = ["json", "c", "java_java", "golang"])]
    grammar: Vec<String>,
    /// Seconds for each
    #[arg(long, value_name = "N", default_value_t = 3)]
    seconds: u64,
}

const LEAST_TOKENS: u32 = 100;
const MOST_TOKENS: u32 = 1_000;
/// Tests between two looks at the clock.
const BATCH: u64 = 16;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let folder = args.folder.clone().unwrap_or_else(|| paths::shared().join("data/grammars-v4"));
    let table = Table::read(&folder.join("grammars.csv")).context("no collection to measure with")?;
    println!("grammar      load ms   tests  tokens a test: 10 %  half  90 %   tokens/s    MiB/s");
    for row in table.rows().filter(|row| args.grammar.iter().any(|name| name == row.get("grammar"))) {
        measure(&folder, row, Duration::from_secs(args.seconds))?;
    }
    Ok(true)
}

fn measure(collection: &Path, row: Row<'_>, time: Duration) -> anyhow::Result<()> {
    let name = row.get("grammar");
    let folder = collection.join(name);
    let lexer = Some(row.get("lexer")).filter(|name| !name.is_empty()).map(|name| folder.join(name));
    let options = ReadOptions { lexer, ..ReadOptions::default() };
    let began = Instant::now();
    let read = polysmith_antlr::read(&Disk, &folder.join(row.get("main")), &options);
    let options = Options {
        start: read.grammar.rule_named(row.get("start")),
        min_tokens: LEAST_TOKENS,
        max_tokens: Some(MOST_TOKENS),
        ..Options::default()
    };
    let generator =
        Generator::new(read.grammar, &options).with_context(|| format!("cannot compile {name}"))?;
    let load = began.elapsed();
    let mut worker = generator.hands();
    let mut test = Test::default();
    let (mut sizes, mut bytes) = (Vec::new(), 0);
    let began = Instant::now();
    while began.elapsed() < time {
        for _ in 0..BATCH {
            test.measures.clear();
            if worker.make(Draw::new(5, sizes.len() as u64), &mut test).is_ok() {
                bytes += test.text.len();
                sizes.push(test.tree.n_tokens(NodeId::ROOT));
            } else {
                sizes.push(0);
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let tokens: usize = sizes.iter().sum();
    sizes.sort_unstable();
    let at = |percent: usize| sizes[(sizes.len() - 1) * percent / 100];
    println!(
        "{name:<12} {:>7.0} {:>7} {:>20} {:>5} {:>5} {:>10.0} {:>8.2}",
        load.as_secs_f64() * 1e3,
        sizes.len(),
        at(10),
        at(50),
        at(90),
        tokens as f64 / seconds,
        bytes as f64 / seconds / f64::from(1 << 20)
    );
    Ok(())
}
