//! From options to a campaign.

use crate::engines::{self, EngineOptions, Opened};
use crate::failure::Failure;
use crate::load::{LanguageOptions, load, load_parser, locate};
use crate::talk::Talk;
use crate::units::{Size, parse_seconds, parse_size};
use anyhow::Context as _;
use polysmith_description::Capability;
use polysmith_hunt::driver::speaks_protocol;
use polysmith_hunt::oracle::{self, CommandOracle};
use polysmith_hunt::source::{CommandSource, EngineSource, FileSource};
use polysmith_hunt::{Feed, Oracle, ReductionPlan, Source, Target};
use polysmith_parse::TextRecognizer;
use polysmith_reduce::tree::Language;
use regex::Regex;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where tests come from.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Source")]
pub struct SourceOptions {
    /// Generate from a description file or a built-in name
    #[arg(long, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Run the files of a folder, each once
    #[arg(long, value_name = "DIR", conflicts_with_all = ["language", "generator"])]
    pub files: Option<PathBuf>,
    /// Run what a shell command prints; {seed} in it is a number for each test
    #[arg(long, value_name = "COMMAND", conflicts_with = "language")]
    pub generator: Option<String>,
}

/// What is tested, within which limits.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Target")]
pub struct TargetOptions {
    /// A target as one text, beside the one after `--`; several are compared with `--oracle differential`
    #[arg(long = "target", value_name = "COMMAND")]
    pub targets: Vec<String>,
    /// Seconds for one test
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    pub timeout: Duration,
    /// Memory that each process of a target may use, such as 500M; `none` for no limit, which sanitizers need
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_size)]
    pub memory: Size,
    /// Processes of one test that are alive at once
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub processes: u32,
    /// Discard tests whose message matches: known limits of the target
    #[arg(long, value_name = "REGEX")]
    pub expect: Vec<Regex>,
    /// Before results are compared, replace what matches: `REGEX=>TEXT`
    #[arg(long, value_name = "RULE", value_parser = rewrite)]
    pub rewrite: Vec<(Regex, String)>,
    /// The program and its arguments; {input} is the test's path, else the test is on standard input
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

fn rewrite(text: &str) -> Result<(Regex, String), String> {
    let (pattern, to) = text.split_once("=>").ok_or("expected REGEX=>TEXT")?;
    Ok((Regex::new(pattern).map_err(|error| error.to_string())?, to.to_owned()))
}

/// A source with the extension of its tests and, where there is a grammar, the language to reduce by.
pub struct OpenedSource {
    /// The source.
    pub source: Box<dyn Source>,
    /// Without the dot.
    pub extension: String,
    /// For reduction.
    pub language: Option<Language>,
}

/// Opens the source that the options name.
///
/// # Errors
/// No source, or one that cannot be used.
pub fn open_source(
    options: &SourceOptions,
    language: &LanguageOptions,
    engine: &EngineOptions,
    seed: u64,
    talk: Talk,
) -> anyhow::Result<OpenedSource> {
    let plain =
        |source: Box<dyn Source>| OpenedSource { source, extension: "txt".to_owned(), language: None };
    if let Some(folder) = &options.files {
        let source = FileSource::new(folder)
            .map_err(|error| Failure::unusable(format!("cannot read `{}`: {error}", folder.display())))?;
        return Ok(plain(Box::new(source)));
    }
    if let Some(line) = &options.generator {
        return Ok(plain(Box::new(CommandSource::new(line, seed))));
    }
    let Some(word) = &options.language else {
        return Err(Failure::usage("there is no source of tests")
            .help("name one with --language, --files or --generator")
            .into());
    };
    let usable = load(word, Some(Capability::Generate), language, talk)?;
    let ready = match engines::open(usable, engine, 3, talk)? {
        Opened::Engine(ready) => ready,
        Opened::Text(_) => return Err(Failure::usage("an option that only prints makes no tests").into()),
    };
    let by_grammar = reduction_language(word, language, talk)?;
    let source = Box::new(EngineSource::new(word, ready.engine, seed));
    Ok(OpenedSource { source, extension: ready.extension, language: by_grammar })
}

/// The language to reduce by. A description that cannot parse has none: its tests are reduced as plain text.
fn reduction_language(word: &str, options: &LanguageOptions, talk: Talk) -> anyhow::Result<Option<Language>> {
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

/// The targets that the options name.
///
/// # Errors
/// No target, or one that cannot be started.
pub fn open_targets(options: &TargetOptions, extension: &str) -> anyhow::Result<Vec<Target>> {
    let here = std::env::current_dir().context("cannot find out the working folder")?;
    let mut commands: Vec<Vec<OsString>> = Vec::new();
    if !options.command.is_empty() {
        commands.push(options.command.clone());
    }
    commands.extend(options.targets.iter().map(|line| line.split_whitespace().map(OsString::from).collect()));
    if commands.is_empty() {
        return Err(Failure::usage("there is no target")
            .help("its command follows `--`: -- ./program {input}")
            .into());
    }
    let mut targets: Vec<Target> = Vec::new();
    for command in commands {
        let target = open_target(options, &command, &here, extension)?;
        let same = targets.iter().filter(|other| base_name(&other.name) == target.name).count();
        let name = if same > 0 { format!("{}#{}", target.name, same + 1) } else { target.name.clone() };
        targets.push(Target { name, ..target });
    }
    Ok(targets)
}

fn base_name(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}

fn open_target(
    options: &TargetOptions,
    command: &[OsString],
    here: &Path,
    extension: &str,
) -> anyhow::Result<Target> {
    let mut target = Target::new(command, here);
    target.extension = extension.to_owned();
    target.limits.time = options.timeout;
    target.limits.memory = options.memory.0;
    target.limits.processes = Some(options.processes);
    target.expected = options.expect.clone();
    target.rewrites = options.rewrite.clone();
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
            let all: Vec<&str> = oracle::all().map(|oracle| oracle.name()).collect();
            Failure::usage(format!("there is no oracle `{name}`"))
                .help(format!("one of {}, or command:LINE for a program of yours", all.join(", ")))
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

/// The reduction inside a campaign.
pub fn reduction(language: Option<Language>) -> ReductionPlan {
    ReductionPlan { language, max_questions: 3000, max_time: Duration::from_secs(60) }
}
