//! The JSON form, written without recursion.

use super::Header;
use super::layout::Layout;
use crate::node::{Gap, Kind, NodeId};
use crate::show::collected;
use crate::tree::Tree;
use polysmith_grammar::Grammar;
use std::fmt::{self, Write};

/// A header line, then the tree. The header line of format 2 also has `buffers`, the buffer of each leaf in preorder, and,
/// if the print order is not preorder, `order`: the first node and the end of each run.
pub fn to_json(tree: &Tree, grammar: &Grammar, header: &Header) -> String {
    collected(|out| write_json(tree, grammar, header, out))
}

/// Writes what [`to_json`] returns, as it goes.
///
/// # Errors
/// Those of `out`.
pub fn write_json(tree: &Tree, grammar: &Grammar, header: &Header, out: &mut dyn Write) -> fmt::Result {
    let (version, layout) = match Layout::of(tree) {
        None => (1, String::new()),
        Some(layout) => (2, layout_keys(&layout)),
    };
    let (language, hash) = (quoted(&header.language), quoted(&header.hash));
    writeln!(out, "{{\"polysmith_tree\":{version},\"language\":{language},\"hash\":{hash}{layout}}}")?;
    write_json_tree(tree, grammar, out)?;
    out.write_char('\n')
}

fn layout_keys(layout: &Layout) -> String {
    let mut keys = format!(",\"buffers\":{}", serde_json::json!(layout.buffers));
    if let Some(order) = &layout.order {
        let runs: Vec<[usize; 2]> = order.iter().map(|run| [run.start, run.end]).collect();
        let _ = write!(keys, ",\"order\":{}", serde_json::json!(runs));
    }
    keys
}

/// Writes the tree alone, without the header line.
///
/// # Errors
/// Those of `out`.
pub fn write_json_tree(tree: &Tree, grammar: &Grammar, out: &mut dyn Write) -> fmt::Result {
    let mut open: Vec<(usize, &'static str)> = Vec::new();
    let mut is_first = true;
    for id in tree.subtree(NodeId::ROOT) {
        close_before(id.index(), &mut open, out)?;
        if !std::mem::replace(&mut is_first, !tree.kind(id).is_leaf() && tree.size(id) > 1) {
            out.write_char(',')?;
        }
        let end = tree.range(id).end;
        match tree.kind(id) {
            Kind::Rule { rule, alt } => {
                let name = quoted(&grammar.rule(rule).name);
                write!(out, "{{\"rule\":{name},\"alt\":{alt},\"children\":[")?;
                open.push((end, "]}"));
            }
            Kind::List { block } => {
                let number = grammar.block_number(block).unwrap_or(0);
                write!(out, "{{\"list\":{number},")?;
                if grammar.alternatives(block).len() > 1 {
                    let alts: Vec<String> =
                        tree.children(id).filter_map(|item| item_alt(tree, item)).collect();
                    write!(out, "\"alts\":[{}],", alts.join(","))?;
                }
                out.write_str("\"items\":[")?;
                open.push((end, "]}"));
            }
            Kind::Item { .. } => {
                out.write_char('[')?;
                open.push((end, "]"));
            }
            kind => leaf(kind, tree.leaf_text(id), grammar, out)?,
        }
    }
    close_before(usize::MAX, &mut open, out)
}

fn item_alt(tree: &Tree, item: NodeId) -> Option<String> {
    match tree.kind(item) {
        Kind::Item { alt } => Some(alt.to_string()),
        _ => None,
    }
}

fn close_before(at: usize, open: &mut Vec<(usize, &'static str)>, out: &mut dyn Write) -> fmt::Result {
    while let Some(&(end, closing)) = open.last() {
        if end > at {
            break;
        }
        out.write_str(closing)?;
        open.pop();
    }
    Ok(())
}

fn leaf(kind: Kind, text: &[u8], grammar: &Grammar, out: &mut dyn Write) -> fmt::Result {
    let (token, mark) = match kind {
        Kind::Token(token) => (Some(token), ""),
        Kind::Error(token) => (Some(token), ",\"error\":true"),
        Kind::Missing(token) => (Some(token), ",\"missing\":true"),
        Kind::Hidden(token) => (Some(token), ",\"hidden\":true"),
        Kind::Gap(Gap::Skipped) => (None, ",\"hidden\":true"),
        Kind::Gap(Gap::Dropped) => (None, ",\"hidden\":true,\"gap\":\"dropped\""),
        Kind::Gap(Gap::Rest) => (None, ",\"hidden\":true,\"gap\":\"rest\""),
        Kind::Gap(Gap::Note) => (None, ",\"hidden\":true,\"gap\":\"note\""),
        Kind::Rule { .. } | Kind::List { .. } | Kind::Item { .. } => return Ok(()),
    };
    out.write_char('{')?;
    if let Some(token) = token {
        write!(out, "\"token\":{},", quoted(&grammar.tokens().display(token)))?;
    }
    match std::str::from_utf8(text) {
        Ok(text) => write!(out, "\"text\":{}", quoted(text))?,
        Err(_) => {
            out.write_str("\"bytes\":\"")?;
            for byte in text {
                write!(out, "{byte:02x}")?;
            }
            out.write_char('"')?;
        }
    }
    write!(out, "{mark}}}")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
