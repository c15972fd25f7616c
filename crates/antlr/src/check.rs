//! The checks, in the stages of ANTLR's tool.
//!
//! Each half of a grammar passes the stages below, the lexer half first. ANTLR's tool stops a half after a stage with
//! errors; here the later stages run too, and their problems are marked. Codes, locations and order are those of
//! ANTLR's tool; the wording is ours.

mod actions;
mod basics;
mod commands;
mod declarations;
mod empty;
mod labels;
mod lexer_chars;
mod options;
mod recursion;
mod references;
mod symbols;
mod vocabulary;

use crate::import::DirectImport;
use crate::report::Report;
use crate::split::{GrammarHalf, Halves};
use crate::syntax::tree::{File, RuleKind};
use crate::vocabulary::Vocabulary;
use polysmith_source::{Location, Span};

/// What the checks need in addition to the half itself.
pub(crate) struct Context<'a> {
    /// The direct imports with their kinds.
    pub(crate) imports: &'a [DirectImport],
    /// The stem of the file's name.
    pub(crate) file_stem: Option<&'a str>,
    /// The token types that are known before those of the half are added.
    pub(crate) vocabulary: &'a Vocabulary,
    /// Whether the file that `tokenVocab` names was not found.
    pub(crate) vocabulary_missing: bool,
}

/// Checks one half. Returns whether ANTLR's tool would get as far as numbering its tokens.
fn check(half: &GrammarHalf, context: &Context<'_>, report: &mut Report<'_>) -> bool {
    let file = &half.file;
    report.set_later(file.broken);
    let before = report.n_errors();
    references::check(file, report);
    stop_if_errors(before, report);
    basics::check(half, context, report);
    stop_if_errors(before, report);
    // GrammarHalf of a file with syntax errors may be missing: later stages would report misleading errors.
    if file.broken {
        return true;
    }
    recursion::check(file, report);
    stop_if_errors(before, report);
    let is_numbered = !report.is_later();
    symbols::check(half, context, report);
    stop_if_errors(before, report);
    let was_later = report.is_later();
    // Code is checked only if the whole run has no errors so far.
    stop_if_errors(0, report);
    let skipped = report.is_later() && !was_later;
    actions::check(half, report);
    report.set_later(was_later);
    if !skipped {
        stop_if_errors(before, report);
    }
    network(file, context, report);
    if skipped && !report.is_later() {
        actions::check_when_generating(half, report);
    }
    is_numbered
}

/// The checks that ANTLR's tool makes while it builds and analyses its network.
fn network(file: &File, context: &Context<'_>, report: &mut Report<'_>) {
    let is_lexer = file.kind == crate::syntax::tree::GrammarKind::Lexer;
    if is_lexer {
        let vocabulary = Vocabulary::of_lexer(file, context.vocabulary.clone());
        lexer_chars::check(file, &vocabulary, report);
    } else {
        lexer_chars::check_parser(file, report);
    }
    empty::check(file, is_lexer, report);
}

fn stop_if_errors(before: usize, report: &mut Report<'_>) {
    if report.n_errors() > before {
        report.set_later(true);
    }
}

/// Checks the halves of one file.
pub(crate) fn check_halves(halves: &Halves, context: &Context<'_>, report: &mut Report<'_>) {
    let mut base = context.vocabulary.clone();
    if let Some(lexer) = &halves.lexer {
        let lexer_context =
            Context { vocabulary_missing: context.vocabulary_missing && !lexer.combined, ..*context };
        let is_numbered = check(lexer, &lexer_context, report);
        base = match (lexer.combined, is_numbered) {
            (false, _) => base,
            (true, true) => Vocabulary::of_lexer(&lexer.file, Vocabulary::default()),
            // ANTLR's tool then knows no token of its own lexer, and reports each of them.
            (true, false) => Vocabulary::default(),
        };
    }
    if let Some(parser) = &halves.parser {
        check(parser, &Context { vocabulary: &base, ..*context }, report);
    }
}

/// The location of something in a rule; rules created for literals have none.
pub(crate) fn place(file: &File, rule: &crate::syntax::tree::Rule, span: Span) -> Location {
    if rule.implicit { Location::File(file.source) } else { Location::Span(span) }
}

/// The parser rules of a half.
pub(crate) fn parser_rules(file: &File) -> impl Iterator<Item = &crate::syntax::tree::Rule> {
    file.rules.iter().filter(|rule| rule.kind == RuleKind::Parser)
}
