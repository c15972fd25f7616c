//! Prints a grammar as a `.g4` file that ANTLR loads.
//!
//! A grammar with one mode and the standard channels is printed as a combined grammar; any other one as a parser
//! grammar that declares its tokens, since a combined grammar has no modes. Quantifiers that ANTLR does not have (from
//! other front ends) are printed as `{2,3}`, which it does not load.

use polysmith_grammar::{Grammar, RuleId, RuleKind, TokenNames, TokenType};
use std::fmt::Write;

/// Prints a grammar. What a `Grammar` does not contain (options, named actions, arguments) is not printed.
///
/// ```
/// let text = "grammar Calc; s : e EOF ; e : e '+' e | INT ; INT : [0-9]+ ; WS : ' ' -> skip ;";
/// let calc = polysmith_antlr::read_str("Calc", text).grammar;
/// let printed = polysmith_antlr::print(&calc);
/// assert_eq!(polysmith_antlr::read_str("Calc", &printed).grammar, calc);
/// ```
pub fn print(grammar: &Grammar) -> String {
    print_as(grammar.name(), grammar)
}

/// Prints a grammar under another name. ANTLR loads a grammar only from a file of the same name.
pub fn print_as(name: &str, grammar: &Grammar) -> String {
    let combined = grammar.lexer().modes.len() <= 1 && grammar.lexer().channels.len() <= 2;
    let names = if combined { TokenNames::Literals } else { TokenNames::Symbols };
    let mut out = String::new();
    let kind = if combined { "grammar" } else { "parser grammar" };
    line(&mut out, format_args!("{kind} {name};\n"));
    let declared: Vec<String> =
        grammar.tokens().types().filter_map(|t| declared(grammar, t, combined)).collect();
    if !declared.is_empty() {
        line(&mut out, format_args!("tokens {{ {} }}\n", declared.join(", ")));
    }
    for id in grammar.rules().filter(|id| is_written(grammar, *id, combined)) {
        let rule = grammar.rule(id);
        let fragment = if rule.kind == RuleKind::Fragment { "fragment " } else { "" };
        line(
            &mut out,
            format_args!("{fragment}{} : {} ;", rule.name, grammar.show_block_with(rule.body(), names)),
        );
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a string takes everything");
}

/// Whether a rule is printed: parser rules always; token rules in a combined grammar, except those that ANTLR creates
/// for literals.
fn is_written(grammar: &Grammar, id: RuleId, combined: bool) -> bool {
    let rule = grammar.rule(id);
    rule.kind == RuleKind::Parser || combined && !rule.name.starts_with("T__")
}

/// The name of a token that no rule introduces.
fn declared(grammar: &Grammar, token: TokenType, combined: bool) -> Option<String> {
    let entry = grammar.tokens().get(token);
    let name = entry.name.as_ref()?;
    let made = combined && (entry.literal.is_some() || grammar.rule_named(name).is_some());
    (!made).then(|| name.clone())
}

/// Whether a word can be the name of an ANTLR grammar: a letter, then letters, digits and underscores.
pub fn is_grammar_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}
