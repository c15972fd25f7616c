//! ANTLR's LISP form: `(rule child child)`, lists flat, no hidden text.
//!
//! Token texts stand as they are but for line breaks and tabs, so the form cannot be read back in general. It
//! is what ANTLR's `toStringTree` prints, and what golden files contain.

use crate::node::{Kind, NodeId};
use crate::tree::Tree;
use polysmith_grammar::{Grammar, TokenType};

/// The LISP form, with missing tokens shown by their display name.
pub fn sexpr(tree: &Tree, grammar: &Grammar) -> String {
    sexpr_with(tree, grammar, &|token| grammar.tokens().display(token))
}

/// The LISP form, with missing tokens shown as the caller likes.
pub fn sexpr_with(tree: &Tree, grammar: &Grammar, missing: &dyn Fn(TokenType) -> String) -> String {
    let mut out = String::new();
    // For each open rule: where it ends, and whether its parenthesis has been written. A rule without visible
    // children stands there bare, so the parenthesis waits for the first child.
    let mut open: Vec<Open> = Vec::new();
    // A lexer that is amid a token when the text ends gives what it has to the end of the input, and the first leaf for
    // that end has it.
    let mut end_text: &[u8] = b"";
    for id in tree.subtree(NodeId::ROOT) {
        while open.last().is_some_and(|rule| rule.end <= id.index()) {
            close(&mut open, &mut out);
        }
        let text = tree.leaf_text(id);
        if let Kind::Token(TokenType::EOF) | Kind::Error(TokenType::EOF) = tree.kind(id)
            && !text.is_empty()
        {
            end_text = text;
        }
        let shown = match tree.kind(id) {
            Kind::Rule { rule, .. } => grammar.rule(rule).name.clone(),
            Kind::Error(TokenType::EOF) => "<EOF>".into(),
            Kind::Token(TokenType::EOF) => text_or_end(end_text),
            Kind::Token(_) | Kind::Error(_) => text_or_end(text),
            Kind::Missing(token) => {
                format!("<missing {}>", if token == TokenType::EOF { "EOF".into() } else { missing(token) })
            }
            Kind::List { .. } | Kind::Item { .. } | Kind::Hidden(_) | Kind::Gap(_) => continue,
        };
        if let Some(parent) = open.last_mut() {
            if !parent.has_children {
                out.insert(parent.start, '(');
                parent.has_children = true;
            }
            out.push(' ');
        }
        let start = out.len();
        escape(&shown, &mut out);
        if let Kind::Rule { .. } = tree.kind(id) {
            open.push(Open { start, end: tree.range(id).end, has_children: false });
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut out);
    }
    out
}

/// A token's text; ANTLR shows one without any as the end of the input.
fn text_or_end(text: &[u8]) -> String {
    if text.is_empty() { "<EOF>".into() } else { String::from_utf8_lossy(text).into_owned() }
}

struct Open {
    start: usize,
    end: usize,
    has_children: bool,
}

fn close(open: &mut Vec<Open>, out: &mut String) {
    if open.pop().is_some_and(|rule| rule.has_children) {
        out.push(')');
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
}
