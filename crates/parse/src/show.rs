//! Token streams as text.

use crate::lexer::Lexed;
use crate::position::PositionCursor;
use polysmith_grammar::{Grammar, TokenType};
use std::fmt::{self, Write};

/// One line per token, tab-separated: index, type name, type number, line:column, channel, start:stop, text.
/// Columns count from 0, `start` and `stop` in code points, `stop` included.
pub fn show_tokens(grammar: &Grammar, lexed: &Lexed, text: &str) -> String {
    let mut out = String::new();
    write_tokens(grammar, lexed, text, &mut out).expect("a string takes any text");
    out
}

/// Writes what [`show_tokens`] returns, as it goes.
///
/// # Errors
/// Those of `out`.
pub fn write_tokens(grammar: &Grammar, lexed: &Lexed, text: &str, out: &mut dyn Write) -> fmt::Result {
    let mut cursor = PositionCursor::new(text);
    for (at, token) in lexed.tokens.iter().enumerate() {
        let (start, end) = (token.start as usize, token.end as usize);
        cursor.advance(start);
        let first = cursor.code_points() as i64;
        let last = first + text[start..end].chars().count() as i64 - 1;
        let (line, column) = cursor.antlr();
        write!(out, "{at}\t{}\t{}\t", type_name(grammar, token.kind), token.kind.antlr())?;
        write!(out, "{line}:{column}\t{}\t{first}:{last}\t", token.channel)?;
        let shown = match lexed.inserted_text(at) {
            Some(shown) => shown,
            None if start >= text.len() => "<EOF>",
            None => &text[start..end],
        };
        escape(shown, out)?;
        out.write_char('\n')?;
    }
    Ok(())
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

fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
    for c in text.chars() {
        match c {
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            c if (c as u32) < 32 || c as u32 == 127 => write!(out, "\\u{{{:X}}}", c as u32)?,
            c => out.write_char(c)?,
        }
    }
    Ok(())
}
