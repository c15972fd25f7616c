//! Our parser against ANTLR's on random grammars and inputs.
//!
//! Each case is a grammar that the tool accepts, with ten inputs: five sentences, five mutants. Verdict, first
//! error, all parser errors, number of tokens and tree must be those of a generated parser. Rates: `soak-load`
//! (we accept the grammar too), `soak-parse`. The shares of what was tried are printed, so that nobody mistakes
//! five thousand trivial grammars for a test. A miss is printed with the grammar and the input, and the seed
//! and number of the case find it again (`--seed S --from N -n 1`).
//!
//! Nearly all time is ANTLR's. So several oracles run side by side (`--jobs`) and take cases in turn; results are taken
//! in the order of the cases. `--answers FILE` keeps what ANTLR says: a parser that has changed since is compared again in
//! seconds. Inputs are sent only for grammars that the tool accepts: with others (loops over nothing) ANTLR's parser
//! recurses until its stack is full, many seconds for each input.

mod answers;
mod compare;

use super::Args;
use super::random_grammar::{Case, case};
use crate::oracle::Oracle;
use crate::rates::Tally;
use answers::{Kept, Said};
use anyhow::Context as _;
use compare::{Answered, Compared, compare};
use polysmith_random::Stream;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

const GRAMMARS: u64 = 5_000;
const INPUTS: usize = 10;
/// So many results of an oracle may wait to be taken.
const AHEAD: usize = 8;
const REPORT_EVERY: u64 = 100;
/// ANTLR takes minutes for some random grammars. Its time for one input, in milliseconds; beyond, nothing is compared.
const LIMIT_MS: u64 = 1_000;

/// What the cases were like.
#[derive(Default)]
struct Shares {
    grammars: u64,
    refused: u64,
    left_recursive: u64,
    modes_or_lazy: u64,
    inputs: u64,
    rejected: u64,
    different: u64,
    unanswered: u64,
    took: Took,
}

/// How long ANTLR took.
#[derive(Default)]
struct Took {
    loading: Duration,
    answering: Duration,
}

impl Shares {
    /// What was tried so far; cases from `next` on were not.
    fn print(&self, next: u64) {
        let percent = |part: u64, of: u64| 100 * part / of.max(1);
        println!(
            "grammars {} (and {} that ANTLR refuses): {} ({} %) left-recursive, {} ({} %) with modes or lazy loops; \
             {} ({} %) of {} inputs rejected, {} without an answer; {} differences; ANTLR took {:.0} s for grammars \
             and {:.0} s for inputs; the next piece: --from {next}",
            self.grammars,
            self.refused,
            self.left_recursive,
            percent(self.left_recursive, self.grammars),
            self.modes_or_lazy,
            percent(self.modes_or_lazy, self.grammars),
            self.rejected,
            percent(self.rejected, self.inputs),
            self.inputs,
            self.unanswered,
            self.different,
            self.took.loading.as_secs_f64(),
            self.took.answering.as_secs_f64(),
        );
    }

    fn count(&mut self, done: Done, tally: &mut Tally) {
        self.took.loading += done.took.loading;
        self.took.answering += done.took.answering;
        if matches!(done.compared, Compared::Refused) {
            self.refused += 1;
            return;
        }
        self.grammars += 1;
        self.left_recursive += u64::from(done.left_recursive);
        self.modes_or_lazy += u64::from(done.modes_or_lazy);
        let problem = if let Compared::NotLoaded(why) = &done.compared { Some(why.clone()) } else { None };
        self.different += u64::from(problem.is_some());
        tally.record("soak-load", &done.name, problem);
        let Compared::Loaded(inputs) = done.compared else { return };
        for answered in inputs {
            match answered {
                Answered::Not => self.unanswered += 1,
                Answered::By { accepted, problem } => {
                    self.inputs += 1;
                    self.rejected += u64::from(!accepted);
                    self.different += u64::from(problem.is_some());
                    tally.record("soak-parse", &done.name, problem);
                }
            }
        }
    }
}

/// A case with all that came out.
struct Done {
    name: String,
    left_recursive: bool,
    modes_or_lazy: bool,
    compared: Compared,
    took: Took,
}

pub(crate) fn run(args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let script = args.oracle.clone().unwrap_or_else(Oracle::usual_script);
    let folder = tempfile::tempdir()?;
    let kept = args.answers.as_deref().map(Kept::open).transpose()?;
    let n_workers = u64::from(args.jobs.max(1));
    std::thread::scope(|scope| {
        let mut workers: Vec<Receiver<anyhow::Result<Done>>> = Vec::new();
        for worker in 0..n_workers {
            let oracle = Oracle::start_with_limit(&script, LIMIT_MS)?;
            let (sender, receiver) = sync_channel(AHEAD);
            let numbers = (args.from + worker..).step_by(n_workers as usize);
            let mut asker = Asker { oracle, kept: kept.as_ref() };
            let folder = folder.path();
            scope.spawn(move || work(&mut asker, folder, args.seed, numbers, &sender));
            workers.push(receiver);
        }
        take(args, &workers, tally)
    })
}

/// Takes results in the order of the cases until there are enough; the workers end when nobody listens.
fn take(args: &Args, workers: &[Receiver<anyhow::Result<Done>>], tally: &mut Tally) -> anyhow::Result<()> {
    let mut shares = Shares::default();
    let (count, mut number) = (args.count.unwrap_or(GRAMMARS), args.from);
    for worker in workers.iter().cycle() {
        if shares.grammars == count {
            break;
        }
        let before = shares.grammars;
        shares.count(worker.recv().context("an oracle's thread ended")??, tally);
        number += 1;
        // A run that is cut off has said how far it came.
        if shares.grammars != before && shares.grammars.is_multiple_of(REPORT_EVERY) {
            shares.print(number);
        }
    }
    shares.print(number);
    Ok(())
}

/// Works on cases for as long as somebody takes the results.
fn work(
    asker: &mut Asker<'_>,
    folder: &Path,
    seed: u64,
    numbers: impl Iterator<Item = u64>,
    results: &SyncSender<anyhow::Result<Done>>,
) {
    for number in numbers {
        let done = Prepared::new(folder, seed, number).and_then(|prepared| asker.done(prepared));
        let failed = done.is_err();
        if results.send(done).is_err() || failed {
            return;
        }
    }
}

/// An oracle, with the answers of earlier runs if they are kept.
struct Asker<'a> {
    oracle: Oracle,
    kept: Option<&'a Kept>,
}

impl Asker<'_> {
    /// Finds out what ANTLR says of a case, and compares.
    fn done(&mut self, prepared: Prepared) -> anyhow::Result<Done> {
        let mut took = Took::default();
        let said = match self.kept.and_then(|kept| kept.of(&prepared.case)) {
            Some(said) => said.clone(),
            None => self.ask(&prepared, &mut took)?,
        };
        let compared = said.map_or(Compared::Refused, |answers| compare(&prepared, &answers));
        std::fs::remove_dir_all(&prepared.work)?;
        let Case { left_recursive, modes_or_lazy, .. } = prepared.case;
        Ok(Done { name: prepared.name, left_recursive, modes_or_lazy, compared, took })
    }

    fn ask(&mut self, prepared: &Prepared, took: &mut Took) -> anyhow::Result<Said> {
        let Prepared { work, case, files, inputs, .. } = prepared;
        let start = Instant::now();
        let loaded = self.oracle.load(work, case.start, files)?;
        took.loading = start.elapsed();
        let mut said = None;
        if is_accepted(&loaded) {
            self.oracle.send_inputs(inputs)?;
            said = Some(inputs.iter().map(|_| self.oracle.answer()).collect::<anyhow::Result<Vec<Value>>>()?);
        }
        took.answering = start.elapsed() - took.loading;
        if let Some(kept) = self.kept {
            kept.keep(case, &said)?;
        }
        Ok(said)
    }
}

/// Whether the tool takes a grammar; its answer tells errors too where it went on.
fn is_accepted(loaded: &Value) -> bool {
    let messages = loaded["msgs"].as_array();
    loaded["ok"] == true
        && !messages.is_some_and(|messages| messages.iter().any(|message| message["sev"] == "error"))
}

/// A case with its files, in a folder of its own.
struct Prepared {
    name: String,
    case: Case,
    work: PathBuf,
    files: Vec<PathBuf>,
    inputs: Vec<PathBuf>,
}

impl Prepared {
    fn new(folder: &Path, seed: u64, number: u64) -> anyhow::Result<Prepared> {
        let case = case(&mut Stream::keyed(&[seed, number]), INPUTS);
        let work = folder.join(number.to_string());
        std::fs::create_dir(&work)?;
        let files = write(&work, &case)?;
        let mut inputs = Vec::new();
        for (at, input) in case.inputs.iter().enumerate() {
            inputs.push(work.join(format!("input-{at}.txt")));
            std::fs::write(&inputs[at], input)?;
        }
        Ok(Prepared { name: format!("seed {seed} case {number}"), case, work, files, inputs })
    }
}

fn write(folder: &Path, case: &Case) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (name, text) in &case.files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path);
    }
    Ok(files)
}
