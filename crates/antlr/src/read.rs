//! The stages in order.

use crate::import;
use crate::load::{Loaded, Loader};
use crate::lower::lower;
use crate::report::Report;
use crate::split::{Halves, split};
use crate::syntax::tree::{File, GrammarKind};
use crate::vocabulary::Vocabulary;
use polysmith_grammar::Grammar;
use polysmith_source::{Diagnostics, Files, Memory, SourceMap};
use std::path::{Path, PathBuf};

/// What to read beside the grammar itself.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The lexer grammar of a parser grammar; else `tokenVocab` names it.
    pub lexer: Option<PathBuf>,
    /// Folders with imported grammars, after the grammar's own.
    pub libraries: Vec<PathBuf>,
    /// Target code that would have to run is an error, not a warning.
    pub no_target_code: bool,
}

/// A grammar that was read.
#[derive(Debug)]
pub struct Read {
    /// As much of it as could be understood; usable if there are no errors.
    pub grammar: Grammar,
    /// All texts that were read.
    pub sources: SourceMap,
    /// What is wrong, in the order in which ANTLR's tool would say it.
    pub diagnostics: Diagnostics,
    /// The token types, in the form of ANTLR's `.tokens` files.
    pub tokens: String,
}

/// Reads the grammar in `path`, with its imports and its lexer.
pub fn read(files: &dyn Files, path: &Path, options: &ReadOptions) -> Read {
    let mut diagnostics = Diagnostics::default();
    let mut report = Report::new(&mut diagnostics);
    let mut loader = Loader::new(files, options);
    let main = loader.main(path, &mut report);
    let lexer = lexer_file(&main, &mut loader, options, &mut report);
    let (grammar, tokens) = link(main, lexer, &mut loader, &mut report);
    Read { grammar, sources: loader.sources, diagnostics, tokens }
}

/// Reads a grammar from a text alone.
pub fn read_str(name: &str, text: &str) -> Read {
    let path = PathBuf::from(format!("{name}.g4"));
    let files = Memory::default().with(&path, text.as_bytes());
    read(&files, &path, &ReadOptions::default())
}

/// Merges imports, numbers tokens, lowers.
fn link(
    main: Loaded,
    lexer: Option<Loaded>,
    loader: &mut Loader<'_>,
    report: &mut Report<'_>,
) -> (Grammar, String) {
    let name = main.file.name.text.clone();
    let lexer = lexer.map(|mut lexer| {
        import::merge(&mut lexer.file, &lexer.path, loader, report);
        lexer.file
    });
    let mut root = main.file;
    import::merge(&mut root, &main.path, loader, report);
    let vocab_file = lexer.as_ref().is_none().then(|| tokens_file(&root, &main.path, loader)).flatten();
    let mut halves = split(root);
    if let Some(lexer) = lexer {
        halves.lexer = split(lexer).lexer;
    }
    let vocabulary = vocabulary(&halves, vocab_file);
    (lower(&name, &halves, &vocabulary), vocabulary.print())
}

fn vocabulary(halves: &Halves, imported: Option<Vocabulary>) -> Vocabulary {
    let mut vocabulary = match &halves.lexer {
        Some(lexer) => Vocabulary::of_lexer(&lexer.file, imported.unwrap_or_default()),
        None => imported.unwrap_or_default(),
    };
    if let Some(parser) = &halves.parser {
        vocabulary.extend_by_parser(&parser.file);
    }
    vocabulary
}

/// The lexer grammar of a parser grammar: the one given, else the one that `tokenVocab` names.
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

fn tokens_file(file: &File, path: &Path, loader: &Loader<'_>) -> Option<Vocabulary> {
    let name = &file.option("tokenVocab")?.value.as_ref()?.text;
    let (_, text) = loader.tokens(name, path)?;
    Some(Vocabulary::parse(&text).0)
}
