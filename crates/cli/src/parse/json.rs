//! The object of `--json`, written piece by piece: a tree as a JSON value takes many times the memory of the tree.

use super::one::{Format, Good};
use polysmith_grammar::Grammar;
use polysmith_parse::{Parser, PositionCursor, Token, type_name};
use polysmith_tree::{save, show};
use serde_json::json;
use std::fmt::{self, Write};
use std::path::Path;

impl Good {
    /// Writes the object and a line break.
    pub(super) fn write_json(
        &self,
        path: &Path,
        parser: &Parser,
        format: Format,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let grammar = parser.grammar();
        write!(out, "{{\"accepted\":{},\"errors\":[", self.errors.is_empty())?;
        self.write_errors(out)?;
        let (file, count) = (json!(path.display().to_string()), self.lexed.tokens.len());
        write!(out, "],\"file\":{file},\"token_count\":{count}")?;
        match (format, &self.tree) {
            (Format::Sexpr, Some(tree)) => {
                out.write_str(",\"tree\":\"")?;
                let missing = |token| parser.token_name(token);
                show::write_sexpr(tree, grammar, &missing, &mut Escaped(out))?;
                out.write_char('"')?;
            }
            (Format::Json, Some(tree)) => {
                out.write_str(",\"tree\":")?;
                save::write_json_tree(tree, grammar, out)?;
            }
            (Format::Tokens, _) => {
                out.write_str(",\"tokens\":[")?;
                self.write_tokens(grammar, out)?;
                out.write_char(']')?;
            }
            _ => {}
        }
        out.write_str(",\"v\":1}\n")
    }

    fn write_errors(&self, out: &mut dyn Write) -> fmt::Result {
        if self.errors.is_empty() {
            return Ok(());
        }
        let mut cursor = PositionCursor::new(&self.text);
        let mut order = vec![0; self.errors.len()];
        for (place, index) in self.report_order.iter().enumerate() {
            order[*index as usize] = place;
        }
        for (index, (error, order)) in self.errors.iter().zip(order).enumerate() {
            cursor.advance(error.start);
            let (line, column) = cursor.antlr();
            let object = json!({
                "kind": error.kind.name(),
                "line": line,
                "column": column,
                "message": error.message,
                "order": order,
            });
            let comma = if index > 0 { "," } else { "" };
            write!(out, "{comma}{object}")?;
        }
        Ok(())
    }

    fn write_tokens(&self, grammar: &Grammar, out: &mut dyn Write) -> fmt::Result {
        let mut cursor = PositionCursor::new(&self.text);
        for (index, token) in self.lexed.tokens.iter().enumerate() {
            let Token { start, end, kind, channel } = *token;
            cursor.advance(start as usize);
            let (line, column) = cursor.antlr();
            let object = json!({
                "type": type_name(grammar, kind),
                "number": kind.antlr(),
                "line": line,
                "column": column,
                "channel": channel,
                "text": &self.text[start as usize..end as usize],
            });
            let comma = if index > 0 { "," } else { "" };
            write!(out, "{comma}{object}")?;
        }
        Ok(())
    }
}

/// Text inside a JSON string: quotes, backslashes and control characters are escaped.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| matches!(c, '"' | '\\' | '\0'..='\x1F')) {
            self.0.write_str(&rest[..at])?;
            let quoted = json!(&rest[at..=at]).to_string();
            self.0.write_str(&quoted[1..quoted.len() - 1])?;
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
}
