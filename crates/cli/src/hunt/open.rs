//! Makes what a plan names: sources, targets, oracles.

use super::plan::{Plan, PlannedTarget, SourceKind};
use crate::engines::{self, Opened};
use crate::failure::Failure;
use crate::load::{LanguageOptions, load, load_parser, locate};
use crate::talk::Talk;
use polysmith_description::Capability;
use polysmith_hunt::driver::speaks_protocol;
use polysmith_hunt::oracle::{self, CommandOracle};
use polysmith_hunt::source::{CommandSource, EngineSource, FileSource, Mix};
use polysmith_hunt::{Feed, Oracle, ReductionPlan, Source, Target};
use polysmith_parse::TextRecognizer;
use polysmith_reduce::tree::Language;
use std::path::Path;
use std::time::Duration;

/// A source with the extension of its tests and, where there is a grammar, the language to reduce by.
pub struct OpenedSource {
    /// The source.
    pub source: Box<dyn Source>,
    /// Without the dot.
    pub extension: String,
    /// For reduction.
    pub language: Option<Language>,
}

/// Opens the sources of a plan as one. Extension and language are those of the first description.
///
/// # Errors
/// A source that cannot be used.
pub fn open_sources(plan: &Plan, seed: u64, talk: Talk) -> anyhow::Result<OpenedSource> {
    let (mut sources, mut extension, mut language) = (Vec::new(), None, None);
    for planned in &plan.sources {
        let opened = open_source(&planned.kind, &plan.folder, seed, talk)?;
        if extension.is_none() {
            (extension, language) = (opened.1, opened.2);
        }
        sources.push((planned.weight, opened.0));
    }
    let source: Box<dyn Source> = match sources.len() {
        1 => sources.remove(0).1,
        _ => Box::new(Mix::new(sources, seed)),
    };
    Ok(OpenedSource { source, extension: extension.unwrap_or_else(|| "txt".to_owned()), language })
}

type Parts = (Box<dyn Source>, Option<String>, Option<Language>);

fn open_source(kind: &SourceKind, folder: &Path, seed: u64, talk: Talk) -> anyhow::Result<Parts> {
    match kind {
        SourceKind::Files(files) => {
            let source = FileSource::new(&folder.join(files))
                .map_err(|error| Failure::unusable(format!("cannot read `{}`: {error}", files.display())))?;
            Ok((Box::new(source), None, None))
        }
        SourceKind::Command(line) => Ok((Box::new(CommandSource::new(line, seed)), None, None)),
        SourceKind::Language { word, reading, engine } => {
            let word = in_folder(word, folder);
            let usable = load(&word, Some(Capability::Generate), reading, talk)?;
            let ready = match engines::open(usable, engine, 3, talk)? {
                Opened::Engine(ready) => ready,
                Opened::Text(_) => {
                    return Err(Failure::usage("an option that only prints makes no tests").into());
                }
            };
            let language = reduction_language(&word, reading, talk)?;
            Ok((Box::new(EngineSource::new(&word, ready.engine, seed)), Some(ready.extension), language))
        }
    }
}

/// A description file of a plan is named from the folder of the plan; other words are built-in names.
fn in_folder(word: &str, folder: &Path) -> String {
    let is_here = std::env::current_dir().is_ok_and(|here| here == folder);
    let path = folder.join(word);
    if is_here || !path.is_file() { word.to_owned() } else { path.display().to_string() }
}

/// The language to reduce by. A description that cannot parse has none: its tests are reduced as plain text.
///
/// # Errors
/// A description with errors.
pub fn reduction_language(
    word: &str,
    options: &LanguageOptions,
    talk: Talk,
) -> anyhow::Result<Option<Language>> {
    if locate(word, Some(Capability::Parse)).is_err() {
        return Ok(None);
    }
    let loaded = load_parser(word, options, talk)?;
    let parser = loaded.parser().ok();
    let recognizer = parser.map(|parser| TextRecognizer::with_parser(parser, loaded.start));
    Ok(recognizer.map(|recognizer| {
        Language::new(recognizer).with_rewrites(&loaded.description.side_file().rewrites).0
    }))
}

/// The targets of a plan.
///
/// # Errors
/// One that cannot be started.
pub fn open_targets(plan: &Plan, extension: &str) -> anyhow::Result<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for planned in &plan.targets {
        let target = open_target(planned, &plan.folder, extension)?;
        let same = targets.iter().filter(|other| base_name(&other.name) == target.name).count();
        let name = if same > 0 { format!("{}#{}", target.name, same + 1) } else { target.name.clone() };
        targets.push(Target { name, ..target });
    }
    Ok(targets)
}

fn base_name(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}

fn open_target(planned: &PlannedTarget, folder: &Path, extension: &str) -> anyhow::Result<Target> {
    let mut target = Target::new(&planned.command, folder);
    target.extension = extension.to_owned();
    target.name = planned.name.clone().unwrap_or(target.name);
    target.limits.time = planned.timeout.unwrap_or(target.limits.time);
    target.limits.memory = planned.memory.map_or(target.limits.memory, |size| size.0);
    target.limits.processes = planned.processes.or(target.limits.processes);
    target.expected = planned.expect.clone();
    target.rewrites = planned.rewrite.clone();
    target.environment = planned.environment.clone();
    if target.feed == Feed::Stdin {
        let greets = speaks_protocol(&target).map_err(|error| Failure::unusable(error.to_string()))?;
        if greets {
            target.feed = Feed::Persistent;
        }
    }
    Ok(target)
}

/// The oracles with these names; `command:LINE` is a program of the user.
///
/// # Errors
/// A name that is not there, and oracles that need more targets.
pub fn open_oracles(
    names: &[String],
    targets: usize,
    extension: &str,
) -> anyhow::Result<Vec<Box<dyn Oracle>>> {
    let mut oracles: Vec<Box<dyn Oracle>> = Vec::new();
    for name in names {
        if let Some(line) = name.strip_prefix("command:") {
            oracles.push(Box::new(CommandOracle::new(line, extension)?));
            continue;
        }
        let oracle = oracle::named(name).ok_or_else(|| {
            Failure::usage(format!("there is no oracle `{name}`")).help(format!("one of {}", known_oracles()))
        })?;
        if matches!(oracle.name(), "differential" | "acceptance") && targets < 2 {
            return Err(Failure::usage(format!("the oracle `{name}` compares at least two targets"))
                .help("add others with --target COMMAND")
                .into());
        }
        oracles.push(oracle);
    }
    Ok(oracles)
}

/// The names of all oracles, for messages.
pub fn known_oracles() -> String {
    let all: Vec<&str> = oracle::all().map(|oracle| oracle.name()).collect();
    format!("{}, or command:LINE for a program of yours", all.join(", "))
}

/// The reduction inside a campaign.
pub fn reduction(language: Option<Language>) -> ReductionPlan {
    ReductionPlan { language, max_questions: 3000, max_time: Duration::from_secs(60) }
}
