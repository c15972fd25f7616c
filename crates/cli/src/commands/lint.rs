//! `polysmith lint`: reports what is wrong or unusual in descriptions.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::{LanguageOptions, advice, locate, read, set_start};
use crate::summary::Summary;
use crate::talk::{StdoutClosed, Talk};
use clap::builder::{PossibleValue, PossibleValuesParser};
use polysmith_attributes::Spec;
use polysmith_description::{Description, ExtraChecks, Loaded};
use polysmith_source::{Diagnostics, Severity, SourceMap, render};
use std::path::Path;

/// Say what is wrong or unusual in descriptions
///
/// Problems go to stderr, a summary of each description to stdout. With --json or --format the problems go to stdout,
/// one per line. Exit 1 if there are errors.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  polysmith lint json csv\n  polysmith lint mc --json --summary\n  polysmith lint --format short json"
)]
pub struct Args {
    /// Description files or built-in names; `-` is stdin
    #[arg(value_name = "LANGUAGE", required = true)]
    languages: Vec<String>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The problems on stdout, for programs, one per line
    #[arg(long, value_name = "FORM", value_parser = form_words())]
    format: Option<String>,
    /// With --json: the summary of each description as an object after its problems
    #[arg(long, requires = "json")]
    summary: bool,
    #[command(flatten)]
    options: LanguageOptions,
}

/// The words that `--format` takes.
fn form_words() -> PossibleValuesParser {
    PossibleValuesParser::new(
        render::FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about)),
    )
}

impl Args {
    /// The form for programs that was asked for.
    fn form(&self) -> Option<render::Format> {
        render::format(if self.json { "json" } else { self.format.as_deref()? })
    }
}

/// Reads and checks the descriptions.
///
/// # Errors
/// A single description that is not there or cannot be read, and wrong use. Among several, one that cannot be read
/// is reported, and the others are checked.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    if let [language] = &*args.languages {
        return Ok(Exit::from_answer(lint(language, &args, talk)?));
    }
    let mut exit = Exit::Yes;
    for language in &args.languages {
        match lint(language, &args, talk) {
            Ok(true) => {}
            Ok(false) if exit == Exit::Yes => exit = Exit::No,
            Ok(false) => {}
            Err(error)
                if Failure::exit_of(&error) == Exit::Unusable && !StdoutClosed::is_cause_of(&error) =>
            {
                talk.failure(&error);
                exit = Exit::Unusable;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(exit)
}

/// Prints the problems of a description. Returns whether it has no errors.
fn lint(language: &str, args: &Args, talk: Talk) -> anyhow::Result<bool> {
    let located = locate(language, None)?;
    args.options.check_for(&located)?;
    let mut loaded = read(&located, &args.options, ExtraChecks::All, talk);
    if loaded.is_unreadable() {
        talk.diagnostics(&loaded.sources, &loaded.diagnostics);
        return Err(Failure::unusable(format!("`{}` cannot be checked", located.path.display())).into());
    }
    if let Some(description) = &mut loaded.description {
        set_start(description, &args.options)?;
    }
    show(&loaded, &located.path, args, talk)?;
    Ok(loaded.description.is_some())
}

fn show(loaded: &Loaded, path: &Path, args: &Args, talk: Talk) -> anyhow::Result<()> {
    let Loaded { description, sources, diagnostics } = loaded;
    if let Some(format) = args.form() {
        talk.print_diagnostics(format, sources, diagnostics)?;
        if let Some(description) = description.as_ref().filter(|_| args.summary) {
            talk.result(summary(description, sources).json())?;
        }
        return Ok(());
    }
    talk.diagnostics(sources, diagnostics);
    if !diagnostics.is_empty() {
        let name = if args.languages.len() > 1 { format!("{}: ", path.display()) } else { String::new() };
        talk.say(format_args!("{name}{}", counts(diagnostics)));
        if let Some(option) = advice(diagnostics) {
            talk.note(option);
        }
    }
    match description {
        // Figures of an incomplete grammar would mislead.
        None => {}
        Some(description) => match description.specification() {
            Some(spec) if args.languages.len() > 1 => {
                talk.result(format_args!("{}: {}", path.display(), figures(spec)))?;
            }
            Some(spec) => talk.result(figures(spec))?,
            None => talk.result(summary(description, sources))?,
        },
    }
    Ok(())
}

fn summary(description: &Description, sources: &SourceMap) -> Summary {
    Summary::of(description.tree_grammar(), description.start(), sources)
}

fn figures(spec: &Spec) -> String {
    let attributes: usize = spec.classes.iter().map(|class| class.attributes.len()).sum();
    let guards: usize = spec.productions.iter().map(|production| production.guards.len()).sum();
    let rules: usize = spec.productions.iter().map(|production| production.equations.len()).sum();
    let (classes, productions) = (spec.classes.len(), spec.productions.len());
    format!(
        "{classes} classes, {productions} productions, {attributes} attributes, {rules} rules, {guards} guards"
    )
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
