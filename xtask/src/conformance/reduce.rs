//! Reduction by grammar: what was asked, parsed afterwards, and two cases with real compilers.
//!
//! Rates: `reduce-candidates` (a case of the data folder whose recorded candidates, with `--beyond-grammar=never`, have
//! no more errors than the text that they were made from; the share of tokens outside the tree is printed beside it),
//! `reduce-minimal` (a case of our own whose result still says yes, and no node of it can go or be replaced by
//! something below it). A case whose programs are not installed is told and not counted.
//!
//! Needs the release binary.

use super::Setting;
use crate::compare::cases::{self, Case, Where};
use crate::compare::tree_minimal;
use crate::paths;
use crate::rates::Tally;
use anyhow::{Context as _, ensure};
use polysmith_antlr::ReadOptions;
use polysmith_naive::Checker;
use polysmith_reduce::passes::PASSES;
use polysmith_source::Disk;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The questions of each recorded run: every candidate is kept whole.
const QUESTIONS: u64 = 300;

/// The bytes that a recorded run may take if no question gets a yes; a long input gets fewer questions.
const RECORDED_BYTES: u64 = 1 << 29;

/// Cases of our own that call programs: folder, grammar, program.
const OWN_CASES: &[(&str, &str, &str)] = &[
    ("java-dead-code", "java_java/JavaParser.g4", "ecj"),
    ("xml-attribute-twice", "xml/XMLParser.g4", "xmllint"),
];

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    let place = Where::default();
    let binary = place.binary()?;
    for name in place.names()?.iter().filter(|name| setting.wants(name)) {
        let case = place.case(name)?;
        let problem = record(&binary, &case).unwrap_or_else(|error| Some(format!("{error:#}")));
        tally.record("reduce-candidates", name, problem);
    }
    for (name, grammar, program) in OWN_CASES.iter().filter(|(name, ..)| setting.wants(name)) {
        if !is_installed(program) {
            println!("skipped {name}: {program} is not installed");
            continue;
        }
        let case = Case::at(&paths::root().join("xtask/cases").join(name))?;
        let grammar = paths::shared().join("data/grammars-v4").join(grammar);
        let problem = minimal(&binary, &case, &grammar).err().map(|error| format!("{error:#}"));
        tally.record("reduce-minimal", name, problem);
    }
    Ok(())
}

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|output| output.status.success())
}

/// Records what is asked about a case and parses all of it; says what is wrong.
fn record(binary: &Path, case: &Case) -> anyhow::Result<Option<String>> {
    let folder = tempfile::tempdir()?;
    let input = case.input(folder.path())?;
    let questions = QUESTIONS.min(RECORDED_BYTES / fs::metadata(&input)?.len().max(1));
    let grammar = case.grammar()?;
    let (asked, stats) = (folder.path().join("asked"), folder.path().join("stats.json"));
    let mut command = cases::reduce_by(binary, &case.test(), &input, &grammar);
    command.args(["-q", "--jobs", "1", "--max-questions", &questions.to_string(), "--beyond-grammar=never"]);
    let output = command.arg("--record").arg(&asked).arg(format!("--stats={}", stats.display())).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stats: serde_json::Value = serde_json::from_str(&fs::read_to_string(&stats)?)?;
    let grammar = polysmith_antlr::read(&Disk, &grammar, &ReadOptions::default()).grammar;
    let mut checker = Checker::new(&grammar);
    let (mut candidates, mut futile) = (0, 0);
    for base in sorted(&asked)? {
        let files = sorted(&base)?;
        let (asked, base) = files.split_at(files.len() - 1);
        let most = errors(&mut checker, &base[0])?;
        for file in asked {
            candidates += 1;
            // The empty text is asked once, to see whether the test is any good.
            let is_futile = fs::metadata(file)?.len() > 0 && errors(&mut checker, file)? > most;
            futile += usize::from(is_futile);
        }
    }
    let (tokens, outside) = (&stats["grammar"]["tokens"], &stats["grammar"]["outside"]);
    println!(
        "{}: {candidates} candidates, {futile} futile; {outside} of {tokens} tokens outside the tree",
        case.name()
    );
    Ok((futile > 0).then(|| format!("{futile} of {candidates} candidates have more errors than their base")))
}

/// Errors of a file; a text that cannot be parsed at all has the most.
fn errors(checker: &mut Checker, file: &Path) -> anyhow::Result<usize> {
    let text = fs::read(file)?;
    Ok(std::str::from_utf8(&text).ok().and_then(|text| checker.errors(text)).unwrap_or(usize::MAX))
}

fn sorted(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("nothing in {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Reduces a case to its end by the passes by tree; the result says yes and is minimal. The other passes are left out:
/// the checker looks for nothing that is theirs, and a compiler takes its time for each question.
fn minimal(binary: &Path, case: &Case, grammar: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let input = case.input(folder.path())?;
    let mut command = cases::reduce_by(binary, &case.test(), &input, grammar);
    let by_text = PASSES.iter().filter(|pass| !pass.is_by_tree());
    let others: Vec<&str> = by_text.map(|pass| pass.name).collect();
    let output = command.args(["--beyond-grammar=never", "--without", &others.join(",")]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = cases::result_of(&input);
    ensure!(case.holds(&result)?, "the result is not interesting");
    tree_minimal::check(case, grammar, &result)
}
