//! `polysmith reduce`: the smallest file for which a test still says yes.
//!
//! This file is the road through a reduction. [`options`] are the options, [`files`] reads and writes, [`keeper`] is the
//! journal (answers on disk, log, history, progress, `--json`), [`finish`] writes the result, [`summary`] says what was
//! done.

mod by_grammar;
mod causes;
mod explain;
mod files;
mod finish;
mod keeper;
mod options;
mod polish;
mod record;
mod resume;
mod summary;
mod then;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::talk::Talk;
use anyhow::Context as _;
use files::Files;
use finish::Finish;
use keeper::Keeper;
pub use options::Args;
use options::{Beyond, Method, SearchOptions, Switch};
use polysmith_asker::{Asker, Delivery, Pattern, Rule, Setup, Store, Test, Timing};
use polysmith_reduce::{Algorithm, Reducer, Refused, Stop, Text, minimize};
use polysmith_run::{Limits, Pool, adopt_orphans};
use std::time::Instant;

/// Reduces.
///
/// # Errors
/// Fails if a file, the test or an option cannot be used, or if the test says no to the original.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    if args.search.list_passes {
        return by_grammar::list_passes(talk);
    }
    let mut chosen = by_grammar::choose(&args, talk)?;
    let reducer = make_reducer(&args, chosen.language.is_some())?;
    let files = Files::read(&args.files, &args.results, &chosen.stdin_name())?;
    let test = make_test(&args)?;
    if args.question.ask {
        return then::ask(&args, test, &files);
    }
    if !args.results.force {
        files.check_outputs()?;
    }
    let interrupt = Interrupt::listen()?;
    adopt_orphans().context("cannot watch over the processes of the test")?;
    let store = Store::open(&files.state_folder())?;
    let resume::Beginning { start: text, question, earlier } =
        resume::begin(&args, &test, &files, &store, talk)?;
    let mut asker = Asker::new(make_setup(&args, test, &files, &interrupt)?, Pool::new())?;
    store.keep_scratch(asker.scratch())?;
    question.slowest_yes().into_iter().for_each(|time| asker.set_slowest_yes(time));
    let holds_result = files.are_results_of(&question);
    let mut keeper =
        Keeper::new(question, &files, &args.results, talk)?.earlier(earlier.as_ref().map(Text::size));
    keeper.begin(&args.files, chosen.name.as_deref(), text.size())?;

    let started = Instant::now();
    let result = match &args.results.record {
        Some(folder) => {
            let mut recorder = record::Recorder::new(&mut asker, folder, &files)?;
            reducer.run_by(chosen.language.as_mut(), text.clone(), &mut recorder, &mut keeper)
        }
        None => reducer.run_by(chosen.language.as_mut(), text.clone(), &mut asker, &mut keeper),
    };
    keeper.finish_line();
    let finish = Finish { args: &args, files: &files, talk, started, earlier, holds_result };
    match result {
        Err(Refused::Stopped(stop)) => stopped_before_start(stop),
        Err(Refused::Answer(_)) => {
            keeper.end("refused", serde_json::json!({}))?;
            store.discard(keeper.into_question());
            Err(explain::refused(&args, &files, &mut asker, text)?.into())
        }
        Ok(reduction) if reduction.empty_is_interesting && !args.question.allow_empty => {
            keeper.end("empty", serde_json::json!({}))?;
            store.discard(keeper.into_question());
            Err(Failure::no("the test says yes to an empty file, so there is nothing to reduce")
                .help("nearly always the test is wrong: it may name the original by an absolute path, or not look at \
                       the file at all; --allow-empty goes on")
                .into())
        }
        Ok(reduction) => finish.reduced(reduction, chosen.language.as_ref(), &mut asker, keeper),
    }
}

fn make_reducer(args: &Args, has_language: bool) -> anyhow::Result<Reducer<'static>> {
    let SearchOptions { minimizer, algorithm, fixpoint, hoist_depth, beyond_grammar, .. } = &args.search;
    let minimizer = minimize::minimizer(minimizer).ok_or_else(|| {
        let names: Vec<&str> = minimize::MINIMIZERS.iter().map(|minimizer| minimizer.name()).collect();
        Failure::usage(format!("there is no minimizer `{minimizer}`"))
            .help(format!("one of {}", names.join(", ")))
    })?;
    let algorithm = match algorithm {
        Method::DdminLines => Algorithm::DdminLines,
        Method::DdminTokens => Algorithm::DdminTokens,
        Method::Hdd => Algorithm::Hdd,
        Method::Perses => Algorithm::Perses,
        Method::Full => Algorithm::Full,
    };
    Ok(Reducer::default()
        .algorithm(algorithm)
        .fixpoint(*fixpoint == Switch::On)
        .minimizer(minimizer)
        .with_passes(by_grammar::passes(algorithm, has_language, args)?)
        .hoist_depth(*hoist_depth)
        .beyond_language(match beyond_grammar {
            Beyond::Never => polysmith_reduce::Beyond::Never,
            Beyond::Last => polysmith_reduce::Beyond::Last,
            Beyond::Always => polysmith_reduce::Beyond::Always,
        })
        .max_questions(args.effort.max_questions))
}

fn make_test(args: &Args) -> anyhow::Result<Test> {
    let delivery = if args.question.stdin { Delivery::Stdin } else { Delivery::Path };
    let test = args.test();
    Ok(Test::new(test, delivery).map_err(|error| explain::unusable_test(&error, &args.files))?)
}

fn make_setup(args: &Args, test: Test, files: &Files, interrupt: &Interrupt) -> anyhow::Result<Setup> {
    let pattern = |text: &Option<String>| -> anyhow::Result<Option<Pattern>> {
        let read =
            |text: &String| Pattern::new(text).map_err(|error| Failure::usage(error.to_string()).into());
        text.as_ref().map(read).transpose()
    };
    for file in &args.question.with {
        anyhow::ensure!(file.is_file(), Failure::unusable(format!("there is no file `{}`", file.display())));
    }
    Ok(Setup {
        test,
        rule: Rule {
            exit: args.question.exit_code,
            stdout: pattern(&args.question.stdout)?,
            stderr: pattern(&args.question.stderr)?,
        },
        names: files.names().to_vec(),
        side_files: args.question.with.clone(),
        also: args.question.also.clone(),
        limits: Limits { memory: args.question.memory.0, ..Limits::default() },
        timing: args.question.timeout.map_or(Timing::Adaptive, Timing::Fixed),
        jobs: crate::jobs::threads(args.effort.jobs),
        interrupt: interrupt.flag(),
        deadline: args.effort.time.map(|time| Instant::now() + time),
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
