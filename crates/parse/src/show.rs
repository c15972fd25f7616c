//! Token streams as text.

use crate::lexer::Lexed;
use crate::position::Positions;
use polysmith_grammar::{Grammar, TokenType};
use std::fmt::Write as _;

/// One line per token, tab-separated: index, type name, type number, line:column, channel, start:stop, text.
/// Columns count from 0, `start` and `stop` in code points, `stop` included.
pub fn show_tokens(grammar: &Grammar, lexed: &Lexed, text: &str) -> String {
    let positions = Positions::new(text);
    let mut out = String::new();
    // Tokens are in order, so code points are counted once.
    let (mut byte, mut chars) = (0, 0i64);
    for (at, token) in lexed.tokens.iter().enumerate() {
        let (start, end) = (token.start as usize, token.end as usize);
        chars += text[byte.min(start)..start].chars().count() as i64;
        byte = start;
        let stop = chars + text[start..end].chars().count() as i64 - 1;
        let (line, column) = positions.antlr(start);
        let _ = write!(out, "{at}\t{}\t{}\t", type_name(grammar, token.kind), token.kind.antlr());
        let _ = write!(out, "{line}:{column}\t{}\t{chars}:{stop}\t", token.channel);
        let shown = if start >= text.len() { "<EOF>" } else { &text[start..end] };
        escape(shown, &mut out);
        out.push('\n');
    }
    out
}

/// The name of a type; the literal where the name is only a number that ANTLR made up; else the number.
pub fn type_name(grammar: &Grammar, kind: TokenType) -> String {
    if kind.index() >= grammar.tokens().len() {
        return kind.antlr().to_string();
    }
    let token = grammar.tokens().get(kind);
    match &token.name {
        Some(name) if token.literal.is_none() || !name.starts_with("T__") => name.clone(),
        _ => grammar.tokens().display(kind),
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 32 || c as u32 == 127 => {
                let _ = write!(out, "\\u{{{:X}}}", c as u32);
            }
            c => out.push(c),
        }
    }
}
