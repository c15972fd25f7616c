//! A checker of results that shares nothing with the reducer but the parser: it tries every deletion of a node and every
//! replacement of a node by something below it, with nothing remembered.

use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{Limits, Parser};
use polysmith_tree::{Edit, NodeId};

/// A grammar, ready to say what is in its language.
pub(crate) struct Checker {
    parser: Parser,
    start: RuleId,
}

impl Checker {
    pub(crate) fn new(grammar: &Grammar) -> Checker {
        let start = grammar.start().expect("a start rule");
        Checker { parser: Parser::new(grammar).expect("a grammar to parse with"), start }
    }

    pub(crate) fn accepts(&mut self, text: &str) -> bool {
        self.parser.parse(self.start, text, &Limits::default()).is_ok_and(|parsed| parsed.accepted())
    }

    #[allow(dead_code, reason = "not every test file asks for it")]
    /// Whatever is in the language and one step away from the result gets a no. Says how many steps there were.
    pub(crate) fn assert_minimal(&mut self, result: &str, wanted: &mut dyn FnMut(&str) -> bool) -> usize {
        let tree = self.parser.parse(self.start, result, &Limits::default()).expect("within limits").tree;
        let mut tried = 0;
        let seen = |node: &NodeId| !tree.kind(*node).is_hidden();
        for node in tree.subtree(NodeId::ROOT).skip(1).filter(seen) {
            let below = tree.subtree(node).skip(1).filter(seen).map(|below| Edit::replace(node, below));
            for edit in std::iter::once(Edit::delete(node)).chain(below) {
                let mut text = Vec::new();
                tree.write_edited(&[edit], &mut text);
                let text = String::from_utf8(text).expect("a part of a text");
                // Layout is not a node: what differs in nothing else is the same text.
                let is_other = text
                    .split_whitespace()
                    .flat_map(str::chars)
                    .ne(result.split_whitespace().flat_map(str::chars));
                if is_other && self.accepts(&text) {
                    tried += 1;
                    assert!(!wanted(&text), "{result:?} can become {text:?}");
                }
            }
        }
        tried
    }
}
