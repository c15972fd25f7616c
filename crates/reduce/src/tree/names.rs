//! Names in a text, and what must go when a name goes.
//!
//! A name is a word of a token type that has no literal; two tokens of one type with one text are the same name. What
//! it means, and where it is declared, nobody knows: the first occurrence is taken for the declaration.

use std::ops::Range;

use polysmith_grammar::TokenType;
use rustc_hash::FxHashMap;

use super::cut::Cut;
use super::nodes::{NONE, NodeKind};
use super::session::Session;
use crate::text::Text;

/// A name and the tokens that spell it, in the order of the text.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) kind: TokenType,
    pub(super) tokens: Vec<u32>,
}

/// The names of a file, in the order of first occurrence.
pub(super) fn names(session: &Session<'_>, text: &Text) -> Vec<Name> {
    let mut numbers: FxHashMap<(TokenType, &str), usize> = FxHashMap::default();
    let mut names: Vec<Name> = Vec::new();
    let all = session.nodes.get(0).tokens.clone();
    for token in session.live.tokens(&all) {
        let kind = session.token_type(token);
        let Ok(shown) = std::str::from_utf8(session.show(text, token)) else { continue };
        if session.language.syntax.grammar.tokens().get(kind).text.is_some() || !is_name(shown) {
            continue;
        }
        let number = *numbers.entry((kind, shown)).or_insert(names.len());
        if number == names.len() {
            names.push(Name { text: shown.to_owned(), kind, tokens: Vec::new() });
        }
        names[number].tokens.push(token);
    }
    names
}

/// A word that begins with a letter, perhaps after a mark such as `$` or `@`.
fn is_name(text: &str) -> bool {
    let word = text.trim_start_matches(['$', '@', '%', '#', '&', ':']);
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.' | '\''))
}

/// The cuts that delete the items of lists in which tokens lie, `level` items further out than the innermost one.
/// Where a list would keep too few, what holds the list goes. `None` if something cannot go at all.
pub(super) fn without(session: &Session<'_>, tokens: &[u32], level: usize) -> Option<Vec<Cut>> {
    let mut items: Vec<u32> = Vec::new();
    for token in tokens {
        let mut item = item_around(session, session.nodes.leaf(*token))?;
        for _ in 0..level {
            item = item_around(session, session.nodes.get(item).parent)?;
        }
        items.push(item);
    }
    // Each step takes an item further out, so this ends.
    loop {
        outermost(session, &mut items);
        let Some(starved) = starved(session, &items) else { break };
        items.push(item_around(session, starved)?);
    }
    let mut cuts = Vec::new();
    for family in items.chunk_by(|a, b| session.nodes.get(*a).parent == session.nodes.get(*b).parent) {
        cuts.extend(runs(session, session.nodes.get(family[0]).parent, family).into_iter().map(Cut::delete));
    }
    Some(cuts)
}

/// The innermost item of a list that is a node or holds it.
fn item_around(session: &Session<'_>, mut node: u32) -> Option<u32> {
    loop {
        let parent = session.nodes.get(node).parent;
        if parent == NONE {
            return None;
        }
        if matches!(session.nodes.get(parent).kind, NodeKind::List { .. } | NodeKind::Loose) {
            return Some(node);
        }
        node = parent;
    }
}

/// Sorts items and drops those inside others.
fn outermost(session: &Session<'_>, items: &mut Vec<u32>) {
    let tokens = |item: u32| session.nodes.get(item).tokens.clone();
    items.sort_by_key(|item| (tokens(*item).start, std::cmp::Reverse(tokens(*item).end), *item));
    let mut end = 0;
    items.retain(|item| {
        let is_new = tokens(*item).end > end;
        end = end.max(tokens(*item).end);
        is_new
    });
}

/// A list that would keep fewer items than it must.
fn starved(session: &Session<'_>, items: &[u32]) -> Option<u32> {
    let families = items.chunk_by(|a, b| session.nodes.get(*a).parent == session.nodes.get(*b).parent);
    families.map(|family| (session.nodes.get(family[0]).parent, family.len())).find_map(|(list, gone)| {
        let NodeKind::List { min, .. } = session.nodes.get(list).kind else { return None };
        (session.children(list).count() < gone + min as usize).then_some(list)
    })
}

/// The token ranges that go with items of a list: each run of them with the separator after it, at the end of the
/// list with the one before it.
fn runs(session: &Session<'_>, list: u32, gone: &[u32]) -> Vec<Range<u32>> {
    let children: Vec<u32> = session.children(list).collect();
    let tokens = |child: u32| session.nodes.get(child).tokens.clone();
    let mut ranges = Vec::new();
    let mut kept: Option<u32> = None;
    let mut at = 0;
    while at < children.len() {
        if !gone.contains(&children[at]) {
            kept = Some(children[at]);
            at += 1;
            continue;
        }
        let start = at;
        while at < children.len() && gone.contains(&children[at]) {
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
