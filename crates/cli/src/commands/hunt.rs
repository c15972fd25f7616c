//! `polysmith hunt`: a campaign against one or several targets.

use crate::engines::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hunt::plan::{self, SourceOptions, TargetOptions, open_oracles, open_source, open_targets};
use crate::hunt::tell::Teller;
use crate::interrupt::Interrupt;
use crate::load::LanguageOptions;
use crate::talk::Talk;
use polysmith_hunt::store::SqliteStore;
use polysmith_hunt::{Budget, Campaign, HuntError, Status, Target};
use polysmith_run::confine;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::time::Duration;

/// Find bugs in a program: run tests, tell failures apart, reduce and keep them
///
/// Findings and progress are kept in a folder; the same command goes on where it stopped. `polysmith findings` shows
/// what was found.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith hunt --language mini --runs 100 --unconfined -- cat {input}\n  \
    polysmith hunt --language mini --runs 50 --unconfined --store other --oracle round-trip -- cat")]
pub struct Args {
    /// What counts as a failure: crash, hang, round-trip, rejects-valid, differential, acceptance, command:LINE
    #[arg(long = "oracle", value_name = "NAME", value_delimiter = ',', default_value = "crash,hang")]
    oracles: Vec<String>,
    /// Stop after this many tests, with those of earlier runs of the campaign
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Stop after this time, such as 90s, 10m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = crate::units::parse_time)]
    time: Option<Duration>,
    /// Everything random follows from it [default: that of the store, else a fresh one, printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads; never changes the tests [default: the machine's cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// The folder of findings and progress
    #[arg(long, value_name = "DIR", default_value = "hunt")]
    store: PathBuf,
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    /// A finding that was not in the store.
    New,
}

/// Hunts.
///
/// # Errors
/// A source, target or store that cannot be used, and a kernel that cannot confine.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    if args.unconfined {
        polysmith_run::adopt_orphans()?;
    } else {
        // Before any other thread is started.
        check_confinement()?;
    }
    let kept = Kept::read(&args)?;
    let seed = kept.seed(&args, talk)?;
    let opened = open_source(&args.source, &args.description, &args.engine, seed, talk)?;
    let targets = open_targets(&args.target, &opened.extension)?;
    let oracles = open_oracles(&args.oracles, targets.len(), &opened.extension)?;
    let mut store = kept.write(&args, &targets, seed)?;
    let names = targets.iter().map(|target| target.name.clone()).collect();
    let campaign = Campaign {
        source: opened.source,
        targets,
        oracles,
        seed,
        jobs: crate::jobs::threads(args.jobs),
        budget: Budget { tests: args.runs, time: args.time },
        reduction: (!args.no_reduce).then(|| plan::reduction(opened.language)),
        is_confined: !args.unconfined,
    };
    let interrupt = Interrupt::listen()?;
    let mut teller = Teller::new(talk, args.json, names);
    let ended = campaign.run(&mut store, &mut teller, &interrupt.flag());
    let status = ended.map_err(|error| match error {
        HuntError::Source(_) => Failure::unusable(error.to_string()),
        error => Failure::unusable(error.to_string()).help("what was found so far is in the store"),
    })?;
    if let Some(error) = teller.error.take() {
        return Err(error.into());
    }
    teller.end(&status)?;
    Ok(exit(&args, &status, interrupt.is_set()))
}

fn exit(args: &Args, status: &Status, interrupted: bool) -> Exit {
    match (interrupted, args.fail_on) {
        (true, _) => Exit::Interrupted,
        (false, Some(FailOn::New)) if status.new_findings > 0 => Exit::No,
        _ => Exit::Yes,
    }
}

/// Tries the confinement once, so that a kernel without it is noticed before anything runs.
fn check_confinement() -> anyhow::Result<()> {
    let tried = confine::enter_process().and_then(|()| {
        let thread = std::thread::spawn(|| confine::enter_thread().map(drop));
        thread.join().map_err(|_| std::io::Error::other("the thread ended unexpectedly"))?
    });
    tried.map_err(|error| {
        Failure::unusable(format!("targets cannot be confined on this machine: {error}"))
            .help("run in a container and say --unconfined, or allow user namespaces")
            .into()
    })
}

/// What the store says about its campaign. Nothing is written before all options are known to be right.
struct Kept {
    seed: Option<u64>,
    identity: Option<String>,
}

impl Kept {
    fn read(args: &Args) -> anyhow::Result<Kept> {
        let Some(store) = SqliteStore::open_existing(&args.store)? else {
            return Ok(Kept { seed: None, identity: None });
        };
        let seed = store.note("seed")?.and_then(|text| text.parse().ok());
        Ok(Kept { seed, identity: store.note("campaign")? })
    }

    /// `--seed`, else that of the store, else a fresh one.
    fn seed(&self, args: &Args, talk: Talk) -> anyhow::Result<u64> {
        let seed = args.seed.or(self.seed).unwrap_or_else(|| RandomState::new().hash_one(0u64) >> 32);
        let folder = args.store.display();
        match self.seed {
            Some(kept) if kept != seed => {
                return Err(Failure::usage(format!("`{folder}` has a campaign with seed {kept}"))
                    .help("choose another folder with --store, or leave --seed out")
                    .into());
            }
            Some(_) => talk.note(format_args!("going on with the campaign in `{folder}`")),
            None => {}
        }
        if args.seed.is_none() {
            talk.say(format_args!("seed: {seed}"));
        }
        Ok(seed)
    }

    /// Opens the store for this campaign. A store belongs to one source, one set of targets and one set of oracles.
    fn write(self, args: &Args, targets: &[Target], seed: u64) -> anyhow::Result<SqliteStore> {
        let commands: Vec<String> = targets.iter().map(|target| target.command_line("{input}")).collect();
        let identity = format!("{:?} {commands:?} {:?}", args.source, args.oracles);
        if self.identity.is_some_and(|kept| kept != identity) {
            return Err(Failure::usage(format!("`{}` has another campaign", args.store.display()))
                .help("choose another folder with --store")
                .into());
        }
        let mut store = SqliteStore::open(&args.store)?;
        store.set_note("seed", &seed.to_string())?;
        store.set_note("campaign", &identity)?;
        Ok(store)
    }
}
