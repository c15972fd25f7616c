//! Graphviz: `polysmith parse … --format dot | dot -Tsvg`.

use crate::node::NodeId;
use crate::tree::Tree;
use polysmith_grammar::Grammar;
use std::fmt::Write;

/// A digraph with a box per node.
pub fn dot(tree: &Tree, grammar: &Grammar) -> String {
    let mut out = String::from("digraph tree {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (id, parent) in tree.subtree(NodeId::ROOT).zip(tree.parents()) {
        let label = super::outline::line(tree, grammar, id);
        let shape = if tree.kind(id).is_leaf() { ", shape=plaintext" } else { "" };
        let escaped = label.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  n{} [label=\"{escaped}\"{shape}];", id.index());
        if id != NodeId::ROOT {
            let _ = writeln!(out, "  n{} -> n{};", parent.index(), id.index());
        }
    }
    out.push_str("}\n");
    out
}
