//! One run: indices through the engine into the sink, with everything that is said about it.

use super::coverage::Coverage;
use super::options::GenerateOptions;
use super::page::page;
use super::sink::{Files, Sink};
use super::stats::{Outcome, Sizes, Stats};
use super::table::table;
use super::timed::Timed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::generate::as_options;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::talk::Talk;
use polysmith_engine::{Engine, Finished, GenerateError, Plan, Test, drive};
use polysmith_run::files::write_file;
use rustc_hash::FxHashSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Makes the tests that the options ask for. `extension` is that of the language's files, without the dot.
///
/// # Errors
/// Wrong use, files that cannot be written, and a description from which nothing can be made.
pub fn run(
    engine: &dyn Engine,
    extension: &str,
    options: &GenerateOptions,
    talk: Talk,
) -> anyhow::Result<Exit> {
    let indices = options.indices()?;
    let seed = options.seed.unwrap_or_else(fresh_seed);
    let timed = Timed::new(engine);
    let engine = if options.stats.is_some() { &timed } else { engine };
    let mut sink = Sink::open(options, engine, extension, &indices, seed, talk)?;
    if options.seed.is_none() {
        talk.say(format_args!("seed: {seed}"));
    }
    let n = indices.end - indices.start;
    // With --unique more indices are drawn than tests are wanted.
    let wanted = n;
    let drawn = if options.unique { 0..u64::MAX } else { indices.clone() };
    let progress = match n > 1 && !sink.is_terminal() {
        true => Progress::begin(talk, (indices.end < u64::MAX).then_some(n), "generating"),
        false => Progress::hidden(talk),
    };
    let interrupt = Interrupt::listen()?;
    let begin = Instant::now();
    let coverage =
        options.wants_stats().then(|| Coverage::new(engine.grammar(), engine.start(), options.k.into()));
    let mut run = Run {
        fail_fast: options.fail_fast,
        stats: options.wants_stats().then(|| Stats::new(engine)),
        seen: options.unique.then(FxHashSet::default),
        in_a_row: 0,
        wanted,
        outcome: Outcome { seed, ..Outcome::default() },
        shown: Vec::new(),
        progress,
        talk,
    };
    let (mut stdout, files) = match &mut sink {
        Sink::Stdout(stdout) => (Some(stdout), None),
        Sink::Files(files) => (None, Some(&*files)),
    };
    let in_order = options.fail_fast || options.unique;
    // Only the worker threads write files in any order.
    let in_sequence = in_order || stdout.is_some();
    let mut next_index = drawn.start;
    let desk = Desk { files, coverage: coverage.as_ref(), in_order, unique: options.unique };
    let mut ended = Ok(());
    let plan = Plan::new(seed, drawn).jobs(options.threads());
    drive(
        engine,
        &plan,
        &interrupt.flag(),
        |finished| desk.finish(&finished),
        |delivery| {
            if in_sequence && delivery.index != next_index {
                // After Ctrl-C, indices may be missing; what follows the gap is not written.
                return ControlFlow::Break(());
            }
            next_index = delivery.index.saturating_add(1);
            let told = match delivery.result {
                Err(trouble) => run.trouble(trouble),
                Ok((_, done)) if run.repeats(done.hash) => Ok(run.flow_of_repeats()),
                Ok((test, done)) => {
                    let index = if options.unique { run.outcome.made } else { delivery.index };
                    desk.written(index, test, &done)
                        .and(done.written)
                        .and_then(|()| stdout.as_mut().map_or(Ok(()), |stdout| Ok(stdout.write(test)?)))
                        .map(|()| run.made(index, test, done.sizes))
                }
            };
            told.unwrap_or_else(|error| {
                ended = Err(error);
                ControlFlow::Break(())
            })
        },
    );
    if let Some(stdout) = stdout {
        ended = ended.and_then(|()| Ok(stdout.flush()?));
    }
    run.outcome.time = begin.elapsed();
    let Run { outcome, stats, progress, .. } = run;
    drop(progress);
    if let (Some(stats), Some(coverage)) = (&stats, &coverage) {
        if let Some(place) = &options.stats {
            report(stats, coverage, &outcome, place, talk)?;
        }
        if let Some(place) = &options.stats_html {
            write_file(place, page(engine.grammar().name(), stats, coverage, &outcome).as_bytes())?;
        }
    }
    ended?;
    for line in engine.conclusion() {
        talk.say(line);
    }
    if interrupt.is_set() {
        talk.say(format_args!("interrupted after {} tests", outcome.made));
        return Ok(Exit::Interrupted);
    }
    conclude(&outcome, talk)
}

/// What the worker threads do with a finished test.
struct Desk<'a> {
    files: Option<&'a Files<'a>>,
    coverage: Option<&'a Coverage<'a>>,
    /// Files are written by the delivering thread.
    in_order: bool,
    unique: bool,
}

/// What they leave for the delivering thread.
struct Done {
    hash: u64,
    written: anyhow::Result<()>,
    sizes: Option<Sizes>,
}

impl Desk<'_> {
    fn finish(&self, finished: &Finished<'_>) -> Done {
        let test = finished.test;
        let needs_hash = self.unique || self.coverage.is_some() || self.files.is_some_and(Files::needs_hash);
        let hash = if needs_hash { hash_of(&test.text) } else { 0 };
        let written = match self.files {
            Some(files) if !self.in_order => files.write(finished.index, hash, test),
            _ => Ok(()),
        };
        let sizes = self.coverage.map(|coverage| {
            coverage.see(&test.tree);
            Sizes::of(test, hash)
        });
        Done { hash, written, sizes }
    }

    /// With `--fail-fast` files are written in order, so that none is written after the first failure; with
    /// `--unique` because only then their numbers are known.
    fn written(&self, index: u64, test: &Test, done: &Done) -> anyhow::Result<()> {
        match self.files {
            Some(files) if self.in_order => files.write(index, done.hash, test),
            _ => Ok(()),
        }
    }
}

/// What the delivering thread keeps.
struct Run {
    fail_fast: bool,
    stats: Option<Stats>,
    /// With `--unique`, the texts so far.
    seen: Option<FxHashSet<u64>>,
    /// Tests in a row that repeat one before.
    in_a_row: u64,
    /// So many tests, then it ends.
    wanted: u64,
    outcome: Outcome,
    /// Messages that were shown: each once, the first few.
    shown: Vec<String>,
    progress: Progress,
    talk: Talk,
}

/// With `--unique`: after so many repeated tests in a row there is probably nothing new.
const MOST_REPEATED: u64 = 1000;
/// So many distinct messages are shown; the rest is counted.
const MOST_MESSAGES: usize = 5;

impl Run {
    /// Whether `--unique` leaves a test out.
    fn repeats(&mut self, hash: u64) -> bool {
        let repeats = self.seen.as_mut().is_some_and(|seen| !seen.insert(hash));
        self.in_a_row = if repeats { self.in_a_row + 1 } else { 0 };
        self.outcome.repeated += u64::from(repeats);
        repeats
    }

    fn flow_of_repeats(&mut self) -> ControlFlow<()> {
        if self.in_a_row < MOST_REPEATED {
            return ControlFlow::Continue(());
        }
        self.outcome.gave_up += 1;
        let message = format!(
            "{MOST_REPEATED} tests in a row repeat one before: there are {} so far",
            self.outcome.made
        );
        self.show(&message);
        ControlFlow::Break(())
    }

    fn made(&mut self, index: u64, test: &Test, sizes: Option<Sizes>) -> ControlFlow<()> {
        self.outcome.made += 1;
        if let (Some(stats), Some(sizes)) = (&mut self.stats, sizes) {
            stats.add(index, test, sizes);
        }
        for complaint in &test.complaints {
            self.outcome.complaints += 1;
            self.show(complaint);
        }
        self.progress.step();
        self.flow(!test.complaints.is_empty())
    }

    fn trouble(&mut self, trouble: GenerateError) -> anyhow::Result<ControlFlow<()>> {
        match &trouble {
            GenerateError::Failed(_) => self.outcome.failed += 1,
            GenerateError::GaveUp(_) => self.outcome.gave_up += 1,
            GenerateError::Never(message) => return Err(Failure::gave_up(as_options(message)).into()),
            GenerateError::Done => return Ok(ControlFlow::Break(())),
        }
        self.show(&as_options(trouble.message()));
        self.progress.step();
        Ok(self.flow(true))
    }

    fn flow(&self, wrong: bool) -> ControlFlow<()> {
        let enough = self.seen.is_some() && self.outcome.made >= self.wanted;
        if enough || (wrong && self.fail_fast) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn show(&mut self, message: &str) {
        if self.shown.len() < MOST_MESSAGES && !self.shown.iter().any(|known| known == message) {
            self.progress.aside(|| self.talk.warning(message));
            self.shown.push(message.to_owned());
        }
    }
}

/// Prints the statistics, or writes them.
fn report(
    stats: &Stats,
    coverage: &Coverage<'_>,
    outcome: &Outcome,
    place: &Path,
    talk: Talk,
) -> anyhow::Result<()> {
    if place == Path::new("-") {
        talk.say(table(stats, coverage, outcome));
        return Ok(());
    }
    let text = match place.extension().is_some_and(|extension| extension == "csv") {
        true => stats.csv(),
        false => format!("{}\n", stats.json(coverage, outcome)),
    };
    Ok(write_file(place, text.as_bytes())?)
}

/// The exit code of a run that came to its end.
fn conclude(outcome: &Outcome, talk: Talk) -> anyhow::Result<Exit> {
    let wrong = outcome.failed + outcome.gave_up + outcome.complaints;
    if wrong == 0 {
        return Ok(Exit::Yes);
    }
    if outcome.made + outcome.failed == 0 {
        return Err(Failure::gave_up(format!("no test was made: {} indices gave up", outcome.gave_up)).into());
    }
    talk.warning(format_args!(
        "{} tests made, {} failed, {} gave up, {} complaints",
        outcome.made, outcome.failed, outcome.gave_up, outcome.complaints
    ));
    Ok(Exit::No)
}

/// Content as a number for file names and for counting distinct tests.
fn hash_of(text: &[u8]) -> u64 {
    let digest = blake3::hash(text);
    u64::from_be_bytes(digest.as_bytes()[..8].try_into().expect("a digest has 32 bytes"))
}

/// Short enough to be typed again.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}
