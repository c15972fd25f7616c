//! `polysmith lint`: what is wrong or unusual in a description.
//!
//! Dispatches by description language: a new front end is one arm in [`run`].

use crate::exit::Exit;
use crate::failure::Failure;
use crate::front_ends::Kind;
use crate::language::{Located, Purpose, locate};
use crate::load::{LanguageOptions, read_grammar};
use crate::summary::Summary;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_antlr::Own;
use polysmith_source::{Diagnostics, Severity};

/// Say what is wrong or unusual in a description
///
/// Problems go to stderr, a summary of the description to stdout. With --json the problems go to stdout, one object
/// per line. Exit 1 if there are errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith lint json\n  polysmith lint mc --json --summary")]
pub struct Args {
    /// A description file or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    #[command(flatten)]
    options: LanguageOptions,
    /// The problems as objects on stdout, one per line
    #[arg(long)]
    json: bool,
    /// With --json: the summary as a last object
    #[arg(long, requires = "json")]
    summary: bool,
}

/// Reads and checks it.
///
/// # Errors
/// A description that is not there or cannot be read.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let located = locate(&args.language, Purpose::Parse).or_else(|failure| {
        // What cannot be parsed with may still be linted.
        locate(&args.language, Purpose::Generate).map_err(|_| failure)
    })?;
    let shown = located.path.display().to_string();
    located.files().read(&located.path).with_context(|| format!("cannot read `{shown}`"))?;
    match located.kind {
        Kind::Antlr => grammar(&located, &args, talk),
        Kind::Lala => specification(&located, &args, talk),
        kind @ Kind::Daedalus => Err(Failure::unusable(format!("a {kind} cannot be checked yet")).into()),
    }
}

fn grammar(located: &Located, args: &Args, talk: Talk) -> anyhow::Result<Exit> {
    let read = read_grammar(located, &args.options, Own::All);
    let start = args.options.start.as_ref().and_then(|name| read.grammar.rule_named(name));
    let start = start.or(read.side_file.start).or(read.grammar.start());
    let summary = || Summary::of(&read.grammar, start, &read.sources);
    let good = !read.diagnostics.has_errors();
    if args.json {
        talk.json_diagnostics(&read.sources, &read.diagnostics)?;
        if args.summary {
            talk.result(summary().json())?;
        }
        return Ok(Exit::from_answer(good));
    }
    talk.diagnostics(&read.sources, &read.diagnostics);
    if !read.diagnostics.is_empty() {
        talk.say(counts(&read.diagnostics));
    }
    // Figures of half a grammar would only mislead.
    if good {
        talk.result(summary())?;
    }
    Ok(Exit::from_answer(good))
}

fn specification(located: &Located, args: &Args, talk: Talk) -> anyhow::Result<Exit> {
    let polysmith_lala::Loaded { sources, diagnostics, spec } =
        polysmith_lala::load(&located.path, located.files());
    if args.json {
        talk.json_diagnostics(&sources, &diagnostics)?;
        return Ok(Exit::from_answer(spec.is_some()));
    }
    talk.diagnostics(&sources, &diagnostics);
    if !diagnostics.is_empty() {
        talk.say(counts(&diagnostics));
    }
    if let Some(spec) = &spec {
        let attributes: usize = spec.classes.iter().map(|class| class.attributes.len()).sum();
        let guards: usize = spec.productions.iter().map(|production| production.guards.len()).sum();
        let rules: usize = spec.productions.iter().map(|production| production.equations.len()).sum();
        talk.result(format_args!(
            "{} classes, {} productions, {attributes} attributes, {rules} rules, {guards} guards",
            spec.classes.len(),
            spec.productions.len()
        ))?;
    }
    Ok(Exit::from_answer(spec.is_some()))
}

/// `2 errors, 1 warning`
fn counts(diagnostics: &Diagnostics) -> String {
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let counted = severities.into_iter().filter_map(|severity| {
        match diagnostics.iter().filter(|found| found.severity == severity).count() {
            0 => None,
            1 => Some(format!("1 {severity}")),
            n => Some(format!("{n} {severity}s")),
        }
    });
    counted.collect::<Vec<_>>().join(", ")
}
