//! `polysmith reduce`: the smallest file for which a test still says yes.
//!
//! This file is the face: options and their meaning. [`files`] reads and writes, [`keeper`] is the journal (answers
//! on disk, log, history, progress), [`summary`] says what was done.

mod by_grammar;
mod causes;
mod explain;
mod files;
mod keeper;
mod record;
mod resume;
mod summary;
mod then;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::load::LanguageOptions;
use crate::talk::Talk;
use crate::units::{Size, parse_seconds, parse_size, parse_time};
use anyhow::Context as _;
use files::Files;
use keeper::Keeper;
use polysmith_asker::{Asker, Delivery, Pattern, Rule, Setup, Store, Test, Timing};
use polysmith_reduce::{Algorithm, Reducer, Refused, Stop, Text, minimize};
use polysmith_run::{Limits, Pool, adopt_orphans};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Make a file as small as possible while a test still says yes
///
/// TEST is a script or a shell command. It runs in a fresh folder that holds the file under its own name; the path is
/// `$1` and stands for `{}`, and the file is on standard input too. Exit code 0 means yes. The result goes to
/// `NAME.reduced.EXT` beside the input, which is never touched.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    seq 1000 > input.txt; polysmith reduce 'grep -q 500 {}' input.txt --language none\n  \
    echo 'int x; int main(){}' > a.c; polysmith reduce 'cc -c {} && grep main {}' a.c --for 5s\n  \
    polysmith reduce --list-passes")]
pub struct Args {
    /// The test: a script, or a shell command in which `{}` is the path of the file
    #[arg(value_name = "TEST", required_unless_present = "list_passes")]
    test: Option<String>,
    /// The files to reduce, together; all but these stay as they are
    #[arg(value_name = "FILE", required_unless_present = "list_passes")]
    files: Vec<PathBuf>,
    /// The language of the files; `none` for plain text, which needs no grammar
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    #[command(flatten)]
    description: LanguageOptions,

    /// Give the file to the test on standard input only
    #[arg(long, help_heading = "The question")]
    stdin: bool,
    /// The exit code that means yes; 128 + N for a test killed by signal N
    #[arg(long, value_name = "N", help_heading = "The question")]
    exit_code: Option<i32>,
    /// What the test must print on stdout; `!REGEX` for what it must not
    #[arg(long, value_name = "REGEX", help_heading = "The question")]
    stdout: Option<String>,
    /// What the test must print on stderr; `!REGEX` for what it must not
    #[arg(long, value_name = "REGEX", help_heading = "The question")]
    stderr: Option<String>,
    /// Keep candidates whose test ends with CODE in DIR: other bugs met on the way
    #[arg(long, value_name = "CODE=DIR", value_parser = parse_also, help_heading = "The question")]
    also: Vec<(i32, PathBuf)>,
    /// A file that lies beside the candidate, unchanged
    #[arg(long, value_name = "FILE", help_heading = "The question")]
    with: Vec<PathBuf>,
    /// Seconds that a test may take; without it ten times the slowest yes, at least 1
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "The question")]
    timeout: Option<Duration>,
    /// Accept a test that says yes to an empty file
    #[arg(long, help_heading = "The question")]
    allow_empty: bool,
    /// Memory that each process of a test may use, such as 500M; `none` for no limit
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size, help_heading = "The question")]
    memory: Size,

    /// How many tests run at once; never changes the result [default: the machine's cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// End after this time with the best so far, such as 90s, 10m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// End after this many questions with the best so far
    #[arg(long, value_name = "N")]
    max_questions: Option<usize>,
    /// Go on with an earlier result, even if the test or an option has changed
    #[arg(long, conflicts_with = "restart")]
    resume: bool,
    /// Start over; the earlier result and answers are kept in FILE.polysmith
    #[arg(long)]
    restart: bool,

    /// What is done as a whole
    #[arg(long, value_name = "NAME", value_enum, default_value_t, help_heading = "The search")]
    algorithm: Method,
    /// Repeat all passes until a round brings nothing
    #[arg(long, value_name = "on|off", value_enum, default_value_t, help_heading = "The search")]
    fixpoint: Switch,
    /// How lists are minimized: halving, ddmin, probdd, weighted or one-by-one
    #[arg(long, value_name = "NAME", default_value = "halving", help_heading = "The search")]
    minimizer: String,
    /// How many levels below a node to look for what could take its place [default: all]
    #[arg(long, value_name = "N", help_heading = "The search")]
    hoist_depth: Option<u32>,
    /// When to ask about candidates that do not parse, too: `last` is when nothing else helps any more
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, num_args = 0..=1, require_equals = true,
          default_missing_value = "always", help_heading = "The search")]
    beyond_grammar: Beyond,
    /// Print what each pass does, and end
    #[arg(long, help_heading = "The search")]
    list_passes: bool,
    /// Run only these passes
    #[arg(long, value_name = "PASS,…", value_delimiter = ',', help_heading = "The search")]
    only: Vec<String>,
    /// Do not run these passes
    #[arg(long, value_name = "PASS,…", value_delimiter = ',', help_heading = "The search")]
    without: Vec<String>,

    /// Where the result goes; `{}` is the name of a file
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place", help_heading = "Results")]
    output: Option<PathBuf>,
    /// Overwrite an existing file that no reduction of FILE wrote
    #[arg(long, help_heading = "Results")]
    force: bool,
    /// Change the input files themselves; the originals are kept as FILE.orig
    #[arg(long, help_heading = "Results")]
    in_place: bool,
    /// Write a line of JSON for each accepted step
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    log: Option<PathBuf>,
    /// Keep every accepted candidate in a folder
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    history: Option<PathBuf>,
    /// Keep every candidate that is asked about in a folder, beside the text that it was made from
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    record: Option<PathBuf>,
    /// Hand the result to another reducer and take a smaller answer back, such as 'cvise {test} {}'
    #[arg(long, value_name = "COMMAND", help_heading = "Results")]
    then: Option<String>,
    /// Counts of candidates: built, filtered and asked; in a file as JSON
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-",
          help_heading = "Results")]
    stats: Option<PathBuf>,
    /// Only say, by the exit code, whether the test says yes to the files as they are
    #[arg(long, help_heading = "The question")]
    ask: bool,
}

/// What is done as a whole.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Method {
    /// Lines, without a grammar.
    DdminLines,
    /// Tokens, without a grammar.
    DdminTokens,
    /// Items of lists, level by level of the tree.
    Hdd,
    /// Items of lists and descendants for nodes, largest first.
    Perses,
    /// All passes.
    #[default]
    Full,
}

/// When the grammar does not bind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Beyond {
    /// At no time.
    Never,
    /// For a last clean-up, when nothing else helps.
    #[default]
    Last,
    /// From the start.
    Always,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    #[default]
    On,
    Off,
}

/// Reduces.
///
/// # Errors
/// Fails if a file, the test or an option cannot be used, or if the test says no to the original.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    if args.list_passes {
        return by_grammar::list_passes(talk);
    }
    let minimizer = minimize::minimizer(&args.minimizer).ok_or_else(|| {
        let names: Vec<&str> = minimize::MINIMIZERS.iter().map(|minimizer| minimizer.name()).collect();
        Failure::usage(format!("there is no minimizer `{}`", args.minimizer))
            .help(format!("one of {}", names.join(", ")))
    })?;
    let mut language = by_grammar::language(&args, talk)?;
    let algorithm = match args.algorithm {
        Method::DdminLines => Algorithm::DdminLines,
        Method::DdminTokens => Algorithm::DdminTokens,
        Method::Hdd => Algorithm::Hdd,
        Method::Perses => Algorithm::Perses,
        Method::Full => Algorithm::Full,
    };
    let chosen = by_grammar::passes(algorithm, language.is_some(), &args)?;
    let files = Files::read(&args.files, args.output.as_deref(), args.in_place)?;
    let test = make_test(&args)?;
    if args.ask {
        return then::ask(&args, test, &files);
    }
    if !args.force {
        files.check_outputs()?;
    }
    let interrupt = Interrupt::listen()?;
    adopt_orphans().context("cannot watch over the processes of the test")?;
    let store = Store::open(&files.state_folder())?;
    let resume::Beginning { start, question, earlier } = resume::begin(&args, &test, &files, &store, talk)?;
    let text = Text::new(&start).map_err(|error| Failure::unusable(error.to_string()))?;
    let mut asker = Asker::new(make_setup(&args, test, &files, &interrupt)?, Pool::new())
        .context("cannot create a folder for temporary files")?;
    store.keep_scratch(asker.scratch())?;
    question.slowest_yes().into_iter().for_each(|time| asker.set_slowest_yes(time));
    let holds_result = files.are_results_of(&question);
    let mut keeper = Keeper::new(question, &files, args.log.as_deref(), args.history.as_deref(), talk)?
        .earlier(earlier.as_ref().map(Text::size));

    let reducer = Reducer::default()
        .algorithm(algorithm)
        .fixpoint(args.fixpoint == Switch::On)
        .minimizer(minimizer)
        .with_passes(chosen)
        .hoist_depth(args.hoist_depth)
        .beyond_language(match args.beyond_grammar {
            Beyond::Never => polysmith_reduce::Beyond::Never,
            Beyond::Last => polysmith_reduce::Beyond::Last,
            Beyond::Always => polysmith_reduce::Beyond::Always,
        })
        .max_questions(args.max_questions);
    let started = Instant::now();
    let result = match &args.record {
        Some(folder) => {
            let mut recorder = record::Recorder::new(&mut asker, folder, &files)?;
            reducer.run_by(language.as_mut(), text.clone(), &mut recorder, &mut keeper)
        }
        None => reducer.run_by(language.as_mut(), text.clone(), &mut asker, &mut keeper),
    };
    keeper.finish_line();
    match result {
        Err(Refused::Stopped(stop)) => stopped_before_start(stop),
        Err(Refused::Answer(_)) => {
            store.discard(keeper.into_question());
            Err(explain::refused(&args, &files, &mut asker, text)?.into())
        }
        Ok(reduction) if reduction.empty_is_interesting && !args.allow_empty => {
            store.discard(keeper.into_question());
            Err(Failure::no("the test says yes to an empty file, so there is nothing to reduce")
                .help("nearly always the test is wrong: it may name the original by an absolute path, or not look at \
                       the file at all; --allow-empty goes on")
                .into())
        }
        Ok(mut reduction) => {
            let stays = earlier.filter(|earlier| earlier.size() < reduction.text.size());
            let is_better = stays.is_none();
            if let Some(earlier) = stays {
                talk.note("the result of an earlier run is smaller: it stays");
                reduction.text = std::sync::Arc::new(earlier);
            }
            if let (Some(command), None) = (&args.then, &reduction.stopped) {
                then::hand_on(command, &args, &files, &mut asker, &mut reduction, talk)?;
            }
            let ended = !matches!(reduction.stopped, Some(Stop::Interrupted | Stop::Broken(_)));
            let complete = reduction.stopped.is_none();
            if is_better || complete || !holds_result {
                keeper.write_result(&reduction.text, true)?;
            }
            let is_complete = complete || keeper.question().path().join("complete").is_file();
            keeper.close(asker.slowest_yes(), is_complete)?;
            summary::print(talk, &reduction, &files, started.elapsed(), asker.kept());
            if let Some(language) = &language {
                summary::print_counts(talk, language);
            }
            if let Some(path) = &args.stats {
                summary::stats(
                    talk,
                    path,
                    &reduction,
                    language.as_ref().map(|l| l.counts()),
                    started.elapsed(),
                )?;
            }
            match &reduction.stopped {
                Some(Stop::Broken(why)) => Err(Failure::unusable(why.clone())
                    .help("the best result so far is on disk; the same command goes on")
                    .into()),
                _ if !ended => Ok(Exit::Interrupted),
                _ => Ok(Exit::from_answer(reduction.confirmed)),
            }
        }
    }
}

fn make_test(args: &Args) -> anyhow::Result<Test> {
    let delivery = if args.stdin { Delivery::Stdin } else { Delivery::Path };
    let test = args.test.as_deref().unwrap_or_default();
    Ok(Test::new(test, delivery).map_err(|error| explain::unusable_test(&error, &args.files))?)
}

fn make_setup(args: &Args, test: Test, files: &Files, interrupt: &Interrupt) -> anyhow::Result<Setup> {
    let pattern = |text: &Option<String>| -> anyhow::Result<Option<Pattern>> {
        let read =
            |text: &String| Pattern::new(text).map_err(|error| Failure::usage(error.to_string()).into());
        text.as_ref().map(read).transpose()
    };
    for file in &args.with {
        anyhow::ensure!(file.is_file(), Failure::unusable(format!("there is no file `{}`", file.display())));
    }
    Ok(Setup {
        test,
        rule: Rule { exit: args.exit_code, stdout: pattern(&args.stdout)?, stderr: pattern(&args.stderr)? },
        names: files.names().to_vec(),
        side_files: args.with.clone(),
        also: args.also.clone(),
        limits: Limits { memory: args.memory.0, ..Limits::default() },
        timing: args.timeout.map_or(Timing::Adaptive, Timing::Fixed),
        jobs: crate::jobs::threads(args.jobs),
        interrupt: interrupt.flag(),
        deadline: args.time.map(|time| Instant::now() + time),
    })
}

fn stopped_before_start(stop: Stop) -> anyhow::Result<Exit> {
    match stop {
        Stop::Interrupted => Ok(Exit::Interrupted),
        Stop::TimeUp => Err(Failure::gave_up("the time of `--for` was over before the first answer").into()),
        Stop::QuestionLimit => Err(Failure::usage("`--max-questions` must be at least 1").into()),
        Stop::Broken(why) => Err(Failure::unusable(why).into()),
    }
}

fn parse_also(text: &str) -> Result<(i32, PathBuf), String> {
    let (code, folder) = text.split_once('=').ok_or("expected CODE=DIR, such as 101=other-bugs")?;
    let code = code.parse().map_err(|_| format!("`{code}` is no exit code"))?;
    Ok((code, PathBuf::from(folder)))
}
