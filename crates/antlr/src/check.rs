//! Checks in the stages of ANTLR's tool.
//!
//! Each half of a grammar goes through the stages below, the lexer half first. ANTLR's tool stops a half after
//! a stage with errors; here the later stages run too, and what they find is marked. A file that is the same
//! to ANTLR is the same to us: codes, places and order come from its sources, the words are ours.

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

use crate::import::Misplaced;
use crate::report::Report;
use crate::split::{Halves, Part};
use crate::syntax::tree::{File, RuleKind};
use crate::vocabulary::Vocabulary;
use polysmith_source::{Place, Span};

/// What the checks need beside the half itself.
pub(crate) struct Context<'a> {
    /// The imports that were found, with their kinds.
    pub(crate) imports: &'a [Misplaced],
    /// The stem of the file's name.
    pub(crate) file_stem: Option<&'a str>,
    /// What the half knows of tokens before its own are added.
    pub(crate) vocabulary: &'a Vocabulary,
    /// `tokenVocab` names something that was not found.
    pub(crate) vocabulary_missing: bool,
}

/// Checks one half. Returns whether ANTLR's tool would get as far as numbering its tokens.
fn check(part: &Part, context: &Context<'_>, report: &mut Report<'_>) -> bool {
    let file = &part.file;
    report.set_later(file.broken);
    let before = report.n_errors();
    references::check(file, report);
    stop_if_errors(before, report);
    basics::check(part, context, report);
    stop_if_errors(before, report);
    // Half of a broken file may be missing: what the later stages find would mislead.
    if file.broken {
        return true;
    }
    recursion::check(file, report);
    stop_if_errors(before, report);
    let is_numbered = !report.is_later();
    symbols::check(part, context, report);
    stop_if_errors(before, report);
    let was_later = report.is_later();
    // Code is looked at only if the whole run has been free of errors so far.
    stop_if_errors(0, report);
    let skipped = report.is_later() && !was_later;
    actions::check(part, report);
    report.set_later(was_later);
    if !skipped {
        stop_if_errors(before, report);
    }
    network(file, context, report);
    if skipped && !report.is_later() {
        actions::check_when_generating(part, report);
    }
    is_numbered
}

/// What ANTLR's tool finds when it builds and analyses its network.
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
            // The tool then knows no token of its own lexer, and says so for each of them.
            (true, false) => Vocabulary::default(),
        };
    }
    if let Some(parser) = &halves.parser {
        check(parser, &Context { vocabulary: &base, ..*context }, report);
    }
}

/// The place of something in a rule; rules made for literals stand nowhere.
pub(crate) fn place(file: &File, rule: &crate::syntax::tree::Rule, span: Span) -> Place {
    if rule.implicit { Place::File(file.source) } else { Place::Span(span) }
}

/// The parser rules of a half.
pub(crate) fn parser_rules(file: &File) -> impl Iterator<Item = &crate::syntax::tree::Rule> {
    file.rules.iter().filter(|rule| rule.kind == RuleKind::Parser)
}
