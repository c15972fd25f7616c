//! One file of the text, parsed: what the tree passes work on.
//!
//! A pass describes a change as [`Cut`]s; the session says which edits that takes and whether the result is in the
//! language ([`super::seams`], [`super::proof`]). Perses tells the session what was accepted and goes on; other
//! passes parse again.

use std::ops::Range;

use polysmith_grammar::TokenType;
use polysmith_tree::{Kind as TreeKind, NodeId, ReadError, Reading, TokenText, Tree};

use super::Language;
use super::cut::{Cut, ordered};
use super::live::Live;
use super::nodes::{self, NONE, NodeKind, Nodes};
use crate::edit::Edits;
use crate::measure::count_tokens;
use crate::text::Text;

pub(crate) struct Session<'a> {
    pub(crate) language: &'a mut Language,
    pub(crate) nodes: Nodes,
    pub(crate) live: Live,
    pub(super) types: Vec<TokenType>,
    /// Errors of the text as parsed.
    pub(super) errors: usize,
    /// Tokens outside the tree.
    outside: usize,
    /// Tokens at which the parser found an error, sorted.
    pub(super) broken: Vec<u32>,
    /// The number of the recognizer's state before each token; empty if it has one state.
    pub(super) states: Vec<u32>,
    pub(super) file: usize,
}

/// A change that is in the language: tokens that go, what comes after live tokens to keep them apart, and the edits.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(super) gone: Vec<Range<u32>>,
    pub(super) separators: Vec<Separator>,
    pub(crate) edits: Edits,
}

/// Bytes that come after a live token to keep it apart from the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separator {
    pub(super) token: u32,
    pub(super) len: u32,
}

impl<'a> Session<'a> {
    /// Parses a file for a pass beside others; `None` if they do better without a tree: there is none, or most of the
    /// tokens lie outside.
    pub(crate) fn new(language: &'a mut Language, text: &Text, file: usize) -> Option<Session<'a>> {
        language.looked(file, false);
        let session = Session::of_any(language, text, file)?;
        let Range { start, end } = session.nodes.get(0).tokens;
        if 2 * session.outside > (end - start) as usize {
            return None;
        }
        session.language.looked(file, true);
        Some(session)
    }

    /// Parses a file, however much of it is in the language; `None` if there is nothing to do by tree: no text, no
    /// tokens, or a text that the recognizer cannot read, of which the language is told.
    pub(crate) fn of_any(language: &'a mut Language, text: &Text, file: usize) -> Option<Session<'a>> {
        let part = &text.parts()[file];
        let bytes = text.slice(&part.range);
        let reading = match language.recognizer.read(bytes).and_then(in_order) {
            Ok(reading) => reading,
            Err(why) => {
                language.cannot_parse(why, count_tokens(bytes));
                return None;
            }
        };
        let tree = &reading.tree;
        let leaves: Vec<NodeId> = tree.visible_tokens().collect();
        let shifted = |leaf: &NodeId| {
            let range = tree.leaf_range(*leaf);
            part.range.start + range.start as u32..part.range.start + range.end as u32
        };
        let ranges: Vec<Range<u32>> = leaves.iter().map(shifted).collect();
        let kind = |leaf: &NodeId| match tree.kind(*leaf) {
            TreeKind::Token(token) | TreeKind::Error(token) => token,
            _ => TokenType::EOF,
        };
        let wrong = leaves.iter().filter(|leaf| is_error(tree, **leaf)).count();
        let outside = reading.token_count.saturating_sub(leaves.len()) + wrong;
        language.counts.saw(reading.token_count, outside);
        Some(Session {
            nodes: nodes::look(&language.syntax, tree)?,
            live: Live::new(&ranges),
            types: leaves.iter().map(kind).collect(),
            errors: reading.errors.len(),
            outside,
            broken: broken(tree),
            states: reading.states,
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

    /// The edits that carry cuts out, if the result is in the language.
    pub(crate) fn plan(&mut self, text: &Text, cuts: Vec<Cut>) -> Option<Plan> {
        self.language.counts.built += 1;
        let found = ordered(&self.live, cuts).and_then(|cuts| {
            let seams = self.seams(text, &cuts)?;
            self.is_in_language(text, &cuts, &seams).then(|| Plan {
                gone: cuts.into_iter().map(|cut| cut.range).collect(),
                separators: seams.separators,
                edits: seams.edits,
            })
        });
        self.language.counts.filtered += usize::from(found.is_none());
        found
    }

    /// A plan that only deletes was accepted.
    pub(crate) fn accept(&mut self, plan: &Plan) {
        for Separator { token, len } in &plan.separators {
            self.live.grow(*token, *len);
        }
        for range in &plan.gone {
            self.live.kill(range);
        }
    }

    /// Cuts that only delete were accepted as these edits: an edit with a separator grows the token before it.
    pub(crate) fn accept_cuts(&mut self, cuts: Vec<Cut>, edits: &Edits) {
        let Some(cuts) = ordered(&self.live, cuts) else { return };
        let separators = cuts
            .iter()
            .zip(edits.iter())
            .filter(|(_, edit)| !edit.new.is_empty())
            .filter_map(|(cut, edit)| {
                let token = self.live.last_before(cut.range.start)?;
                Some(Separator { token, len: edit.new.len() as u32 })
            })
            .collect();
        let gone = cuts.into_iter().map(|cut| cut.range).collect();
        self.accept(&Plan { gone, separators, edits: edits.clone() });
    }

    /// Puts a descendant in the place of a node. Its tokens around it are gone already.
    pub(crate) fn hoist(&mut self, node: u32, descendant: u32) {
        let (expected, parent) = (self.nodes.get(node).expected, self.nodes.get(node).parent);
        let alone = parent == NONE || self.children(parent).count() <= 1;
        let min_around = match parent {
            NONE => 1,
            parent => match self.nodes.get(parent).kind {
                NodeKind::List { min, .. } if alone => min,
                NodeKind::List { .. } => 0,
                _ => 1,
            },
        };
        let rule = self.nodes.get(node).rule;
        let moved = &mut self.nodes.nodes[descendant as usize];
        moved.expected = expected;
        moved.parent = parent;
        // What was there as this rule still is; a list spliced into a list is no rule of its own.
        match &mut moved.kind {
            NodeKind::List { min, .. } if moved.symbol.is_none() => *min = min_around,
            _ => moved.rule = moved.rule.or(rule),
        }
    }

    /// The text of a token, as it is now.
    pub(crate) fn show<'t>(&self, text: &'t Text, token: u32) -> &'t [u8] {
        text.slice(&self.live.own_bytes(token))
    }

    /// The type and the text of a token, as it is now.
    pub(super) fn token_text<'t>(&self, text: &'t Text, token: u32) -> TokenText<'t> {
        TokenText { kind: self.token_type(token), text: self.show(text, token) }
    }

    /// The type of a token.
    pub(crate) fn token_type(&self, token: u32) -> TokenType {
        self.types[token as usize]
    }
}

fn is_error(tree: &Tree, leaf: NodeId) -> bool {
    matches!(tree.kind(leaf), TreeKind::Error(_))
}

/// The tokens at which something is wrong: read as an error, or after one that is missing.
fn broken(tree: &Tree) -> Vec<u32> {
    let mut broken = Vec::new();
    let mut before = 0;
    for node in tree.subtree(NodeId::ROOT) {
        if matches!(tree.kind(node), TreeKind::Error(_) | TreeKind::Missing(_)) {
            broken.push(before);
        }
        before += u32::from(tree.is_visible_token(node));
    }
    broken.dedup();
    broken
}

/// A reading whose tokens are in the order of the text: others cannot be edited by ranges of tokens.
fn in_order(reading: Reading) -> Result<Reading, ReadError> {
    let tree = &reading.tree;
    let mut end = 0;
    let is_ordered = tree.print_order().is_none()
        && tree.visible_tokens().all(|leaf| {
            let range = tree.leaf_range(leaf);
            range.start >= std::mem::replace(&mut end, range.end)
        });
    if is_ordered {
        return Ok(reading);
    }
    let message = "the parts of the text are not in the order of its tree".to_owned();
    Err(ReadError { message, offset: None })
}
