//! `polysmith hunt`: a campaign against one or several targets.

use crate::engines::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hunt::again::keep_recipe;
use crate::hunt::confined::prepare;
use crate::hunt::open::{open_oracles, open_sources, open_targets, reduction};
use crate::hunt::plan::{Plan, Settings, SourceOptions, TargetOptions};
use crate::hunt::tell::Teller;
use crate::interrupt::Interrupt;
use crate::load::LanguageOptions;
use crate::talk::Talk;
use polysmith_hunt::store::SqliteStore;
use polysmith_hunt::{Budget, Campaign, HuntError, Status, Target};
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Find bugs in a program: run tests, tell failures apart, reduce and keep them
///
/// Without source and target, the campaign of `hunt.toml` is run (`polysmith init` writes one). Findings and progress are
/// kept in a folder; the same command goes on where it stopped. `polysmith findings` shows what was found.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith hunt --language mini --runs 100 --unconfined -- cat {input}\n  \
    polysmith hunt --language mini --runs 50 --unconfined --store other --oracle round-trip -- cat")]
#[command(disable_help_flag = true)]
pub struct Args {
    /// The file of the campaign [default: hunt.toml, if neither source nor target is named]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What counts as a failure: crash, hang, round-trip, rejects-valid, differential, acceptance,
    /// command:LINE [default: crash,hang]
    #[arg(long = "oracle", value_name = "NAME", value_delimiter = ',')]
    oracles: Vec<String>,
    /// Stop after this many tests, with those of earlier runs of the campaign
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Stop after this time, such as 90s, 10m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = crate::units::parse_time)]
    time: Option<Duration>,
    /// Stop when the store has this many findings
    #[arg(long, value_name = "N")]
    findings: Option<u64>,
    /// Everything random follows from it [default: that of the store, else a fresh one, printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads; never changes the tests [default: the machine's cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// The folder of findings and progress [default: hunt]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// End with exit 1 if this run found something new
    #[arg(long, value_name = "WHEN")]
    fail_on: Option<FailOn>,
    /// Keep tests as they were found
    #[arg(long)]
    no_reduce: bool,
    /// Give targets the network, all files and all processes: only for programs and tests that you trust
    #[arg(long)]
    unconfined: bool,
    /// Findings and counts as JSON, one object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    target: TargetOptions,
    #[command(flatten)]
    description: LanguageOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print help
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "Global options")]
    help: Option<bool>,
    /// Print help on all options, those that shape the tests included
    #[arg(long, action = clap::ArgAction::HelpLong, help_heading = "Global options")]
    help_all: Option<bool>,
}

/// What a caller decides about a campaign beside its plan.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// What overrides the plan.
    pub settings: Settings,
    /// Findings in the store at which the campaign ends.
    pub findings: Option<u64>,
    /// Whether targets have the network, all files and all processes.
    pub is_unconfined: bool,
    /// Whether stdout carries objects.
    pub json: bool,
    /// When the answer is no.
    pub fail_on: Option<FailOn>,
}

/// When a campaign ends with the answer no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// A finding that was not in the store.
    New,
}

/// Hunts.
///
/// # Errors
/// A source, target or store that cannot be used, and a kernel that cannot confine.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let plan = Plan::new(
        args.config.as_deref(),
        &args.source,
        &args.target,
        &args.oracles,
        &args.description,
        &args.engine,
    )?;
    let settings = Settings {
        seed: args.seed,
        store: args.store,
        runs: args.runs,
        time: args.time,
        jobs: args.jobs,
        reduces: args.no_reduce.then_some(false),
    };
    let frame = Frame {
        settings,
        findings: args.findings,
        is_unconfined: args.unconfined,
        json: args.json,
        fail_on: args.fail_on,
    };
    hunt(plan, frame, talk)
}

/// Runs the campaign of a plan.
///
/// # Errors
/// As [`run`].
pub fn hunt(plan: Plan, frame: Frame, talk: Talk) -> anyhow::Result<Exit> {
    prepare(frame.is_unconfined)?;
    let settings = frame.settings.clone().or(&plan.settings);
    let folder = settings.store.clone().unwrap_or_else(|| PathBuf::from("hunt"));
    let kept = Kept::read(&folder)?;
    let seed = kept.seed(&folder, settings.seed, talk)?;
    let opened = open_sources(&plan, seed, talk)?;
    let targets = open_targets(&plan, &opened.extension)?;
    let oracles = open_oracles(&plan.oracle_names(), targets.len(), &opened.extension)?;
    let mut store = kept.write(&folder, &identity(&plan, &targets), seed)?;
    keep_recipe(&mut store, &targets, &plan.oracle_names())?;
    let names = targets.iter().map(|target| target.name.clone()).collect();
    let campaign = Campaign {
        source: opened.source,
        targets,
        oracles,
        seed,
        jobs: crate::jobs::threads(settings.jobs),
        budget: Budget { tests: settings.runs, time: settings.time, findings: frame.findings },
        reduction: settings.reduces.unwrap_or(true).then(|| reduction(opened.language)),
        is_confined: !frame.is_unconfined,
    };
    let interrupt = Interrupt::listen()?;
    let mut teller = Teller::new(talk, frame.json, names);
    let ended = campaign.run(&mut store, &mut teller, &interrupt.flag());
    let status = ended.map_err(|error| match error {
        HuntError::Source(_) => Failure::unusable(error.to_string()),
        error => Failure::unusable(error.to_string()).help("what was found so far is in the store"),
    })?;
    if let Some(error) = teller.error.take() {
        return Err(error.into());
    }
    teller.end(&status)?;
    Ok(exit(frame.fail_on, &status, interrupt.is_set()))
}

fn exit(fail_on: Option<FailOn>, status: &Status, interrupted: bool) -> Exit {
    match (interrupted, fail_on) {
        (true, _) => Exit::Interrupted,
        (false, Some(FailOn::New)) if status.new_findings > 0 => Exit::No,
        _ => Exit::Yes,
    }
}

/// What must not change while a store is used: sources, targets and oracles.
fn identity(plan: &Plan, targets: &[Target]) -> String {
    let commands: Vec<String> = targets.iter().map(|target| target.command_line("{input}")).collect();
    format!("{:?} {commands:?} {:?}", plan.sources, plan.oracle_names())
}

/// What the store says about its campaign. Nothing is written before all options are known to be right.
struct Kept {
    seed: Option<u64>,
    identity: Option<String>,
}

impl Kept {
    fn read(folder: &Path) -> anyhow::Result<Kept> {
        let Some(store) = SqliteStore::open_existing(folder)? else {
            return Ok(Kept { seed: None, identity: None });
        };
        let seed = store.note("seed")?.and_then(|text| text.parse().ok());
        Ok(Kept { seed, identity: store.note("campaign")? })
    }

    /// The wanted seed, else that of the store, else a fresh one.
    fn seed(&self, folder: &Path, wanted: Option<u64>, talk: Talk) -> anyhow::Result<u64> {
        let seed = wanted.or(self.seed).unwrap_or_else(|| RandomState::new().hash_one(0u64) >> 32);
        let folder = folder.display();
        match self.seed {
            Some(kept) if kept != seed => {
                return Err(Failure::usage(format!("`{folder}` has a campaign with seed {kept}"))
                    .help("choose another folder with --store, or leave --seed out")
                    .into());
            }
            Some(_) => talk.note(format_args!("going on with the campaign in `{folder}`")),
            None => {}
        }
        if wanted.is_none() {
            talk.say(format_args!("seed: {seed}"));
        }
        Ok(seed)
    }

    /// Opens the store for this campaign. A store belongs to one source, one set of targets and one set of oracles.
    fn write(self, folder: &Path, identity: &str, seed: u64) -> anyhow::Result<SqliteStore> {
        if self.identity.is_some_and(|kept| kept != identity) {
            return Err(Failure::usage(format!("`{}` has another campaign", folder.display()))
                .help("choose another folder with --store")
                .into());
        }
        let mut store = SqliteStore::open(folder)?;
        store.set_note("seed", &seed.to_string())?;
        store.set_note("campaign", identity)?;
        Ok(store)
    }
}
