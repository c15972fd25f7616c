//! `cargo xtask compare kills`: a reduction that is killed at random moments and resumed comes to the same end.

use super::cases::{self, Where};
use anyhow::{Context as _, ensure};
use polysmith_random::Stream;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Kill a reduction at random moments, resume it, and compare with one that was left alone
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
    /// The case
    #[arg(long, value_name = "NAME", default_value = "java-clang-format")]
    case: String,
    /// How often it is killed
    #[arg(long, value_name = "N", default_value_t = 20)]
    kills: u32,
    /// How many tests run at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Chooses the moments
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.place.binary()?;
    let whole = Place::new(args)?;
    let started = Instant::now();
    ensure!(whole.command(args, &binary).status()?.success(), "the reduction failed");
    let time = started.elapsed();

    let place = Place::new(args)?;
    let mut stream = Stream::keyed(&[args.seed]);
    let mut killed = 0;
    for life in 0..args.kills {
        // The moments are spread over a whole reduction: later ones lie further along.
        let share = time / args.kills;
        let moment = Duration::from_micros(stream.below(2 * share.as_micros() as u64));
        let mut child = place.command(args, &binary).spawn()?;
        std::thread::sleep(moment);
        if child.try_wait()?.is_some() {
            println!("it came to its end in life {}", life + 1);
            break;
        }
        child.kill()?;
        child.wait()?;
        killed += 1;
    }
    if !place.is_done() {
        ensure!(place.command(args, &binary).status()?.success(), "the last life failed");
    }
    let (alone, with_kills) = (whole.asked()?, place.asked()?);
    let same = fs::read(cases::result_of(&whole.input))? == fs::read(cases::result_of(&place.input))?;
    let most = alone + killed * args.jobs;
    println!(
        "{}: {killed} kills, --jobs {}: {} result; {alone} runs of the test without, {with_kills} with kills (at most {most})",
        args.case,
        args.jobs,
        if same { "the same" } else { "ANOTHER" }
    );
    // With several jobs the number of early questions depends on timing; the bound is exact for one.
    Ok(same && (args.jobs > 1 || with_kills <= most))
}

/// A folder with the input and a test that counts its runs.
struct Place {
    input: PathBuf,
    test: PathBuf,
    count: PathBuf,
    _folder: tempfile::TempDir,
}

impl Place {
    fn new(args: &Args) -> anyhow::Result<Place> {
        let case = args.place.case(&args.case)?;
        let folder = tempfile::tempdir()?;
        let (test, count) = (folder.path().join("test.sh"), folder.path().join("count"));
        let original = case.test().canonicalize()?;
        fs::write(
            &test,
            format!("#!/bin/sh\necho >> '{}'\nexec '{}' \"$1\"\n", count.display(), original.display()),
        )?;
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
        Ok(Place { input: case.input(folder.path())?, test, count, _folder: folder })
    }

    fn command(&self, args: &Args, binary: &Path) -> Command {
        let mut command = cases::reduce(binary, &self.test, &self.input);
        command.args(["--jobs", &args.jobs.to_string(), "-q"]).stderr(Stdio::null());
        if cases::state_of(&self.input).join("identity").exists() {
            command.arg("--resume");
        }
        command
    }

    fn is_done(&self) -> bool {
        !cases::state_of(&self.input).exists() && cases::result_of(&self.input).exists()
    }

    fn asked(&self) -> anyhow::Result<usize> {
        Ok(fs::read_to_string(&self.count).context("the test was never run")?.lines().count())
    }
}
