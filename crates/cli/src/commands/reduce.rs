//! `polysmith reduce`: the smallest file for which a test still says yes.
//!
//! This file is the face: options and their meaning. [`files`] reads and writes, [`keeper`] is the journal (answers
//! on disk, log, history, progress), [`summary`] says what was done.

mod by_grammar;
mod causes;
mod explain;
mod files;
mod keeper;
mod options;
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
use keeper::Keeper;
pub use options::Args;
use options::{Beyond, Method, Switch};
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
    let minimizer = minimize::minimizer(&args.search.minimizer).ok_or_else(|| {
        let names: Vec<&str> = minimize::MINIMIZERS.iter().map(|minimizer| minimizer.name()).collect();
        Failure::usage(format!("there is no minimizer `{}`", args.search.minimizer))
            .help(format!("one of {}", names.join(", ")))
    })?;
    let mut language = by_grammar::language(&args, talk)?;
    let algorithm = match args.search.algorithm {
        Method::DdminLines => Algorithm::DdminLines,
        Method::DdminTokens => Algorithm::DdminTokens,
        Method::Hdd => Algorithm::Hdd,
        Method::Perses => Algorithm::Perses,
        Method::Full => Algorithm::Full,
    };
    let chosen = by_grammar::passes(algorithm, language.is_some(), &args)?;
    let files = Files::read(&args.files, args.results.output.as_deref(), args.results.in_place)?;
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
    let resume::Beginning { start, question, earlier } = resume::begin(&args, &test, &files, &store, talk)?;
    let text = Text::new(&start).map_err(|error| Failure::unusable(error.to_string()))?;
    let mut asker = Asker::new(make_setup(&args, test, &files, &interrupt)?, Pool::new())
        .context("cannot create a folder for temporary files")?;
    store.keep_scratch(asker.scratch())?;
    question.slowest_yes().into_iter().for_each(|time| asker.set_slowest_yes(time));
    let holds_result = files.are_results_of(&question);
    let mut keeper =
        Keeper::new(question, &files, args.results.log.as_deref(), args.results.history.as_deref(), talk)?
            .earlier(earlier.as_ref().map(Text::size));

    let reducer = Reducer::default()
        .algorithm(algorithm)
        .fixpoint(args.search.fixpoint == Switch::On)
        .minimizer(minimizer)
        .with_passes(chosen)
        .hoist_depth(args.search.hoist_depth)
        .beyond_language(match args.search.beyond_grammar {
            Beyond::Never => polysmith_reduce::Beyond::Never,
            Beyond::Last => polysmith_reduce::Beyond::Last,
            Beyond::Always => polysmith_reduce::Beyond::Always,
        })
        .max_questions(args.effort.max_questions);
    let started = Instant::now();
    let result = match &args.results.record {
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
        Ok(reduction) if reduction.empty_is_interesting && !args.question.allow_empty => {
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
            if let (Some(command), None) = (&args.results.then, &reduction.stopped) {
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
            if let Some(path) = &args.results.stats {
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
