//! Findings that are run again, and tests of others that become findings.

use super::confined::{confined, prepare};
use super::open::{open_oracles, open_targets, reduction, reduction_language};
use super::plan::{Plan, PlannedTarget};
use super::tell::{Teller, title};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::load::LanguageOptions;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_hunt::store::{Commit, SqliteStore, Store as _};
use polysmith_hunt::text::one_line;
use polysmith_hunt::{Addition, Finding, Observer as _, Panel, Recipe, Replay, State, Target, replay};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

const RECIPE: &str = "recipe";

/// Keeps what is needed to run findings again.
///
/// # Errors
/// A store that cannot be written.
pub fn keep_recipe(store: &mut SqliteStore, targets: &[Target], oracles: &[String]) -> anyhow::Result<()> {
    let recipe = serde_json::to_string(&Recipe::new(targets, oracles))?;
    Ok(store.set_note(RECIPE, &recipe)?)
}

/// Runs findings again, says what became of each, and notes which are fixed or fail again.
///
/// # Errors
/// A store, target or oracle that cannot be used.
pub fn replay_findings(
    store: &mut SqliteStore,
    findings: &[Finding],
    is_unconfined: bool,
    talk: Talk,
) -> anyhow::Result<Exit> {
    let Some(recipe) = store.note(RECIPE)? else {
        return Err(Failure::unusable("the store does not say what its campaign ran").into());
    };
    let recipe: Recipe = serde_json::from_str(&recipe)?;
    let targets = recipe.targets()?;
    let extension = targets.first().map(|target| target.extension.clone()).unwrap_or_default();
    let oracles = open_oracles(&recipe.oracles, targets.len(), &extension)?;
    prepare(is_unconfined)?;
    let work = || {
        let mut panel = Panel::new(&targets)?;
        findings.iter().map(|finding| Ok(replay(finding, &mut panel, &oracles)?)).collect()
    };
    let replays: Vec<Replay> = on_thread(|| confined(is_unconfined, work))?;
    for (finding, replay) in findings.iter().zip(&replays) {
        let (said, state) = match (replay, finding.state) {
            (Replay::Same, State::Fixed) => ("fails again".to_owned(), State::New),
            (Replay::Same, state) => ("fails".to_owned(), state),
            (Replay::Other(signature), state) => {
                let other = one_line(signature.title().as_bytes(), 120);
                (format!("fails in another way ({other})"), state)
            }
            (Replay::Fine, State::Ignored) => ("does not fail".to_owned(), State::Ignored),
            (Replay::Fine, _) => ("does not fail".to_owned(), State::Fixed),
        };
        store.set_state(finding.id, state)?;
        talk.result(format_args!("{}: {said}", title(finding)))?;
    }
    Ok(Exit::from_answer(replays.iter().all(|replay| *replay == Replay::Same)))
}

/// Tests of others, and how they are judged.
#[derive(Debug, clap::Args)]
pub struct AddOptions {
    /// Tests: files, or folders of files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Reduce by this description: a file or a built-in name
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// What counts as a failure, as in `hunt` [default: crash,hang]
    #[arg(long = "oracle", value_name = "NAME", value_delimiter = ',')]
    oracles: Vec<String>,
    /// Seconds for one test [default: 5]
    #[arg(long, value_name = "SECONDS", value_parser = crate::units::parse_seconds)]
    timeout: Option<std::time::Duration>,
    /// Memory of each process; `none` for no limit, which sanitizers need [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = crate::units::parse_size)]
    memory: Option<crate::units::Size>,
    /// The program and its arguments, as in `hunt`
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<OsString>,
}

/// Runs the tests and adds what fails to the store.
///
/// # Errors
/// Files, a target or a store that cannot be used.
pub fn add(folder: &Path, options: AddOptions, is_unconfined: bool, talk: Talk) -> anyhow::Result<Exit> {
    let files = files(&options.files)?;
    let language = match &options.language {
        Some(word) => reduction_language(word, &LanguageOptions::default(), talk)?,
        None => None,
    };
    let target = PlannedTarget {
        command: options.command,
        timeout: options.timeout,
        memory: options.memory,
        ..PlannedTarget::default()
    };
    let extension =
        files.first().and_then(|file| file.extension()).map_or("txt".into(), |word| word.to_string_lossy());
    let folder_here = std::env::current_dir().context("cannot find out the working folder")?;
    let plan =
        Plan { targets: vec![target], oracles: options.oracles, folder: folder_here, ..Plan::default() };
    let targets = open_targets(&plan, &extension)?;
    let oracles = open_oracles(&plan.oracle_names(), targets.len(), &extension)?;
    prepare(is_unconfined)?;
    let mut store = SqliteStore::open(folder)?;
    keep_recipe(&mut store, &targets, &plan.oracle_names())?;
    let (plan, known) = (reduction(language), store.coarse_keys()?);
    let addition = Addition { targets: &targets, oracles: &oracles, reduction: Some(&plan) };
    let interrupt = Interrupt::listen()?;
    let flag = interrupt.flag();
    let tests = files.iter().map(|file| Ok((file.display().to_string(), std::fs::read(file)?)));
    let mut teller = Teller::new(talk, false, Vec::new());
    let (sender, sightings) = mpsc::channel();
    let added = std::thread::scope(|scope| -> anyhow::Result<_> {
        let worker = scope.spawn(move || {
            confined(is_unconfined, || {
                Ok(addition.run(tests, known, &flag, &mut |sighting| drop(sender.send(sighting)))?)
            })
        });
        for sighting in sightings {
            let progress = store.progress()?;
            for id in store.commit(&Commit { sightings: vec![sighting] }, &progress)? {
                store.finding(id)?.iter().for_each(|finding| teller.found(finding));
            }
        }
        worker.join().map_err(|_| anyhow::anyhow!("the thread of the targets ended unexpectedly"))?
    })?;
    if let Some(error) = teller.error.take() {
        return Err(error.into());
    }
    talk.say(format_args!(
        "{} tests, {} fail, {} findings",
        added.tests,
        added.failing,
        store.count_findings()?
    ));
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Yes })
}

/// Runs work on a thread of its own: a confinement cannot be left.
fn on_thread<T: Send>(work: impl FnOnce() -> anyhow::Result<T> + Send) -> anyhow::Result<T> {
    std::thread::scope(|scope| {
        let ended = scope.spawn(work).join();
        ended.map_err(|_| anyhow::anyhow!("the thread of the targets ended unexpectedly"))?
    })
}

/// The files that are named, and those in folders that are named, sorted.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let cannot = |error| Failure::unusable(format!("cannot read `{}`: {error}", path.display()));
        if !std::fs::metadata(path).map_err(cannot)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            if entry.file_type().map_err(cannot)?.is_file() {
                inside.push(entry.path());
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
