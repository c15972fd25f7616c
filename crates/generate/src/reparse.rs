//! Parses a whole text: to check a draft if token rules can match the end of the input, and to take the parser's tree of a
//! text that was drafted without asking it.

use polysmith_engine::Test;
use polysmith_grammar::RuleId;
use polysmith_parse::{Limits, Parser};
use polysmith_tree::{Kind, NodeId, Tree};

#[derive(Debug)]
pub(crate) struct Reparser {
    parser: Parser,
    pub(crate) limits: Limits,
}

impl Reparser {
    pub(crate) fn new(parser: Parser) -> Reparser {
        Reparser { parser, limits: Limits::default() }
    }

    /// Steps that the parser has taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.parser.prediction_cost().steps
    }

    /// Whether the parser builds the draft's tree from its text.
    pub(crate) fn agrees(&mut self, start: RuleId, test: &Test) -> bool {
        let Ok(text) = std::str::from_utf8(&test.text) else { return false };
        match self.parser.parse(start, text, &self.limits) {
            Ok(parsed) if parsed.accepted() => same(&test.tree, &parsed.tree),
            _ => false,
        }
    }

    /// Parses the text of a test and takes the parser's tree; false if there is none.
    pub(crate) fn adopt(&mut self, start: RuleId, test: &mut Test) -> bool {
        self.adopt_or_keep(start, test).is_some()
    }

    /// The same; whether the parser's tree is the one that was there, `None` if there is none.
    pub(crate) fn adopt_or_keep(&mut self, start: RuleId, test: &mut Test) -> Option<bool> {
        let text = std::str::from_utf8(&test.text).ok()?;
        match self.parser.parse(start, text, &self.limits) {
            Ok(parsed) if parsed.accepted() => {
                let is_same = same(&test.tree, &parsed.tree);
                test.tree = parsed.tree;
                test.text.clear();
                test.tree.write_text(NodeId::ROOT, &mut test.text);
                Some(is_same)
            }
            _ => None,
        }
    }
}

/// Compares two trees, without texts and hidden nodes. Preorder and depth together are the whole shape.
fn same(draft: &Tree, parsed: &Tree) -> bool {
    Visible::new(draft).eq(Visible::new(parsed))
}

/// The nodes that are not hidden, each with its depth.
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
    type Item = (Kind, usize);

    fn next(&mut self) -> Option<(Kind, usize)> {
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
            return Some((kind, depth));
        }
    }
}
