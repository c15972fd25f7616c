//! One file of the text, parsed: what the tree passes work on.
//!
//! A pass describes a change as [`Cut`]s; the session says which edits that takes and whether the result is in the
//! language ([`super::seams`], [`super::proof`]). Perses tells the session what was accepted and goes on; other
//! passes parse again.

use std::ops::Range;

use polysmith_grammar::TokenType;
use polysmith_tree::{Kind as TreeKind, NodeId, Tree};

use super::Language;
use super::cut::{Cut, ordered};
use super::live::Live;
use super::nodes::{self, Kind, NONE, Nodes};
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
    /// The number of the stack of lexer modes before each token; empty if the lexer has one mode.
    pub(super) stacks: Vec<u32>,
    pub(super) file: usize,
}

/// A change that is in the language: tokens that go, which live tokens get a blank behind them, and the edits.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(super) gone: Vec<Range<u32>>,
    pub(super) blanks: Vec<u32>,
    pub(crate) edits: Edits,
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
    /// tokens, not UTF-8, or a parse that reached a limit or a dead end of the lexer, of which the language is told.
    pub(crate) fn of_any(language: &'a mut Language, text: &Text, file: usize) -> Option<Session<'a>> {
        let part = &text.parts()[file];
        let bytes = text.slice(&part.range);
        let (source, parsed) = match language.parse(bytes) {
            Ok(parsed) => parsed,
            Err(why) => {
                language.cannot_parse(why, count_tokens(bytes));
                return None;
            }
        };
        let tree = &parsed.tree;
        let leaves: Vec<NodeId> =
            tree.subtree(NodeId::ROOT).filter(|node| nodes::is_visible(tree, *node)).collect();
        let shifted = |leaf: &NodeId| {
            let range = tree.leaf_range(*leaf);
            part.range.start + range.start as u32..part.range.start + range.end as u32
        };
        let ranges: Vec<Range<u32>> = leaves.iter().map(shifted).collect();
        let kind = |leaf: &NodeId| match tree.kind(*leaf) {
            TreeKind::Token(token) | TreeKind::Error(token) => token,
            _ => TokenType::EOF,
        };
        let visible =
            parsed.lexed.tokens.iter().filter(|token| token.channel == 0 && token.kind != TokenType::EOF);
        let (tokens, wrong) = (visible.count(), leaves.iter().filter(|leaf| is_error(tree, **leaf)).count());
        let outside = tokens.saturating_sub(leaves.len()) + wrong;
        language.counts.saw(tokens, outside);
        Some(Session {
            nodes: nodes::look(&language.syntax, tree)?,
            live: Live::new(&ranges),
            types: leaves.iter().map(kind).collect(),
            errors: parsed.errors.len(),
            outside,
            broken: broken(tree),
            stacks: stacks(language, source, &parsed.lexed, &ranges, part.range.start),
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
                gone: cuts.into_iter().map(|cut| cut.gone).collect(),
                blanks: seams.blanks,
                edits: seams.edits,
            })
        });
        self.language.counts.filtered += usize::from(found.is_none());
        found
    }

    /// A plan that only deletes was accepted.
    pub(crate) fn accept(&mut self, plan: &Plan) {
        for token in &plan.blanks {
            self.live.grow(*token, 1);
        }
        for range in &plan.gone {
            self.live.kill(range);
        }
    }

    /// Cuts that only delete were accepted as these edits: an edit with a blank grows the token before it.
    pub(crate) fn accept_cuts(&mut self, cuts: Vec<Cut>, edits: &Edits) {
        let Some(cuts) = ordered(&self.live, cuts) else { return };
        let blanks = cuts
            .iter()
            .zip(edits.iter())
            .filter(|(_, edit)| !edit.text.is_empty())
            .filter_map(|(cut, _)| self.live.last_before(cut.gone.start))
            .collect();
        let gone = cuts.into_iter().map(|cut| cut.gone).collect();
        self.accept(&Plan { gone, blanks, edits: edits.clone() });
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

    /// The text of a token, as it is now.
    pub(crate) fn show<'t>(&self, text: &'t Text, token: u32) -> &'t str {
        std::str::from_utf8(text.slice(&self.live.own_bytes(token))).unwrap_or("")
    }

    /// The type of a token.
    pub(crate) fn token_type(&self, token: u32) -> TokenType {
        self.types[token as usize]
    }
}

fn is_error(tree: &Tree, leaf: NodeId) -> bool {
    matches!(tree.kind(leaf), TreeKind::Error(_))
}

/// The tokens at which something is wrong: read as an error, or behind one that is missing.
fn broken(tree: &Tree) -> Vec<u32> {
    let mut broken = Vec::new();
    let mut before = 0;
    for node in tree.subtree(NodeId::ROOT) {
        if matches!(tree.kind(node), TreeKind::Error(_) | TreeKind::Missing(_)) {
            broken.push(before);
        }
        before += u32::from(nodes::is_visible(tree, node));
    }
    broken.dedup();
    broken
}

/// The stacks of lexer modes before each visible token, and behind the last one.
fn stacks(
    language: &mut Language,
    source: &str,
    lexed: &polysmith_parse::Lexed,
    ranges: &[Range<u32>],
    offset: u32,
) -> Vec<u32> {
    if language.syntax.grammar.lexer().modes.len() <= 1 {
        return Vec::new();
    }
    let stacks = language.parser.lexer().mode_stacks(source, &language.syntax.limits);
    let Ok(all) = stacks else { return Vec::new() };
    let mut at = 0;
    let mut before = |start: u32| {
        while at + 1 < lexed.tokens.len() && lexed.tokens[at].start < start {
            at += 1;
        }
        all.get(at).copied().unwrap_or(0)
    };
    ranges.iter().map(|range| before(range.start - offset)).collect()
}
