//! Reads a grammar: runs the stages in order.

use crate::check::{Context, check_halves};
use crate::extra_checks;
use crate::import;
use crate::load::{Loaded, Loader};
use crate::lower::lower;
use crate::report::Report;
use crate::split::{Halves, split};
use crate::syntax::tree::{File, GrammarKind};
use crate::vocabulary::Vocabulary;
use polysmith_grammar::Grammar;
use polysmith_source::{Diagnostics, Files, Memory, STDIN, SourceMap, Span};
use std::path::{Path, PathBuf};

/// What to read in addition to the grammar itself, and what to check.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The lexer grammar of a parser grammar; by default the one that `tokenVocab` names.
    pub lexer: Option<PathBuf>,
    /// Folders with imported grammars, searched after the grammar's own folder.
    pub libraries: Vec<PathBuf>,
    /// Whether target code that would have to run is an error instead of a warning.
    pub no_target_code: bool,
    /// Which checks beyond those of ANTLR's tool to run.
    pub extra_checks: ExtraChecks,
}

/// Which checks beyond those of ANTLR's tool are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExtraChecks {
    /// All checks.
    #[default]
    All,
    /// Only those for errors. Warnings take as long as the rest of reading.
    Errors,
}

/// The result of reading a grammar.
#[derive(Debug)]
pub struct Read {
    /// As much of the grammar as could be read; usable if there are no errors.
    pub grammar: Grammar,
    /// All texts that were read.
    pub sources: SourceMap,
    /// All problems, in the order in which ANTLR's tool would report them.
    pub diagnostics: Diagnostics,
    /// The token types, in the form of ANTLR's `.tokens` files.
    pub tokens: String,
    /// The classes that the option `superClass` of the lexer and of the parser names.
    pub super_classes: Vec<String>,
}

/// Reads the grammar in `path`, with its imports and its lexer.
pub fn read(files: &dyn Files, path: &Path, options: &ReadOptions) -> Read {
    let mut diagnostics = Diagnostics::default();
    let mut report = Report::new(&mut diagnostics);
    let mut loader = Loader::new(files, options);
    let main = loader.main(path, &mut report);
    let lexer = lexer_file(&main, &mut loader, options, &mut report);
    let (grammar, halves, vocabulary) = link(main, lexer, &mut loader, &mut report);
    if report.n_errors() == 0 {
        extra_checks::check(&grammar, &halves, options, &mut report);
    }
    let super_classes = super_classes(&halves);
    Read { grammar, sources: loader.sources, diagnostics, tokens: vocabulary.print(), super_classes }
}

fn super_classes(halves: &Halves) -> Vec<String> {
    let files = [&halves.lexer, &halves.parser].into_iter().flatten().map(|part| &part.file);
    let options = files.filter_map(|file| file.option("superClass")?.value.as_ref());
    let mut classes: Vec<String> = options.map(|class| class.text.to_string()).collect();
    classes.dedup();
    classes
}

/// Reads a grammar from a text alone.
pub fn read_str(name: &str, text: &str) -> Read {
    let path = PathBuf::from(format!("{name}.g4"));
    let files = Memory::default().with(&path, text.as_bytes());
    read(&files, &path, &ReadOptions::default())
}

/// Merges imports, checks, numbers tokens, lowers.
fn link(
    main: Loaded,
    lexer: Option<Loaded>,
    loader: &mut Loader<'_>,
    report: &mut Report<'_>,
) -> (Grammar, Halves, Vocabulary) {
    let name = main.file.name.text.clone();
    let has_lexer = lexer.is_some();
    let mut vocabulary = Vocabulary::default();
    let mut lexer_half = None;
    if let Some(lexer) = lexer {
        let (halves, known) = root(lexer, vocabulary, false, loader, report);
        vocabulary = known;
        lexer_half = halves.lexer;
    }
    let (mut halves, vocabulary) = root(main, vocabulary, has_lexer, loader, report);
    halves.lexer = halves.lexer.or(lexer_half);
    (lower(&name, &halves, &vocabulary), halves, vocabulary)
}

/// Takes one file through imports, splitting and checks. Returns its halves and all token types known so far.
fn root(
    loaded: Loaded,
    known: Vocabulary,
    has_lexer: bool,
    loader: &mut Loader<'_>,
    report: &mut Report<'_>,
) -> (Halves, Vocabulary) {
    let Loaded { path, mut file } = loaded;
    let imports = import::merge(&mut file, &path, loader, report);
    let given = if has_lexer { None } else { tokens_file(&file, &path, loader, report) };
    let vocabulary_missing = !has_lexer && given.is_none() && file.option("tokenVocab").is_some();
    let halves = split(file);
    let known = given.unwrap_or(known);
    let has_name = path != Path::new(STDIN);
    let file_stem = path.file_stem().filter(|_| has_name).and_then(|stem| stem.to_str());
    let context = Context { imports: &imports, file_stem, vocabulary: &known, vocabulary_missing };
    check_halves(&halves, &context, report);
    let mut vocabulary = match &halves.lexer {
        Some(lexer) => Vocabulary::of_lexer(&lexer.file, known),
        None => known,
    };
    if let Some(parser) = &halves.parser {
        vocabulary.extend_by_parser(&parser.file);
    }
    (halves, vocabulary)
}

/// The lexer grammar of a parser grammar: the given one, or the one that `tokenVocab` names.
fn lexer_file(
    main: &Loaded,
    loader: &mut Loader<'_>,
    options: &ReadOptions,
    report: &mut Report<'_>,
) -> Option<Loaded> {
    if main.file.kind != GrammarKind::Parser {
        return None;
    }
    if let Some(path) = &options.lexer {
        return Some(loader.main(path, report));
    }
    let name = main.file.option("tokenVocab")?.value.as_ref()?.text.clone();
    let loaded = loader.grammar(&name, &main.path, &main.path, report)?;
    (loaded.file.kind == GrammarKind::Lexer).then_some(loaded)
}

/// The vocabulary of the `.tokens` file that `tokenVocab` names.
fn tokens_file(
    file: &File,
    path: &Path,
    loader: &mut Loader<'_>,
    report: &mut Report<'_>,
) -> Option<Vocabulary> {
    let name = &file.option("tokenVocab")?.value.as_ref()?.text;
    let (path, text) = loader.tokens(name, path)?;
    let (vocabulary, wrong) = Vocabulary::parse(&text);
    if !wrong.is_empty() {
        let source = loader.sources.add(path.display().to_string(), text.as_str());
        for line in wrong {
            let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
            let span = Span::new(source, start, end);
            report
                .at(21, span, "this line is no `NAME=number`")
                .help("make the file anew from its lexer grammar");
        }
    }
    Some(vocabulary)
}
