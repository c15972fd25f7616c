//! One file of the text, parsed: what the tree passes work on.

use std::ops::Range;

use polysmith_grammar::TokenType;
use polysmith_tree::{Kind as TreeKind, NodeId};

use super::Language;
use super::check::{Checker, Depth, Joint};
use super::live::Live;
use super::nodes::{self, Kind, NONE, Nodes};
use crate::edit::{Edit, Edits};
use crate::text::Text;

pub(crate) struct Session<'a> {
    pub(crate) language: &'a Language,
    pub(crate) nodes: Nodes,
    pub(crate) live: Live,
    types: Vec<TokenType>,
    checker: Checker<'a>,
    file: usize,
}

/// Token ranges to delete: sorted, apart, and which live tokens need a blank behind them.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    gone: Vec<Range<u32>>,
    blanks: Vec<u32>,
}

impl<'a> Session<'a> {
    /// Parses a file; `None` if there is nothing to do by tree: no text, not UTF-8, no tokens, or a parse that
    /// reached a limit.
    pub(crate) fn new(language: &'a Language, text: &Text, file: usize) -> Option<Session<'a>> {
        let part = &text.parts()[file];
        let source = std::str::from_utf8(text.slice(&part.range)).ok()?;
        let parsed = language.parser().parse(language.start, source, &language.limits).ok()?;
        let tree = &parsed.tree;
        let leaves: Vec<NodeId> =
            tree.subtree(NodeId::ROOT).filter(|node| nodes::is_visible(tree, *node)).collect();
        let ranges: Vec<Range<u32>> = leaves
            .iter()
            .map(|leaf| {
                let range = tree.leaf_range(*leaf);
                part.range.start + range.start as u32..part.range.start + range.end as u32
            })
            .collect();
        let kind = |leaf: &NodeId| match tree.kind(*leaf) {
            TreeKind::Token(token) | TreeKind::Error(token) => token,
            _ => TokenType::EOF,
        };
        let types = leaves.iter().map(kind).collect();
        let all =
            parsed.lexed.tokens.iter().filter(|token| token.channel == 0 && token.kind != TokenType::EOF);
        let errors = leaves.iter().filter(|leaf| matches!(tree.kind(**leaf), TreeKind::Error(_))).count();
        language.count(|counts| {
            counts.tokens = all.count();
            counts.outside = counts.tokens.saturating_sub(leaves.len()) + errors;
        });
        Some(Session {
            nodes: nodes::look(language, tree)?,
            live: Live::new(&ranges),
            types,
            checker: Checker::new(language, parsed.errors.len()),
            file,
            language,
        })
    }

    /// Live tokens of a node.
    pub(crate) fn size(&self, node: u32) -> u32 {
        self.live.size(&self.nodes.get(node).tokens)
    }

    /// The children of a node that have tokens left.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.nodes.children(node).filter(|child| self.size(*child) > 0)
    }

    /// The edits that delete token ranges, if the result is in the language; `changed` is the node that changes.
    pub(crate) fn candidate(
        &self,
        text: &Text,
        changed: u32,
        gone: Vec<Range<u32>>,
    ) -> Option<(Plan, Edits)> {
        self.language.count(|counts| counts.built += 1);
        let found = self.plan(text, gone).and_then(|plan| {
            let edits = self.edits(&plan)?;
            self.is_valid(text, changed, &plan, &edits).then_some((plan, edits))
        });
        if found.is_none() {
            self.language.count(|counts| counts.filtered += 1);
        }
        found
    }

    /// Finds out where blanks are needed.
    fn plan(&self, text: &Text, mut gone: Vec<Range<u32>>) -> Option<Plan> {
        gone.retain(|range| self.live.size(range) > 0);
        gone.sort_unstable_by_key(|range| range.start);
        let mut blanks = Vec::new();
        for (at, range) in gone.iter().enumerate() {
            // A neighbour that goes as well lies in the range beside this one: every range has live tokens.
            let left =
                self.live.last_before(range.start).filter(|left| at == 0 || !gone[at - 1].contains(left));
            let mut right = self.live.first_from(range.end);
            for later in &gone[at + 1..] {
                match right {
                    Some(token) if later.contains(&token) => right = self.live.first_from(later.end),
                    _ => break,
                }
            }
            let (Some(left), Some(right)) = (left, right) else { continue };
            if !self.live.is_bare(left) {
                continue;
            }
            let show =
                |token: u32| std::str::from_utf8(text.slice(&self.live.own_bytes(token))).unwrap_or("");
            match self.checker.joint(show(left), self.types[left as usize], show(right)) {
                Joint::Fits => {}
                Joint::Blank => blanks.push(left),
                Joint::Never => return None,
            }
        }
        (!gone.is_empty()).then_some(Plan { gone, blanks })
    }

    fn edits(&self, plan: &Plan) -> Option<Edits> {
        let edit = |range: &Range<u32>| {
            let bytes = self.live.bytes(range);
            match self.live.last_before(range.start) {
                Some(left) if plan.blanks.binary_search(&left).is_ok() => Edit::replace(bytes, " "),
                _ => Edit::delete(bytes),
            }
        };
        Edits::new(plan.gone.iter().map(edit).collect())
    }

    fn is_valid(&self, text: &Text, changed: u32, plan: &Plan, edits: &Edits) -> bool {
        match self.checker.depth {
            Depth::Whole { errors } => {
                let after = text.apply(edits);
                let part = after.parts()[self.file].range.clone();
                self.checker.parses_whole(after.slice(&part), errors)
            }
            Depth::Local => {
                let mut node = changed;
                while self.nodes.get(node).rule.is_none() && self.nodes.get(node).parent != NONE {
                    node = self.nodes.get(node).parent;
                }
                let range = &self.nodes.get(node).tokens;
                let Some(rule) = self.nodes.get(node).rule else { return true };
                let is_gone = |token: &u32| {
                    let at = plan.gone.partition_point(|gone| gone.end <= *token);
                    plan.gone.get(at).is_some_and(|gone| gone.contains(token))
                };
                let types: Vec<TokenType> = self
                    .live
                    .tokens(range)
                    .filter(|token| !is_gone(token))
                    .map(|token| self.types[token as usize])
                    .collect();
                self.checker.parses(rule, &types)
            }
        }
    }

    /// The token ranges that go when some items of a list go, with separators: each run of items with the separator
    /// after it, at the end of the list with the one before it. Nothing goes if too few would stay.
    pub(crate) fn without(&self, list: u32, gone: &[u32]) -> Vec<Range<u32>> {
        let children: Vec<u32> = self.children(list).collect();
        let min = match self.nodes.get(list).kind {
            Kind::List { min, .. } => min as usize,
            _ => 0,
        };
        if children.len() < min + gone.len() {
            return Vec::new();
        }
        let tokens = |child: u32| self.nodes.get(child).tokens.clone();
        let mut ranges = Vec::new();
        let mut kept: Option<u32> = None;
        let mut at = 0;
        while at < children.len() {
            if gone.binary_search(&children[at]).is_err() {
                kept = Some(children[at]);
                at += 1;
                continue;
            }
            let start = at;
            while at < children.len() && gone.binary_search(&children[at]).is_ok() {
                at += 1;
            }
            ranges.push(match (children.get(at), kept) {
                (Some(next), _) => tokens(children[start]).start..tokens(*next).start,
                (None, Some(before)) => tokens(before).end..tokens(children[at - 1]).end,
                (None, None) => tokens(children[start]).start..tokens(children[at - 1]).end,
            });
        }
        ranges
    }

    /// The edits that put a copy of one node in the place of another, if the result is in the language.
    pub(crate) fn replacement(&self, text: &Text, node: u32, donor: u32) -> Option<Edits> {
        self.language.count(|counts| counts.built += 1);
        let found = self.replace(text, node, donor);
        if found.is_none() {
            self.language.count(|counts| counts.filtered += 1);
        }
        found
    }

    fn replace(&self, text: &Text, node: u32, donor: u32) -> Option<Edits> {
        let (place, copied) = (&self.nodes.get(node).tokens, &self.nodes.get(donor).tokens);
        let last =
            |range: &Range<u32>| self.live.last_before(range.end).map(|token| self.live.own_bytes(token).end);
        let bytes = self.live.position(copied.start)..last(copied)?;
        let mut new = text.slice(&bytes).to_vec();
        let gone = self.live.position(place.start)..last(place)?;
        // Blanks cost a byte and can go later; joined tokens cost the candidate.
        let is_word = |at: Option<&u8>| at.is_some_and(|byte| !byte.is_ascii_whitespace());
        if gone.start > 0 && is_word(text.bytes().get(gone.start as usize - 1)) {
            new.insert(0, b' ');
        }
        if is_word(text.bytes().get(gone.end as usize)) {
            new.push(b' ');
        }
        let edits = Edits::new(vec![Edit::replace(gone, new)])?;
        let after = text.apply(&edits);
        let part = after.parts()[self.file].range.clone();
        let errors = match self.checker.depth {
            Depth::Local => 0,
            Depth::Whole { errors } => errors,
        };
        self.checker.parses_whole(after.slice(&part), errors).then_some(edits)
    }

    /// A candidate was accepted.
    pub(crate) fn accept(&mut self, plan: &Plan) {
        for token in &plan.blanks {
            self.live.grow(*token, 1);
        }
        for range in &plan.gone {
            self.live.kill(range);
        }
    }

    /// The same for ranges whose edits are at hand: an edit with a blank grows the token before it.
    pub(crate) fn accept_edits(&mut self, gone: &[Range<u32>], edits: &Edits) {
        let gone: Vec<Range<u32>> = gone.iter().filter(|range| self.live.size(range) > 0).cloned().collect();
        let has_blank = |bytes: &Range<u32>| {
            edits.iter().any(|edit| !edit.text.is_empty() && edit.range.start == bytes.start)
        };
        let blanks = gone
            .iter()
            .filter(|range| has_blank(&self.live.bytes(range)))
            .filter_map(|range| self.live.last_before(range.start))
            .collect();
        self.accept(&Plan { gone, blanks });
    }

    /// Puts a descendant in the place of a node. Its tokens around it are gone already.
    pub(crate) fn hoist(&mut self, node: u32, descendant: u32) {
        let (expected, parent) = (self.nodes.get(node).expected, self.nodes.get(node).parent);
        let alone = parent == NONE || self.children(parent).count() <= 1;
        let min_around = match parent {
            NONE => 1,
            parent => match self.nodes.get(parent).kind {
                Kind::List { min, .. } if alone => min,
                Kind::List { .. } => 0,
                _ => 1,
            },
        };
        let rule = self.nodes.get(node).rule;
        let moved = &mut self.nodes.nodes[descendant as usize];
        moved.expected = expected;
        moved.parent = parent;
        // What stood there as this rule still does; a list spliced into a list is no rule of its own.
        match &mut moved.kind {
            Kind::List { min, .. } if moved.symbol.is_none() => *min = min_around,
            _ => moved.rule = moved.rule.or(rule),
        }
    }
}
