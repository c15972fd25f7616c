//! The form for people: a node per line, indented, with alternatives, lists and hidden text.

use crate::node::{Gap, Kind, NodeId};
use crate::tree::Tree;
use polysmith_grammar::Grammar;
use std::fmt::{self, Write};

/// One line per node.
pub fn outline(tree: &Tree, grammar: &Grammar) -> String {
    super::collected(|out| write_outline(tree, grammar, out))
}

/// Writes one line per node, as it goes.
///
/// # Errors
/// Those of `out`.
pub fn write_outline(tree: &Tree, grammar: &Grammar, out: &mut dyn Write) -> fmt::Result {
    let mut open: Vec<usize> = Vec::new();
    for id in tree.subtree(NodeId::ROOT) {
        while open.last().is_some_and(|end| *end <= id.index()) {
            open.pop();
        }
        writeln!(out, "{:indent$}{}", "", line(tree, grammar, id), indent = 2 * open.len())?;
        if !tree.kind(id).is_leaf() {
            open.push(tree.range(id).end);
        }
    }
    Ok(())
}

/// A node in a few words.
pub(super) fn line(tree: &Tree, grammar: &Grammar, id: NodeId) -> String {
    let text = || format!("{:?}", String::from_utf8_lossy(tree.leaf_text(id)));
    let token = |token| grammar.tokens().display(token);
    match tree.kind(id) {
        Kind::Rule { rule, alt } => {
            let rule = grammar.rule(rule);
            let label = (alt as usize).checked_sub(1).and_then(|at| {
                let alt = grammar.alternatives(rule.body()).nth(at)?;
                grammar.alternative(alt).label.clone()
            });
            match label {
                Some(label) => format!("{} #{label}", rule.name),
                None => format!("{}:{alt}", rule.name),
            }
        }
        Kind::List { block } => format!("list {}", grammar.show_block(block)),
        Kind::Item { alt } => format!("item:{alt}"),
        Kind::Token(t) => format!("{} {}", token(t), text()),
        Kind::Error(t) => format!("unexpected {} {}", token(t), text()),
        Kind::Missing(t) => format!("missing {}", token(t)),
        Kind::Hidden(t) => format!("hidden {} {}", token(t), text()),
        Kind::Gap(Gap::Skipped) => format!("skipped {}", text()),
        Kind::Gap(Gap::Dropped) => format!("not a token {}", text()),
        Kind::Gap(Gap::Rest) => format!("left over {}", text()),
        Kind::Gap(Gap::Note) => format!("not printed {}", text()),
    }
}
