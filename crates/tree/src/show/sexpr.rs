//! ANTLR's LISP form: `(rule child child)`, lists flat, no hidden text.
//!
//! Token texts stand as they are but for line breaks and tabs, so the form cannot be read back in general. It
//! is what ANTLR's `toStringTree` prints, and what golden files contain.

use crate::node::{Kind, NodeId};
use crate::tree::Tree;
use polysmith_grammar::{AltId, BlockId, Command, ElementKind, Grammar, RuleId, RuleKind, TokenType};
use std::fmt::{self, Write};

/// The LISP form, with missing tokens shown by their display name.
pub fn sexpr(tree: &Tree, grammar: &Grammar) -> String {
    sexpr_with(tree, grammar, &|token| grammar.tokens().display(token))
}

/// The LISP form, with missing tokens shown as the caller likes.
pub fn sexpr_with(tree: &Tree, grammar: &Grammar, missing: &dyn Fn(TokenType) -> String) -> String {
    super::collected(|out| write_sexpr(tree, grammar, missing, out))
}

/// Writes the LISP form as it goes, with missing tokens shown as the caller likes.
///
/// # Errors
/// Those of `out`.
pub fn write_sexpr(
    tree: &Tree,
    grammar: &Grammar,
    missing: &dyn Fn(TokenType) -> String,
    out: &mut dyn Write,
) -> fmt::Result {
    let mut open: Vec<Open> = Vec::new();
    // The name of the innermost open rule while it has no visible child: only a rule with children has parentheses.
    let mut waiting: Option<&str> = None;
    // A lexer that is amid a token when the text ends gives what it has to the end of the input, and the first leaf for
    // that end has it.
    let mut end_text: &[u8] = b"";
    for id in tree.subtree(NodeId::ROOT) {
        while open.last().is_some_and(|rule| rule.end <= id.index()) {
            close(&mut open, &mut waiting, out)?;
        }
        let text = tree.leaf_text(id);
        if let Kind::Token(TokenType::EOF) | Kind::Error(TokenType::EOF) = tree.kind(id)
            && !text.is_empty()
        {
            end_text = text;
        }
        let shown = match tree.kind(id) {
            Kind::Rule { .. } => String::new(),
            Kind::Error(TokenType::EOF) => "<EOF>".into(),
            Kind::Token(TokenType::EOF) => text_or_end(end_text),
            Kind::Token(token) | Kind::Error(token) if text.is_empty() => shown_without_text(grammar, token),
            Kind::Token(_) | Kind::Error(_) => text_or_end(text),
            Kind::Missing(token) => {
                format!("<missing {}>", if token == TokenType::EOF { "EOF".into() } else { missing(token) })
            }
            Kind::List { .. } | Kind::Item { .. } | Kind::Hidden(_) | Kind::Gap(_) => continue,
        };
        if let Some(parent) = waiting.take() {
            write!(out, "({parent}")?;
        }
        if !open.is_empty() {
            out.write_char(' ')?;
        }
        open.last_mut().into_iter().for_each(|parent| parent.has_children = true);
        if let Kind::Rule { rule, .. } = tree.kind(id) {
            waiting = Some(&grammar.rule(rule).name);
            open.push(Open { end: tree.range(id).end, has_children: false });
        } else {
            escape(&shown, out)?;
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut waiting, out)?;
    }
    Ok(())
}

/// A token's text; ANTLR shows one without any as the end of the input.
fn text_or_end(text: &[u8]) -> String {
    if text.is_empty() { "<EOF>".into() } else { String::from_utf8_lossy(text).into_owned() }
}

/// A token without text. If a token rule of its type reads the end of the input, it is that end. Else it was inserted, and
/// is shown by its name.
fn shown_without_text(grammar: &Grammar, token: TokenType) -> String {
    let mut todo: Vec<RuleId> = grammar.rules().filter(|rule| makes(grammar, *rule, token)).collect();
    let mut at = 0;
    while let Some(rule) = todo.get(at) {
        at += 1;
        let blocks = BlockId::range(grammar.rule(*rule).blocks.clone());
        let alternatives: Vec<AltId> = blocks.flat_map(|block| grammar.alternatives(block)).collect();
        let is_empty = |alt: &AltId| grammar.elements(*alt).is_empty();
        if alternatives.iter().any(is_empty) {
            return text_or_end(b"");
        }
        for element in alternatives.iter().flat_map(|alt| grammar.elements(*alt)) {
            match element.kind {
                ElementKind::Token(TokenType::EOF) => return text_or_end(b""),
                ElementKind::Rule(called) if !todo.contains(&called) => todo.push(called),
                _ => {}
            }
        }
    }
    let known = (token.index() < grammar.tokens().len()).then(|| grammar.tokens().get(token));
    match known.and_then(|token| token.name.as_ref()) {
        Some(name) => format!("<{name}>"),
        None => text_or_end(b""),
    }
}

/// Whether a token rule makes tokens of a type.
fn makes(grammar: &Grammar, rule: RuleId, token: TokenType) -> bool {
    let commands = || {
        let alternatives = grammar.alternatives(grammar.rule(rule).body());
        alternatives.flat_map(|alt| &grammar.alternative(alt).commands)
    };
    match grammar.rule(rule).kind {
        RuleKind::Token { token: own, .. } => {
            own == Some(token) || commands().any(|command| *command == Command::Type(token))
        }
        _ => false,
    }
}

/// An open rule.
struct Open {
    end: usize,
    has_children: bool,
}

fn close(open: &mut Vec<Open>, waiting: &mut Option<&str>, out: &mut dyn Write) -> fmt::Result {
    match (open.pop(), waiting.take()) {
        (_, Some(name)) => out.write_str(name),
        (Some(Open { has_children: true, .. }), None) => out.write_char(')'),
        _ => Ok(()),
    }
}

fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
    for c in text.chars() {
        match c {
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            c => out.write_char(c)?,
        }
    }
    Ok(())
}
