//! Loads the [`Description`] that the argument LANGUAGE names.
//!
//! [`load`] returns any description with the wanted capability, [`load_parser`] one that can parse. Problems are
//! printed here; a description with errors ends the command with exit 3.

use crate::failure::Failure;
use crate::input::DESCRIPTION_FILES;
use crate::stage::Stage;
use crate::talk::{Talk, Verbosity};
use polysmith_description::{
    Capability, Description, DescriptionKind, ExtraChecks, LoadOptions, Loaded, LocateError, Located,
};
use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{CompileError, Parser};
use polysmith_source::{Code, Diagnostics, STDIN, Source, SourceMap};
use std::path::PathBuf;
use std::sync::Arc;

/// Options for reading a description.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "How the description is read")]
pub struct LanguageOptions {
    /// The rule to start from [default: the side file's, else the first parser rule]
    #[arg(long, value_name = "RULE")]
    pub start: Option<String>,
    /// The lexer grammar of a parser grammar; `-` is stdin [default: by `tokenVocab`]
    #[arg(long, value_name = "FILE")]
    pub lexer: Option<PathBuf>,
    /// A folder to look for imported grammars in, after the grammar's own
    #[arg(long = "lib", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,
    /// Target code that would have to run is an error
    #[arg(long)]
    pub no_target_code: bool,
}

impl LanguageOptions {
    /// The first option that was given. All of them apply only to grammars.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("start", self.start.is_some()),
            ("lexer", self.lexer.is_some()),
            ("lib", !self.libraries.is_empty()),
            ("no-target-code", self.no_target_code),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// Rejects options that have no effect on a kind of description.
    ///
    /// # Errors
    /// Such an option was given: wrong use.
    pub fn check_for(&self, located: &Located<'_>) -> Result<(), Failure> {
        match self.given().filter(|_| located.kind != DescriptionKind::Grammar) {
            None => Ok(()),
            Some(option) => {
                let plural = DescriptionKind::Grammar.plural();
                Err(Failure::usage(format!("`--{option}` is an option for {plural}")).help(format!(
                    "`{}` is {}; leave the option out",
                    located.path.display(),
                    located.kind.with_article()
                )))
            }
        }
    }
}

/// A description that is ready to be used.
#[derive(Debug)]
pub struct Usable {
    /// The description.
    pub description: Description,
    /// The texts that it was read from, for showing locations in them.
    pub sources: SourceMap,
}

/// A description that can parse, with what parsing needs.
#[derive(Debug)]
pub struct ParseLanguage {
    /// The description.
    pub description: Description,
    /// Its grammar.
    pub grammar: Arc<Grammar>,
    /// The rule to start from.
    pub start: RuleId,
}

impl ParseLanguage {
    /// Its parser, with hooks if it has some.
    ///
    /// # Errors
    /// The grammar cannot be parsed with.
    pub fn parser(&self) -> Result<Parser, CompileError> {
        self.description.parser().unwrap_or_else(|| Parser::new(Arc::clone(&self.grammar)))
    }
}

/// Finds what a word names. With `None`, any description will do.
///
/// # Errors
/// The word names nothing usable: a [`Failure`] with a suggestion, exit 3.
pub fn locate(word: &str, wanted: Option<Capability>) -> Result<Located<'static>, Failure> {
    polysmith_description::locate(&DESCRIPTION_FILES, word, wanted).map_err(|error| {
        let list = "`polysmith languages` lists the built-in languages";
        let help = match &error {
            LocateError::Folder { .. } => "name the description in it".to_owned(),
            LocateError::UnknownExtension { .. } => format!("descriptions end in {}", known_extensions()),
            LocateError::NoFile { .. } => format!("{list}, which need no file"),
            LocateError::NoName { similar: Some(name), .. } => format!("did you mean `{name}`? {list}"),
            LocateError::NoName { similar: None, .. } => {
                format!("{list}; files end in {}", known_extensions())
            }
            LocateError::UnreadableInput { .. } => {
                return Failure::unusable(error.to_string());
            }
            LocateError::Incapable { .. } => "`polysmith languages` says what each can do".to_owned(),
        };
        Failure::unusable(error.to_string()).help(help)
    })
}

/// Finds and reads a description, and prints its problems. With `None`, any description will do.
///
/// # Errors
/// The word names nothing, or the description has errors, lacks the capability, or has no such start rule.
pub fn load(
    word: &str,
    wanted: Option<Capability>,
    options: &LanguageOptions,
    talk: Talk,
) -> anyhow::Result<Usable> {
    load_located(&locate(word, wanted)?, wanted, options, talk)
}

/// Like [`load`], for a description that was located already.
///
/// # Errors
/// The description has errors, lacks the capability, or has no such start rule.
pub fn load_located(
    located: &Located<'_>,
    wanted: Option<Capability>,
    options: &LanguageOptions,
    talk: Talk,
) -> anyhow::Result<Usable> {
    if wanted.is_some_and(|capability| !located.kind.can(capability)) {
        return Err(incapable(located, wanted).into());
    }
    options.check_for(located)?;
    // Warnings are for `lint`; a user of the grammar sees them with `-v`.
    let shows_warnings = talk.verbosity() >= Verbosity::Verbose;
    let checks = if shows_warnings { ExtraChecks::All } else { ExtraChecks::Errors };
    let Loaded { description, sources, diagnostics } = read(located, options, checks, talk);
    if description.is_none() || shows_warnings {
        talk.diagnostics(&sources, &diagnostics);
    }
    let Some(mut description) = description else {
        let path = located.path.display();
        let failure = Failure::unusable(format!("the errors above keep `{path}` from being used"));
        return Err(match advice(&diagnostics) {
            Some(option) => failure.help(option).into(),
            None => failure.into(),
        });
    };
    set_start(&mut description, options)?;
    Ok(Usable { description, sources })
}

/// Finds and reads a description to parse with, and prints its problems.
///
/// # Errors
/// Those of [`load`], and a lexer grammar without `--start`.
pub fn load_parser(word: &str, options: &LanguageOptions, talk: Talk) -> anyhow::Result<ParseLanguage> {
    let description = load(word, Some(Capability::Parse), options, talk)?.description;
    let start = start_rule(&description)?;
    let Some(grammar) = description.grammar().map(Arc::clone) else {
        return Err(Failure::unusable(format!("`{word}` has no grammar to parse with")).into());
    };
    Ok(ParseLanguage { description, grammar, start })
}

/// Reads a description; with `-v`, prints what was read. Never fails: all problems are in the diagnostics.
pub fn read(
    located: &Located<'_>,
    options: &LanguageOptions,
    extra_checks: ExtraChecks,
    talk: Talk,
) -> Loaded {
    let options = LoadOptions {
        lexer: options.lexer.as_ref().map(|path| match path.as_os_str() == "-" {
            true => PathBuf::from(STDIN),
            false => path.clone(),
        }),
        libraries: options.libraries.clone(),
        no_target_code: options.no_target_code,
        extra_checks,
    };
    let stage = Stage::begin(talk);
    let loaded = Description::load(located, &options);
    // Every specification includes the built-in modules of LALA.
    let names = loaded.sources.iter().map(Source::name).filter(|name| !name.starts_with("<built-in "));
    let files: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let verb = if loaded.description.is_some() { "loaded" } else { "read" };
    stage.end(format_args!("{verb} {} from {}", located.kind.with_article(), files.join(", ")));
    loaded
}

/// The option that may help with a problem. Libraries do not know the options of the command line.
pub fn advice(diagnostics: &Diagnostics) -> Option<&'static str> {
    const MISSING_IMPORT: Code = Code::tool("antlr", 110);
    let is_missing = diagnostics.iter().any(|found| found.code == MISSING_IMPORT);
    is_missing.then_some("`--lib DIR` names a folder with imported grammars")
}

/// Applies `--start`.
///
/// # Errors
/// There is no such rule: wrong use.
pub fn set_start(description: &mut Description, options: &LanguageOptions) -> Result<(), Failure> {
    let Some(name) = &options.start else { return Ok(()) };
    description.set_start(name).map_err(|error| {
        let failure = Failure::usage(error.to_string());
        match error.similar {
            Some(similar) => failure.help(format!("did you mean `{similar}`?")),
            None => failure,
        }
    })
}

/// The rule to start from.
///
/// # Errors
/// A lexer grammar has none unless `--start` names a token rule.
pub fn start_rule(description: &Description) -> Result<RuleId, Failure> {
    description.start().ok_or_else(|| {
        Failure::usage(format!("`{}` is a lexer grammar: it has no rule to start from", description.name()))
            .help("--start TOKEN starts from a token rule")
    })
}

fn incapable(located: &Located<'_>, wanted: Option<Capability>) -> Failure {
    let kinds = DescriptionKind::preferred(wanted);
    let needed = kinds.iter().map(|kind| format!("{} (`.{}`)", kind.with_article(), kind.extensions()[0]));
    let needed = needed.collect::<Vec<_>>().join(" or ");
    Failure::unusable(format!("`{}` is {}", located.path.display(), located.kind.with_article()))
        .help(format!("this command needs {needed}"))
}

fn known_extensions() -> String {
    let all = DescriptionKind::ALL.iter().flat_map(|kind| kind.extensions());
    all.map(|extension| format!("`.{extension}`")).collect::<Vec<_>>().join(", ")
}
