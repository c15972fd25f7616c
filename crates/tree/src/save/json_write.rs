//! The JSON form, written without recursion.

use super::Header;
use super::layout::Layout;
use crate::node::{Gap, Kind, NodeId};
use crate::tree::Tree;
use polysmith_grammar::Grammar;
use std::fmt::Write;

/// A header line, then the tree. The header line of format 2 also has `buffers`, the buffer of each leaf in preorder, and,
/// if the print order is not preorder, `order`: the first node and the end of each run.
pub fn to_json(tree: &Tree, grammar: &Grammar, header: &Header) -> String {
    let (version, layout) = match Layout::of(tree) {
        None => (1, String::new()),
        Some(layout) => (2, layout_keys(&layout)),
    };
    format!(
        "{{\"polysmith_tree\":{version},\"language\":{},\"hash\":{}{layout}}}\n{}\n",
        quoted(&header.language),
        quoted(&header.hash),
        tree_to_json(tree, grammar)
    )
}

fn layout_keys(layout: &Layout) -> String {
    let mut keys = format!(",\"buffers\":{}", serde_json::json!(layout.buffers));
    if let Some(order) = &layout.order {
        let runs: Vec<[usize; 2]> = order.iter().map(|run| [run.start, run.end]).collect();
        let _ = write!(keys, ",\"order\":{}", serde_json::json!(runs));
    }
    keys
}

/// The tree alone.
pub fn tree_to_json(tree: &Tree, grammar: &Grammar) -> String {
    let mut out = String::new();
    let mut open: Vec<(usize, &'static str)> = Vec::new();
    for id in tree.subtree(NodeId::ROOT) {
        close_before(id.index(), &mut open, &mut out);
        if !out.is_empty() && !out.ends_with('[') {
            out.push(',');
        }
        let end = tree.range(id).end;
        match tree.kind(id) {
            Kind::Rule { rule, alt } => {
                let _ = write!(
                    out,
                    "{{\"rule\":{},\"alt\":{alt},\"children\":[",
                    quoted(&grammar.rule(rule).name)
                );
                open.push((end, "]}"));
            }
            Kind::List { block } => {
                let number = grammar.block_number(block).unwrap_or(0);
                let _ = write!(out, "{{\"list\":{number},");
                if grammar.alternatives(block).len() > 1 {
                    let alts: Vec<String> =
                        tree.children(id).filter_map(|item| item_alt(tree, item)).collect();
                    let _ = write!(out, "\"alts\":[{}],", alts.join(","));
                }
                out.push_str("\"items\":[");
                open.push((end, "]}"));
            }
            Kind::Item { .. } => {
                out.push('[');
                open.push((end, "]"));
            }
            kind => leaf(kind, tree.leaf_text(id), grammar, &mut out),
        }
    }
    close_before(usize::MAX, &mut open, &mut out);
    out
}

fn item_alt(tree: &Tree, item: NodeId) -> Option<String> {
    match tree.kind(item) {
        Kind::Item { alt } => Some(alt.to_string()),
        _ => None,
    }
}

fn close_before(at: usize, open: &mut Vec<(usize, &'static str)>, out: &mut String) {
    while let Some(&(end, closing)) = open.last() {
        if end > at {
            break;
        }
        out.push_str(closing);
        open.pop();
    }
}

fn leaf(kind: Kind, text: &[u8], grammar: &Grammar, out: &mut String) {
    let (token, mark) = match kind {
        Kind::Token(token) => (Some(token), ""),
        Kind::Error(token) => (Some(token), ",\"error\":true"),
        Kind::Missing(token) => (Some(token), ",\"missing\":true"),
        Kind::Hidden(token) => (Some(token), ",\"hidden\":true"),
        Kind::Gap(Gap::Skipped) => (None, ",\"hidden\":true"),
        Kind::Gap(Gap::Dropped) => (None, ",\"hidden\":true,\"gap\":\"dropped\""),
        Kind::Gap(Gap::Rest) => (None, ",\"hidden\":true,\"gap\":\"rest\""),
        Kind::Gap(Gap::Note) => (None, ",\"hidden\":true,\"gap\":\"note\""),
        Kind::Rule { .. } | Kind::List { .. } | Kind::Item { .. } => return,
    };
    out.push('{');
    if let Some(token) = token {
        let _ = write!(out, "\"token\":{},", quoted(&grammar.tokens().display(token)));
    }
    match std::str::from_utf8(text) {
        Ok(text) => {
            let _ = write!(out, "\"text\":{}", quoted(text));
        }
        Err(_) => {
            out.push_str("\"bytes\":\"");
            text.iter().for_each(|byte| {
                let _ = write!(out, "{byte:02x}");
            });
            out.push('"');
        }
    }
    let _ = write!(out, "{mark}}}");
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
