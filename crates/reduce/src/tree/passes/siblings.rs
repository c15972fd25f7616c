//! Windows over the parts of a node: what must go together, though no list holds it.

use std::ops::Range;

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::Cut;
use crate::tree::nodes::NodeKind;
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, nodes_by_size, sweep};

define_pass! {
    /// Deletes several neighbouring parts of a node at once, in every way that still parses.
    ///
    /// A window of four slides over the parts of each node (its children and the tokens between them, or the items of a
    /// list), and every choice of parts in the window is tried: the head of a loop without its body, both brackets, a
    /// declaration and the statement that uses it.
    "siblings", Late, Tree(|language, problem| sweep(language, problem, &mut Window))
}

/// How many parts a window shows.
const WINDOW: usize = 4;

/// Lists of more items than this are left to the list minimizer.
const MOST_ITEMS: usize = 64;

struct Window;

impl Ideas for Window {
    fn places(&mut self, session: &mut Session<'_>, _text: &Text) -> Vec<RankedPlace> {
        nodes_by_size(session, |node| session.size(node) > 1)
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, node: u32) -> Vec<Vec<Cut>> {
        let (parts, least) = match session.nodes.get(node).kind {
            NodeKind::List { .. } | NodeKind::Loose => (items(session, node), 2),
            // Single parts of other nodes are not tried by anybody else.
            _ => (parts(session, node), 1),
        };
        if parts.len() > MOST_ITEMS {
            return Vec::new();
        }
        let mut changes = Vec::new();
        for start in 0..parts.len() {
            let window = WINDOW.min(parts.len() - start);
            // Every choice that takes the first part: others belong to a later window.
            let mut choices: Vec<u32> = (0..1 << (window - 1)).map(|rest: u32| rest << 1 | 1).collect();
            choices.sort_by_key(|choice| std::cmp::Reverse(choice.count_ones()));
            for choice in choices.into_iter().filter(|choice| choice.count_ones() >= least) {
                let gone = (0..window).filter(|at| choice & (1 << at) != 0);
                changes.push(gone.map(|at| Cut::delete(parts[start + at].clone())).collect());
            }
        }
        changes
    }
}

/// The items of a list, each with the separator after it, the last one with that before it.
fn items(session: &Session<'_>, list: u32) -> Vec<Range<u32>> {
    let items: Vec<u32> = session.children(list).collect();
    let tokens = |item: u32| session.nodes.get(item).tokens.clone();
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let own = tokens(*item);
        let end = items.get(at + 1).map_or(own.end, |next| tokens(*next).start);
        ranges.push(own.start..end);
    }
    ranges
}

/// The children of a node and the tokens between them.
fn parts(session: &Session<'_>, node: u32) -> Vec<Range<u32>> {
    let all = session.nodes.get(node).tokens.clone();
    let mut ranges = Vec::new();
    let mut at = all.start;
    for child in session.children(node) {
        let own = session.nodes.get(child).tokens.clone();
        ranges.extend(session.live.tokens(&(at..own.start)).map(|token| token..token + 1));
        at = own.end;
        ranges.push(own);
    }
    ranges.extend(session.live.tokens(&(at..all.end)).map(|token| token..token + 1));
    ranges
}
