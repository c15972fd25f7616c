//! What a campaign consists of, whether options or a file say so.

use super::config::Config;
use crate::engines::EngineOptions;
use crate::failure::Failure;
use crate::load::LanguageOptions;
use crate::units::{Size, parse_seconds, parse_size};
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
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Target")]
pub struct TargetOptions {
    /// A target as one text, beside the one after `--`; several are compared with `--oracle differential`
    #[arg(long = "target", value_name = "COMMAND")]
    pub targets: Vec<String>,
    /// Seconds for one test [default: 5]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
    /// Memory of each process, such as 500M; `none` for no limit, which sanitizers need [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<Size>,
    /// Processes of one test that are alive at once [default: 256]
    #[arg(long, value_name = "N")]
    pub processes: Option<u32>,
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

/// Reads a rule `REGEX=>TEXT`.
///
/// # Errors
/// The message of a text that is no rule.
pub fn rewrite(text: &str) -> Result<(Regex, String), String> {
    let (pattern, to) = text.split_once("=>").ok_or("expected REGEX=>TEXT")?;
    Ok((Regex::new(pattern).map_err(|error| error.to_string())?, to.to_owned()))
}

/// Sources, targets and oracles of a campaign, and what a file says beside them.
#[derive(Debug, Default)]
pub struct Plan {
    /// With their weights.
    pub sources: Vec<PlannedSource>,
    /// In the order in which they are run.
    pub targets: Vec<PlannedTarget>,
    /// Names, in the order in which they judge.
    pub oracles: Vec<String>,
    /// Where relative paths start.
    pub folder: PathBuf,
    /// What the command line may override.
    pub settings: Settings,
}

/// What both a file and the command line may say; the command line wins.
#[derive(Debug, Default, Clone)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: Option<u64>,
    /// The folder of findings.
    pub store: Option<PathBuf>,
    /// Tests, at most.
    pub runs: Option<u64>,
    /// Wall time, at most.
    pub time: Option<Duration>,
    /// Threads.
    pub jobs: Option<usize>,
    /// Whether failures are reduced.
    pub reduces: Option<bool>,
}

impl Settings {
    /// These settings, and those of `other` where nothing is said.
    #[must_use]
    pub fn or(self, other: &Settings) -> Settings {
        Settings {
            seed: self.seed.or(other.seed),
            store: self.store.or_else(|| other.store.clone()),
            runs: self.runs.or(other.runs),
            time: self.time.or(other.time),
            jobs: self.jobs.or(other.jobs),
            reduces: self.reduces.or(other.reduces),
        }
    }
}

/// One source of a plan.
#[derive(Debug)]
pub struct PlannedSource {
    /// How often it is drawn, relative to the others.
    pub weight: f64,
    /// What it is.
    pub kind: SourceKind,
}

/// What makes tests.
#[derive(Debug)]
pub enum SourceKind {
    /// A description.
    Language {
        /// A file or a built-in name.
        word: String,
        /// How it is read.
        reading: LanguageOptions,
        /// How texts are made.
        engine: Box<EngineOptions>,
    },
    /// The files of a folder.
    Files(PathBuf),
    /// What a shell command prints.
    Command(String),
}

/// One target of a plan.
#[derive(Debug, Clone, Default)]
pub struct PlannedTarget {
    /// Its name [default: that of the program].
    pub name: Option<String>,
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Time for one test.
    pub timeout: Option<Duration>,
    /// Memory of each process.
    pub memory: Option<Size>,
    /// Processes at once.
    pub processes: Option<u32>,
    /// Messages that discard a test.
    pub expect: Vec<Regex>,
    /// Rules that make results comparable.
    pub rewrite: Vec<(Regex, String)>,
    /// Variables beside the inherited environment.
    pub environment: Vec<(String, String)>,
}

/// The file that is read if options name neither source nor target.
pub const CONFIG: &str = "hunt.toml";

impl Plan {
    /// The plan of a campaign: the file, or what the options say.
    ///
    /// # Errors
    /// A file that cannot be used, options beside it that it makes useless, and no source or target at all.
    pub fn new(
        config: Option<&Path>,
        source: &SourceOptions,
        target: &TargetOptions,
        oracles: &[String],
        reading: &LanguageOptions,
        engine: &EngineOptions,
    ) -> anyhow::Result<Plan> {
        let useless = given(source, target, oracles, reading, engine);
        let is_named = source.language.is_some() || source.files.is_some() || source.generator.is_some();
        let has_targets = !target.command.is_empty() || !target.targets.is_empty();
        let default = (!is_named && !has_targets && Path::new(CONFIG).is_file()).then(|| Path::new(CONFIG));
        if let Some(path) = config.or(default) {
            if let Some(option) = useless {
                return Err(Failure::usage(format!("{option} has no effect beside `{}`", path.display()))
                    .help("say it in the file, or name source and target by options")
                    .into());
            }
            return Config::read(path)?.plan(path);
        }
        if !is_named {
            return Err(Failure::usage("there is no source of tests")
                .help("name one with --language, --files or --generator, or write hunt.toml with `polysmith init`")
                .into());
        }
        if !has_targets {
            return Err(Failure::usage("there is no target")
                .help("its command follows `--`: -- ./program {input}")
                .into());
        }
        Ok(Plan {
            sources: vec![PlannedSource { weight: 1.0, kind: kind(source, reading, engine) }],
            targets: targets(target),
            oracles: oracles.to_vec(),
            folder: std::env::current_dir()?,
            settings: Settings::default(),
        })
    }

    /// The names of the oracles.
    pub fn oracle_names(&self) -> Vec<String> {
        match self.oracles.is_empty() {
            true => ["crash", "hang"].map(str::to_owned).into(),
            false => self.oracles.clone(),
        }
    }
}

/// The first option that only holds for a source or target on the command line.
fn given(
    source: &SourceOptions,
    target: &TargetOptions,
    oracles: &[String],
    reading: &LanguageOptions,
    engine: &EngineOptions,
) -> Option<String> {
    let given = [
        ("--language", source.language.is_some()),
        ("--files", source.files.is_some()),
        ("--generator", source.generator.is_some()),
        ("--target", !target.targets.is_empty()),
        ("--timeout", target.timeout.is_some()),
        ("--memory", target.memory.is_some()),
        ("--processes", target.processes.is_some()),
        ("--expect", !target.expect.is_empty()),
        ("--rewrite", !target.rewrite.is_empty()),
        ("the command after `--`", !target.command.is_empty()),
        ("--oracle", !oracles.is_empty()),
    ];
    let own = given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name.to_owned());
    let reading = reading.given().map(|name| format!("--{name}"));
    own.or(reading).or_else(|| engine.given().map(|name| format!("--{name}")))
}

fn kind(source: &SourceOptions, reading: &LanguageOptions, engine: &EngineOptions) -> SourceKind {
    match source {
        SourceOptions { files: Some(folder), .. } => SourceKind::Files(folder.clone()),
        SourceOptions { generator: Some(line), .. } => SourceKind::Command(line.clone()),
        SourceOptions { language, .. } => SourceKind::Language {
            word: language.clone().unwrap_or_default(),
            reading: reading.clone(),
            engine: Box::new(engine.clone()),
        },
    }
}

fn targets(options: &TargetOptions) -> Vec<PlannedTarget> {
    let split = |line: &String| line.split_whitespace().map(OsString::from).collect();
    let first = (!options.command.is_empty()).then(|| options.command.clone());
    let commands = first.into_iter().chain(options.targets.iter().map(split));
    let target = |command| PlannedTarget {
        name: None,
        command,
        timeout: options.timeout,
        memory: options.memory,
        processes: options.processes,
        expect: options.expect.clone(),
        rewrite: options.rewrite.clone(),
        environment: Vec::new(),
    };
    commands.map(target).collect()
}
