//! `polysmith lint`: what is wrong or unusual in a description.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::{LanguageOptions, locate, read, set_start};
use crate::summary::Summary;
use crate::talk::Talk;
use polysmith_attributes::Spec;
use polysmith_description::{Description, ExtraChecks, Loaded};
use polysmith_source::{Diagnostics, Severity, SourceMap};

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
    let located = locate(&args.language, None)?;
    args.options.check_for(&located)?;
    let mut loaded = read(&located, &args.options, ExtraChecks::All);
    if loaded.is_unreadable() {
        talk.diagnostics(&loaded.sources, &loaded.diagnostics);
        return Err(Failure::unusable(format!("`{}` cannot be checked", located.path.display())).into());
    }
    if let Some(description) = &mut loaded.description {
        set_start(description, &args.options)?;
    }
    show(&loaded, &args, talk)?;
    Ok(Exit::from_answer(loaded.description.is_some()))
}

fn show(loaded: &Loaded, args: &Args, talk: Talk) -> anyhow::Result<()> {
    let Loaded { description, sources, diagnostics } = loaded;
    if args.json {
        talk.json_diagnostics(sources, diagnostics)?;
        if let Some(description) = description.as_ref().filter(|_| args.summary) {
            talk.result(summary(description, sources).json())?;
        }
        return Ok(());
    }
    talk.diagnostics(sources, diagnostics);
    if !diagnostics.is_empty() {
        talk.say(counts(diagnostics));
    }
    match description {
        // Figures of half a grammar would only mislead.
        None => {}
        Some(description) => match description.specification() {
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
