//! Parses all files of a command line in parallel, and prints the results in the given order.

use super::one::{Bad, Done, Format, Good, Task};
use super::{files, profile};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::generate::{Coverage, Pattern};
use crate::stage::Stage;
use crate::talk::Talk;
use polysmith_description::Description;
use polysmith_grammar::{Grammar, RuleKind};
use polysmith_parse::{Limits, Parser, Profile};
use polysmith_run::files::write_file;
use polysmith_source::Encoding;
use polysmith_tree::save::{self, Header};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// What to parse, and what to print.
#[derive(Debug)]
pub struct Plan {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// What to print for each.
    pub format: Format,
    /// Whether to print one JSON object per file instead.
    pub json: bool,
    /// Where to save trees.
    pub save_tree: Option<String>,
    /// Whether to count the cost of decisions.
    pub profile: bool,
    /// Show ambiguities.
    pub ambiguities: bool,
    /// Whether to report the alternatives that no file used.
    pub coverage: bool,
    /// The number of threads.
    pub jobs: usize,
    /// The encoding of the files.
    pub encoding: Encoding,
    /// The limits of the parser.
    pub limits: Limits,
}

/// The number of decisions in the table of `--profile`.
const PROFILE_ROWS: usize = 30;

/// Parses all files.
///
/// # Errors
/// There is nothing to parse, the grammar cannot be used, or stdout or a saved tree cannot be written.
pub fn run(plan: &Plan, description: &Description, talk: Talk) -> anyhow::Result<Exit> {
    let (Some(grammar), Some(parser)) = (description.grammar(), description.parser()) else {
        return Err(
            Failure::unusable(format!("`{}` has no grammar to parse with", description.name())).into()
        );
    };
    let paths = files::collect(&plan.paths, description.extensions())?;
    if paths.is_empty() {
        return Err(Failure::unusable("there is no file to parse in the folders given").into());
    }
    let stage = Stage::begin(talk);
    let parser = parser.map_err(|error| Failure::unusable(error.to_string()))?;
    stage.end("prepared the parser");
    let saver = match &plan.save_tree {
        Some(written) => Some(Saver::new(written, grammar, paths.len())?),
        None => None,
    };
    let coverage = plan.coverage.then(|| Coverage::new(grammar, description.start(), 2));
    let task = Task {
        start: description.start().filter(|start| grammar.rule(*start).kind == RuleKind::Parser),
        encoding: plan.encoding,
        limits: &plan.limits,
        profile: plan.profile,
        ambiguities: plan.ambiguities,
    };
    let mut show = Show {
        plan,
        parser: &parser,
        talk,
        saver,
        coverage: coverage.as_ref(),
        exit: Exit::Yes,
        profile: Profile::default(),
    };
    let stage = Stage::begin(talk);
    in_order(&task, &parser, &paths, plan.jobs, |index, done| show.file(index, done))?;
    stage.end(match paths.len() {
        1 => "parsed 1 file".to_owned(),
        n_files => format!("parsed {n_files} files"),
    });
    show.end()
}

/// Distributes the files over threads, and calls `show` for each result in the order of the files.
fn in_order(
    task: &Task<'_>,
    parser: &Parser,
    paths: &[PathBuf],
    jobs: usize,
    mut show: impl FnMut(usize, Done) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    // The queue is bounded, so that results do not accumulate while a slow file is parsed.
    let (sender, receiver) = mpsc::sync_channel(2 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, paths.len()) {
            let (sender, next, mut parser) = (sender.clone(), &next, parser.clone());
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { break };
                    // The receiver is gone if printing failed: then the rest is not needed.
                    if sender.send((index, task.perform(&mut parser, path))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, done) in receiver {
            waiting.insert(index, done);
            while let Some(done) = waiting.remove(&due) {
                show(due, done)?;
                due += 1;
            }
        }
        Ok(())
    })
}

/// Prints results and tracks the exit code.
struct Show<'a> {
    plan: &'a Plan,
    parser: &'a Parser,
    talk: Talk,
    saver: Option<Saver>,
    coverage: Option<&'a Coverage<'a>>,
    exit: Exit,
    profile: Profile,
}

impl Show<'_> {
    fn file(&mut self, index: usize, done: Done) -> anyhow::Result<()> {
        match done.result {
            Ok(good) => self.good(index, &done.path, &good),
            Err(bad) => self.bad(&done.path, &bad),
        }
    }

    fn good(&mut self, index: usize, path: &Path, good: &Good) -> anyhow::Result<()> {
        let mut out = self.talk.out();
        if self.plan.json {
            out.write_formatted(|out| good.write_json(path, self.parser, self.plan.format, out))?;
        } else {
            out.write_formatted(|out| good.show(self.parser, self.plan.format, out))?;
        }
        out.flush()?;
        drop(out);
        if !good.errors.is_empty() {
            self.worse(Exit::No);
            if !self.plan.json {
                let (sources, diagnostics) = good.diagnostics(path);
                self.talk.diagnostics(&sources, &diagnostics);
            }
        }
        for ambiguity in &good.ambiguities {
            self.talk.say(format_args!("{}:{ambiguity}", path.display()));
        }
        if let Some(profile) = &good.profile {
            self.profile.add(profile);
        }
        if let Some(tree) = &good.tree {
            if let Some(coverage) = self.coverage {
                coverage.see(tree);
            }
            if let Some(saver) = &self.saver {
                saver.save(index, tree, self.parser.grammar())?;
            }
        }
        Ok(())
    }

    fn bad(&mut self, path: &Path, bad: &Bad) -> anyhow::Result<()> {
        let (exit, why) = match bad {
            Bad::Unreadable(why) => (Exit::Unusable, format!("cannot read `{}`: {why}", path.display())),
            Bad::Stopped(error) if error.is_limit() => {
                (Exit::GaveUp, format!("`{}`: {error}", path.display()))
            }
            Bad::Stopped(error) => (Exit::No, format!("`{}`: {error}", path.display())),
        };
        self.worse(exit);
        if self.plan.json {
            let object = serde_json::json!({"v": 1, "file": path.display().to_string(), "accepted": false, "error": why});
            self.talk.result(object)?;
        } else {
            self.talk.failure(&anyhow::Error::msg(why));
        }
        Ok(())
    }

    /// Keeps the worst exit code: unusable, then given up, then rejected.
    fn worse(&mut self, exit: Exit) {
        let rank = |exit: Exit| match exit {
            Exit::Unusable => 3,
            Exit::GaveUp => 2,
            Exit::No => 1,
            _ => 0,
        };
        if rank(exit) > rank(self.exit) {
            self.exit = exit;
        }
    }

    fn end(self) -> anyhow::Result<Exit> {
        if self.plan.profile {
            if self.plan.json {
                self.talk.result(profile::json(self.parser, &self.profile))?;
            } else {
                self.talk.say(profile::table(self.parser, &self.profile, PROFILE_ROWS).trim_end());
            }
        }
        if let Some(coverage) = self.coverage {
            self.show_coverage(coverage)?;
        }
        Ok(self.exit)
    }

    fn show_coverage(&self, coverage: &Coverage<'_>) -> anyhow::Result<()> {
        let grammar = self.parser.grammar();
        let (rules, alternatives) = (coverage.rules(), coverage.alternatives());
        let (rules, all_rules, alts, all_alts) = (rules.used, rules.all, alternatives.used, alternatives.all);
        let places: Vec<String> = coverage.unused().into_iter().map(|alt| place(grammar, alt)).collect();
        if self.plan.json {
            let object = serde_json::json!({
                "v": 1, "rules": [rules, all_rules], "alternatives": [alts, all_alts], "unused": places,
            });
            self.talk.result(object)?;
            return Ok(());
        }
        self.talk
            .say(format_args!("rules used: {rules} of {all_rules}; alternatives used: {alts} of {all_alts}"));
        for place in places {
            self.talk.say(format_args!("never used: {place}"));
        }
        Ok(())
    }
}

/// `rule alternative 2`, or `rule group 0 alternative 1`.
fn place(grammar: &Grammar, alt: polysmith_grammar::AltId) -> String {
    let block = grammar.alternative(alt).block;
    let rule = &grammar.rule(grammar.block(block).rule).name;
    let number = grammar.alternative_number(alt);
    match grammar.block_number(block) {
        Some(group) => format!("{rule} group {group} alternative {number}"),
        None => format!("{rule} alternative {number}"),
    }
}

/// Saves trees by a pattern.
struct Saver {
    pattern: Pattern,
    header: Header,
}

impl Saver {
    fn new(written: &str, grammar: &Grammar, n_files: usize) -> Result<Saver, Failure> {
        let pattern = Pattern::parse(written, "pst")?;
        if n_files > 1 && !pattern.varies() {
            return Err(Failure::usage(format!(
                "--save-tree `{written}` would put {n_files} trees into one file"
            ))
            .help("use {index} in the pattern, or name a folder with a `/` at its end"));
        }
        Ok(Saver { pattern, header: Header::of(grammar) })
    }

    fn save(&self, index: usize, tree: &polysmith_tree::Tree, grammar: &Grammar) -> anyhow::Result<()> {
        let hash =
            if self.pattern.needs_hash() { tree.digest(polysmith_tree::NodeId::ROOT) as u64 } else { 0 };
        let path = self.pattern.path(index as u64, 0, hash);
        let bytes = match path.extension().is_some_and(|extension| extension == "json") {
            true => save::to_json(tree, grammar, &self.header).into_bytes(),
            false => save::to_pst(tree, &self.header),
        };
        Ok(write_file(&path, &bytes)?)
    }
}
