//! Graphviz: `polysmith parse … --format dot | dot -Tsvg`.

use crate::node::NodeId;
use crate::tree::Tree;
use polysmith_grammar::Grammar;
use std::fmt::{self, Write};

/// A digraph with a box per node.
pub fn dot(tree: &Tree, grammar: &Grammar) -> String {
    super::collected(|out| write_dot(tree, grammar, out))
}

/// Writes a digraph with a box per node, as it goes.
///
/// # Errors
/// Those of `out`.
pub fn write_dot(tree: &Tree, grammar: &Grammar, out: &mut dyn Write) -> fmt::Result {
    out.write_str("digraph tree {\n  node [shape=box, fontname=\"monospace\"];\n")?;
    for (id, parent) in tree.subtree(NodeId::ROOT).zip(tree.parents()) {
        let label = super::outline::line(tree, grammar, id);
        let shape = if tree.kind(id).is_leaf() { ", shape=plaintext" } else { "" };
        let escaped = label.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "  n{} [label=\"{escaped}\"{shape}];", id.index())?;
        if id != NodeId::ROOT {
            writeln!(out, "  n{} -> n{};", parent.index(), id.index())?;
        }
    }
    out.write_str("}\n")
}
