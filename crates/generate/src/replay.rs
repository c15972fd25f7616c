//! Asks the parser which tree it builds.
//!
//! The draft's token types go through the parser's own prediction; the two trees are then compared node by node,
//! hidden text left out. The first difference tells which decision the parser takes otherwise.

use polysmith_engine::Test;
use polysmith_grammar::RuleId;
use polysmith_parse::{Limits, Parser};
use polysmith_tree::{Kind, NodeId, Tree};

/// What the parser says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The same tree.
    Same,
    /// Another tree; the draft's node from which on they differ.
    Differs(usize),
    /// No tree.
    Rejected,
}

#[derive(Debug)]
pub(crate) struct Replay {
    parser: Parser,
    limits: Limits,
}

impl Replay {
    pub(crate) fn new(parser: Parser) -> Replay {
        Replay { parser, limits: Limits::default() }
    }

    /// Compares a draft with the parser's tree of its text.
    pub(crate) fn compare_text(&mut self, start: RuleId, test: &Test) -> Verdict {
        let Ok(text) = std::str::from_utf8(&test.text) else { return Verdict::Rejected };
        match self.parser.parse(start, text, &self.limits) {
            Ok(parsed) if parsed.accepted() => difference(&test.tree, &parsed.tree),
            _ => Verdict::Rejected,
        }
    }

    /// Parses the text of a test and takes the parser's tree.
    pub(crate) fn adopt(&mut self, start: RuleId, test: &mut Test) -> bool {
        let Ok(text) = std::str::from_utf8(&test.text) else { return false };
        match self.parser.parse(start, text, &self.limits) {
            Ok(parsed) if parsed.accepted() => {
                test.tree = parsed.tree;
                test.text.clear();
                test.tree.write_text(NodeId::ROOT, &mut test.text);
                true
            }
            _ => false,
        }
    }
}

/// Compares two trees, without texts and hidden nodes. Preorder and depth together are the whole shape.
pub(crate) fn difference(draft: &Tree, parsed: &Tree) -> Verdict {
    let mut theirs = Visible::new(parsed);
    for (at, kind, depth) in Visible::new(draft) {
        match theirs.next() {
            Some((_, other, other_depth)) if other == kind && other_depth == depth => {}
            Some((_, Kind::Item { .. }, other_depth))
                if !matches!(kind, Kind::Item { .. }) || other_depth > depth =>
            {
                return Verdict::Differs(list_before(draft, at));
            }
            _ => return Verdict::Differs(at),
        }
    }
    match theirs.next() {
        None => Verdict::Same,
        Some(_) => Verdict::Differs(list_before(draft, draft.len())),
    }
}

/// The nodes that are not hidden, each with its place and depth.
struct Visible<'a> {
    tree: &'a Tree,
    at: usize,
    ends: Vec<usize>,
}

impl<'a> Visible<'a> {
    fn new(tree: &'a Tree) -> Visible<'a> {
        Visible { tree, at: 0, ends: Vec::new() }
    }
}

impl Iterator for Visible<'_> {
    type Item = (usize, Kind, usize);

    fn next(&mut self) -> Option<(usize, Kind, usize)> {
        loop {
            let at = self.at;
            let node = self.tree.nodes().get(at)?;
            self.at += 1;
            while self.ends.last().is_some_and(|end| *end <= at) {
                self.ends.pop();
            }
            let kind = node.kind();
            if kind.is_hidden() {
                continue;
            }
            let depth = self.ends.len();
            if !node.is_leaf() {
                self.ends.push(at + node.size());
            }
            return Some((at, kind, depth));
        }
    }
}

/// The group that ended just before a node: the parser would have gone on with it.
fn list_before(draft: &Tree, node: usize) -> usize {
    let ends = |at: &usize| {
        matches!(draft.nodes()[*at].kind(), Kind::List { .. })
            && draft.after(NodeId::new(*at)).index() == node
    };
    (0..node).rev().find(ends).unwrap_or(node.min(draft.len() - 1))
}
