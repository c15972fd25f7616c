//! `cargo xtask compare kills`: a reduction that is killed at random moments and resumed comes to the same end.
//!
//! The test writes down a hash of every candidate that it sees, and in which life. A candidate that is seen more often than
//! by a run with one job that was left alone, in different lives, was asked again because of a kill: at most `--jobs`
//! of them for each kill. Totals would not do: what several jobs ask early depends on time.

use super::cases::{self, Where};
use anyhow::{Context as _, ensure};
use polysmith_random::Stream;
use std::collections::HashMap;
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
    let whole = ReductionFolder::new(args)?;
    let started = Instant::now();
    ensure!(whole.command(1, &binary).status()?.success(), "the reduction failed");
    let time = started.elapsed() / args.jobs as u32;

    let place = ReductionFolder::new(args)?;
    let mut stream = Stream::keyed(&[args.seed]);
    let mut killed = 0;
    for life in 0..args.kills {
        // The moments are spread over most of a reduction, later ones further along: it may be faster than the first.
        let share = time / args.kills;
        let moment = Duration::from_micros(stream.below(3 * share.as_micros() as u64 / 2));
        place.begin_life(life)?;
        let mut child = place.command(args.jobs, &binary).spawn()?;
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
        place.begin_life(args.kills)?;
        ensure!(place.command(args.jobs, &binary).status()?.success(), "the last life failed");
    }
    let (alone, with_kills) = (whole.seen()?, place.seen()?);
    let same = fs::read(cases::result_of(&whole.input))? == fs::read(cases::result_of(&place.input))?;
    let again = asked_again(&alone, &with_kills);
    let most = killed * args.jobs;
    println!(
        "{}: {killed} kills, --jobs {}: {} result; {again} candidates asked again (at most {most}); \
         {} runs of the test by one job left alone, {} with kills",
        args.case,
        args.jobs,
        if same { "the same" } else { "ANOTHER" },
        alone.len(),
        with_kills.len(),
    );
    Ok(same && again <= most)
}

/// A run of the test: the life in which it was, and a hash of the candidate.
type Seen = (String, String);

/// How many runs of the test repeat one of an earlier life that a run left alone does not repeat.
fn asked_again(alone: &[Seen], with_kills: &[Seen]) -> usize {
    let lives = |seen: &[Seen]| {
        let mut lives: HashMap<String, Vec<String>> = HashMap::new();
        for (life, candidate) in seen {
            lives.entry(candidate.clone()).or_default().push(life.clone());
        }
        lives
    };
    let alone = lives(alone);
    let excess = |(candidate, lives): (&String, &Vec<String>)| {
        // The best text is asked about again after each pass, with or without kills.
        let due = alone.get(candidate).map_or(1, Vec::len);
        let crossings = lives.windows(2).filter(|pair| pair[0] != pair[1]).count();
        lives.len().saturating_sub(due).min(crossings)
    };
    lives(with_kills).iter().map(excess).sum()
}

/// A folder with the input and a test that writes down what it sees.
struct ReductionFolder {
    input: PathBuf,
    test: PathBuf,
    life: PathBuf,
    seen: PathBuf,
    _folder: tempfile::TempDir,
}

impl ReductionFolder {
    fn new(args: &Args) -> anyhow::Result<ReductionFolder> {
        let case = args.place.case(&args.case)?;
        let folder = tempfile::tempdir()?;
        let file = |name: &str| folder.path().join(name);
        let (test, life, seen) = (file("test.sh"), file("life"), file("seen"));
        let original = case.test().canonicalize()?;
        let script = format!(
            "#!/bin/sh\nread life < '{}'\nhash=$(sha256sum < \"$1\")\necho \"$life $hash\" >> '{}'\nexec '{}' \"$1\"\n",
            life.display(),
            seen.display(),
            original.display()
        );
        fs::write(&test, script)?;
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
        let place = ReductionFolder { input: case.input(folder.path())?, test, life, seen, _folder: folder };
        place.begin_life(0)?;
        Ok(place)
    }

    fn begin_life(&self, life: u32) -> anyhow::Result<()> {
        Ok(fs::write(&self.life, format!("{life}\n"))?)
    }

    fn command(&self, jobs: usize, binary: &Path) -> Command {
        let mut command = cases::reduce(binary, &self.test, &self.input);
        command.args(["--jobs", &jobs.to_string(), "-q"]).stderr(Stdio::null());
        command
    }

    fn is_done(&self) -> bool {
        cases::is_complete(&self.input) && cases::result_of(&self.input).exists()
    }

    /// The runs of the test, in their order.
    fn seen(&self) -> anyhow::Result<Vec<Seen>> {
        let text = fs::read_to_string(&self.seen).context("the test was never run")?;
        let runs = text.lines().filter_map(|line| line.split_once(' '));
        Ok(runs.map(|(life, candidate)| (life.to_owned(), candidate.to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Seen, asked_again};

    fn seen(runs: &[(u32, &str)]) -> Vec<Seen> {
        runs.iter().map(|(life, candidate)| (life.to_string(), (*candidate).to_owned())).collect()
    }

    #[test]
    fn only_what_a_kill_repeats_counts() {
        let alone = seen(&[(0, "a"), (0, "b"), (0, "b"), (0, "c")]);
        assert_eq!(asked_again(&alone, &alone), 0);
        // The second `b` is due, whatever life it falls in; `x` was asked early.
        assert_eq!(asked_again(&alone, &seen(&[(0, "a"), (0, "b"), (0, "x"), (1, "b"), (1, "c")])), 0);
        assert_eq!(asked_again(&alone, &seen(&[(0, "a"), (0, "b"), (1, "b"), (1, "b"), (1, "c")])), 1);
        assert_eq!(asked_again(&alone, &seen(&[(0, "a"), (1, "a"), (2, "a"), (2, "x"), (3, "x")])), 3);
        // Asked again without a kill, as after a time-out beside others.
        assert_eq!(asked_again(&alone, &seen(&[(0, "a"), (0, "a"), (1, "c")])), 0);
    }
}
