//! Bytes per second on real code, beside tree-sitter's parser of the same language in the same run.

use super::corpus::Sample;
use super::plan::Peer;
use super::subject::Subject;
use anyhow::{Context as _, ensure};
use polysmith_parse::Limits;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const BYTES: usize = 1_000_000;
const ROUNDS: usize = 7;

/// Prints both speeds. The text is real files one after the other; cold is from the grammar's file to the first tree,
/// warm the median of later parses. Both use one thread and wall time.
pub(super) fn measure(
    subject: &Subject,
    samples: &[Sample],
    peer: Option<&Peer>,
    folder: &Path,
) -> anyhow::Result<()> {
    let mut text = String::new();
    for sample in samples {
        text.push_str(&sample.text);
        text.push('\n');
        if text.len() >= BYTES {
            break;
        }
    }
    let megabytes = text.len() as f64 / 1e6;
    let began = Instant::now();
    let mut parser = Subject::load(subject.plan)?.parser()?;
    let mut seconds = Vec::new();
    let mut tokens = 0;
    let mut cold = 0.0;
    for round in 0..=ROUNDS {
        let again = Instant::now();
        let parsed = parser.parse(subject.start, &text, &Limits::default())?;
        match round {
            0 => cold = began.elapsed().as_secs_f64(),
            _ => seconds.push(again.elapsed().as_secs_f64()),
        }
        ensure!(parsed.accepted(), "the files one after the other are not a text of the language");
        tokens = parsed.lexed.tokens.len();
        parser.reuse(parsed);
    }
    seconds.sort_by(f64::total_cmp);
    let warm = seconds[seconds.len() / 2];
    println!("speed on {megabytes:.2} MB, {tokens} tokens");
    println!("    polysmith    cold {:>7.1} MB/s    warm {:>7.1} MB/s", megabytes / cold, megabytes / warm);
    let Some(peer) = peer else { return Ok(()) };
    match measure_peer(&text, folder) {
        Err(error) => println!("missing: {}: {error:#}", peer.package),
        Ok((cold, warm, wrong)) => println!(
            "    tree-sitter  cold {:>7.1} MB/s    warm {:>7.1} MB/s    ({} {}, errors in its tree: {wrong})",
            megabytes / cold,
            megabytes / warm,
            peer.package,
            peer.version
        ),
    }
    Ok(())
}

fn measure_peer(text: &str, folder: &Path) -> anyhow::Result<(f64, f64, bool)> {
    let program = peer_program(folder);
    ensure!(program.is_file(), "it is not built (--fetch builds it)");
    let input = folder.join("speed-input");
    fs::write(&input, text)?;
    let output = Command::new(program).arg(&input).arg(ROUNDS.to_string()).output()?;
    ensure!(output.status.success(), "it failed: {}", String::from_utf8_lossy(&output.stderr));
    let line = String::from_utf8(output.stdout)?;
    let mut words = line.split_whitespace();
    let mut next = || words.next().context("it printed too little");
    Ok((next()?.parse()?, next()?.parse()?, next()?.parse()?))
}

/// Builds the program that parses with tree-sitter, in the corpus folder: the project itself does not depend on it.
pub(super) fn build_peer(peer: &Peer, folder: &Path) -> anyhow::Result<()> {
    if peer_program(folder).is_file() {
        return Ok(());
    }
    let project = folder.join("peer");
    fs::create_dir_all(project.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"peer\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n\
         tree-sitter = \"0.27\"\ngrammar = {{ package = \"{}\", version = \"={}\" }}\n",
        peer.package, peer.version
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/main.rs"), include_str!("peer/main.rs"))?;
    let output = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--target-dir", "target"])
        .current_dir(&project)
        .output()?;
    ensure!(output.status.success(), "cargo failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

fn peer_program(folder: &Path) -> PathBuf {
    folder.join("peer/target/release/peer")
}
