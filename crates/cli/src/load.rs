//! From the word LANGUAGE to a grammar that can be used, with its side file.
//!
//! Every command that works on a grammar takes [`LanguageOptions`] and calls [`load`]. Problems are shown here;
//! a description with errors ends the command with exit 3.

use crate::failure::Failure;
use crate::front_ends::Kind;
use crate::language::{Located, Purpose, locate};
use crate::talk::{Talk, Verbosity};
use polysmith_antlr::side_file::{SideFile, read_side_file};
use polysmith_antlr::{Own, ReadOptions, read};
use polysmith_grammar::{Grammar, RuleId, RuleKind};
use polysmith_source::{Diagnostics, Encoding, SourceMap, codes, decode, nearest};
use std::io;
use std::path::PathBuf;

/// Options that say how a description is read.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Description")]
pub struct LanguageOptions {
    /// The rule to start from [default: the side file's, else the first parser rule]
    #[arg(long, value_name = "RULE")]
    pub start: Option<String>,
    /// The lexer grammar of a parser grammar [default: by `tokenVocab`]
    #[arg(long, value_name = "FILE")]
    pub lexer: Option<PathBuf>,
    /// A folder to look for imported grammars in, after the grammar's own
    #[arg(long = "lib", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,
    /// Target code that would have to run is an error
    #[arg(long)]
    pub no_target_code: bool,
}

/// A grammar, ready to be used.
#[derive(Debug)]
pub struct Loaded {
    /// The grammar.
    pub grammar: Grammar,
    /// What its side file says; nothing if there is none.
    pub side_file: SideFile,
    /// The rule to start from.
    pub start: RuleId,
    /// Where it was found.
    pub located: Located,
    /// All texts that were read.
    pub sources: SourceMap,
}

impl Loaded {
    /// The extension of its files, without the dot.
    pub fn extension(&self) -> &str {
        self.side_file.extensions.first().map_or("txt", String::as_str)
    }
}

/// A description as it was read, with all that is wrong.
#[derive(Debug)]
pub struct ReadGrammar {
    /// As much of the grammar as could be understood.
    pub grammar: Grammar,
    /// What its side file says.
    pub side_file: SideFile,
    /// All texts that were read.
    pub sources: SourceMap,
    /// What is wrong with grammar and side file.
    pub diagnostics: Diagnostics,
}

/// Finds and reads a grammar for a purpose; shows what is wrong with it.
///
/// # Errors
/// A word that names nothing, a description with errors and a start rule that is not there.
pub fn load(word: &str, purpose: Purpose, options: &LanguageOptions, talk: Talk) -> anyhow::Result<Loaded> {
    load_located(locate(word, purpose)?, options, talk)
}

/// The same for a description that was found already.
///
/// # Errors
/// A description with errors and a start rule that is not there.
pub fn load_located(located: Located, options: &LanguageOptions, talk: Talk) -> anyhow::Result<Loaded> {
    if located.kind != Kind::Antlr {
        return Err(Failure::unusable(format!("`{}` is a {}", located.path.display(), located.kind))
            .help("this command needs an ANTLR v4 grammar (`.g4`)")
            .into());
    }
    // Warnings are the business of `lint`; who wants to use the grammar sees them with `-v`.
    let shows_warnings = talk.verbosity() >= Verbosity::Verbose;
    let read = read_grammar(&located, options, if shows_warnings { Own::All } else { Own::Errors });
    let broken = read.diagnostics.has_errors();
    if broken || shows_warnings {
        talk.diagnostics(&read.sources, &read.diagnostics);
    }
    if broken {
        let path = located.path.display();
        return Err(Failure::unusable(format!("the errors above keep `{path}` from being used")).into());
    }
    let start = start_rule(&read, options)?;
    let ReadGrammar { grammar, side_file, sources, .. } = read;
    Ok(Loaded { grammar, side_file, start, located, sources })
}

/// Reads a `.g4` and its side file. Never fails: all that is wrong is in the diagnostics.
pub fn read_grammar(located: &Located, options: &LanguageOptions, own: Own) -> ReadGrammar {
    let read_options = ReadOptions {
        lexer: options.lexer.clone(),
        libraries: options.libraries.clone(),
        no_target_code: options.no_target_code,
        own,
    };
    let polysmith_antlr::Read { grammar, mut sources, mut diagnostics, .. } =
        read(located.files(), &located.path, &read_options);
    let side_file = side_file(located, &grammar, &mut sources, &mut diagnostics);
    ReadGrammar { grammar, side_file, sources, diagnostics }
}

fn side_file(
    located: &Located,
    grammar: &Grammar,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> SideFile {
    let path = located.path.with_extension("toml");
    let bytes = match located.files().read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return SideFile::default(),
        Err(error) => {
            let source = sources.add(path.display().to_string(), "");
            diagnostics.error(codes::UNREADABLE, source, format!("the side file cannot be read: {error}"));
            return SideFile::default();
        }
    };
    match decode(bytes, Encoding::Utf8) {
        Ok(text) => {
            let source = sources.add(path.display().to_string(), text.as_str());
            read_side_file(&text, source, grammar, diagnostics)
        }
        Err(error) => {
            let source = sources.add(path.display().to_string(), "");
            diagnostics.error(codes::NOT_TEXT, source, format!("the side file is not text: {error}"));
            SideFile::default()
        }
    }
}

/// `--start`, else the side file's, else the first parser rule; a lexer grammar has none but `--start TOKEN`.
fn start_rule(read: &ReadGrammar, options: &LanguageOptions) -> Result<RuleId, Failure> {
    let grammar = &read.grammar;
    if let Some(name) = &options.start {
        let not_fragment = |rule: &RuleId| grammar.rule(*rule).kind != RuleKind::Fragment;
        return grammar.rule_named(name).filter(not_fragment).ok_or_else(|| {
            let names = grammar.rules().filter(not_fragment).map(|rule| grammar.rule(rule).name.as_str());
            let failure =
                Failure::usage(format!("grammar `{}` has no rule `{name}` to start from", grammar.name()));
            match nearest(name, names) {
                Some(close) => failure.help(format!("did you mean `{close}`?")),
                None => failure,
            }
        });
    }
    read.side_file.start.or(grammar.start()).ok_or_else(|| {
        Failure::usage(format!("`{}` is a lexer grammar: it has no rule to start from", grammar.name()))
            .help("--start TOKEN starts from a token rule")
    })
}
