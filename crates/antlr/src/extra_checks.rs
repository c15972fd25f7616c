//! Checks beyond those of ANTLR's tool.
//!
//! They run only for grammars without errors, because an unknown rule would make many others look unused. A caller
//! that only uses a grammar checks for errors alone ([`ExtraChecks::Errors`]).

mod shadow;
mod target;
mod useless;

use crate::codes;
use crate::lower::MAX_CHANNEL;
use crate::read::{ExtraChecks, ReadOptions};
use crate::report::Report;
use crate::split::Halves;
use crate::syntax::tree::{File, Options};
use crate::vocabulary::MAX_TOKEN_TYPE;
use polysmith_grammar::Grammar;
use polysmith_grammar::analysis::{Productive, Uses};

/// Checks the lowered grammar and the files that it was read from.
pub(crate) fn check(grammar: &Grammar, halves: &Halves, options: &ReadOptions, report: &mut Report<'_>) {
    report.set_later(false);
    if options.extra_checks == ExtraChecks::All {
        warnings(grammar, halves, report);
    }
    if options.extra_checks == ExtraChecks::All || options.no_target_code {
        target::check(grammar, halves, options.no_target_code, report);
    }
}

/// Reports what is unusual but does not make the grammar unusable.
fn warnings(grammar: &Grammar, halves: &Halves, report: &mut Report<'_>) {
    let uses = Uses::of(grammar);
    endless(grammar, &Productive::of(grammar, &uses), report);
    start(grammar, report);
    useless::check(grammar, &uses, report);
    shadow::check(grammar, report);
    // The implicit lexer of a combined grammar repeats the options of the parser half.
    for file in [&halves.lexer, &halves.parser].into_iter().flatten().map(|part| &part.file) {
        superfluous(file, report);
    }
    if let Some(lexer) = &halves.lexer {
        numbers(grammar, &lexer.file, report);
    }
}

/// Reports rules without any finite text. Such a grammar can be parsed with; nothing can be generated from it.
fn endless(grammar: &Grammar, productive: &Productive, report: &mut Report<'_>) {
    for rule in grammar.rules().filter(|rule| !productive.rule(*rule)) {
        let Some(span) = grammar.rule_span(rule) else { continue };
        let name = &grammar.rule(rule).name;
        let help = "add an alternative without recursion and without `{false}?`";
        if grammar.start() == Some(rule) {
            let message =
                format!("the start rule `{name}` matches no text, so nothing is accepted or generated");
            report.extra_warning(codes::NO_TEXT, span, message).help(help);
        } else {
            report.extra_warning(codes::ENDLESS, span, format!("rule `{name}` matches no text")).help(help);
        }
    }
}

/// Warns of a start rule that does not end with `EOF`.
fn start(grammar: &Grammar, report: &mut Report<'_>) {
    let Some((rule, span)) = grammar.start().and_then(|rule| Some((rule, grammar.rule_span(rule)?))) else {
        return;
    };
    let blocks = polysmith_grammar::BlockId::range(grammar.rule(rule).blocks.clone());
    let eof = polysmith_grammar::ElementKind::Token(polysmith_grammar::TokenType::EOF);
    let has_eof = blocks
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt))
        .any(|element| element.kind == eof);
    if !has_eof {
        let name = &grammar.rule(rule).name;
        let message =
            format!("the start rule `{name}` does not end in `EOF`, so it accepts a part of the input");
        report.extra_warning(codes::NO_EOF, span, message).help("write `EOF` after it");
    }
}

/// Reports options that set the default value.
fn superfluous(file: &File, report: &mut Report<'_>) {
    for options in file.options() {
        superfluous_options(options, report);
    }
    for options in file.all_rules().flat_map(|(_, rule)| &rule.options) {
        if options.entries.is_empty() {
            superfluous_options(options, report);
        }
    }
}

fn superfluous_options(options: &Options, report: &mut Report<'_>) {
    if options.entries.is_empty() {
        report
            .extra_warning(codes::SUPERFLUOUS, options.keyword, "these options are empty")
            .help("remove the section");
    }
    for entry in &options.entries {
        let value = entry.value.as_ref().map(|value| value.text.as_str());
        if entry.name.text == "caseInsensitive" && value == Some("false") {
            let message = "`caseInsensitive = false` holds anyway";
            report.extra_warning(codes::SUPERFLUOUS, entry.name.span, message).help("remove the option");
        }
    }
}

/// Reports commands that were omitted because their number is out of range.
fn numbers(grammar: &Grammar, file: &File, report: &mut Report<'_>) {
    let alternatives = file.all_rules().flat_map(|(_, rule)| &rule.body.alternatives);
    for command in alternatives.flat_map(|alternative| &alternative.commands) {
        let Some(argument) = command.argument.as_ref().filter(|argument| is_number(&argument.text)) else {
            continue;
        };
        let (least, greatest, what) = match command.name.text.as_str() {
            "type" => (1, MAX_TOKEN_TYPE, "token type"),
            "channel" => (0, MAX_CHANNEL as usize, "channel"),
            "mode" | "pushMode" => (0, grammar.lexer().modes.len().saturating_sub(1), "mode"),
            _ => continue,
        };
        if !argument.text.parse().is_ok_and(|number: usize| (least..=greatest).contains(&number)) {
            let message = format!("there is no {what} {}, so this command is left out", argument.text);
            let help = match what {
                "mode" => "use the name of a mode".to_owned(),
                _ => format!("use a number from {least} to {greatest}, or declare a name"),
            };
            report.extra_warning(codes::NUMBER, argument.span, message).help(help);
        }
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
