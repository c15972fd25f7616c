//! Left recursion into stars; with all sequences reversed, right recursion too.
//!
//! Left recursion is found through everything that may be empty, for a grammar that keeps some is of no use to an LL
//! parser. Right recursion does no harm there, so only what makes a list is taken: a rule of the author that stands
//! last.
//!
//! For each component of "can begin with": its nonterminals in ascending order; in each, a leading nonterminal of
//! lower number is replaced by its sequences (which begin with higher numbers, as those were done before), and then
//! its own recursion becomes a star at once. `N : N a | b` is then `N : b a*`.

use super::form::{Form, Item, Sequence, Symbol, dedup, filled};
use super::{GROWTH_LIMIT, weight};
use crate::analysis::Components;

/// What counts as the beginning of a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Front {
    /// All items up to the first that must be there.
    Possible,
    /// The first item, if it is a rule of the author that stands there at most once.
    Certain,
}

/// Removes left recursion where the result stays small; gives the nonterminals of the components that were kept.
pub(super) fn remove_left(form: &mut Form) -> Vec<usize> {
    remove(form, Front::Possible)
}

/// The same at the other end.
pub(super) fn remove_right(form: &mut Form) -> Vec<usize> {
    form.reverse();
    let kept = remove(form, Front::Certain);
    form.reverse();
    kept
}

fn remove(form: &mut Form, front: Front) -> Vec<usize> {
    let n = form.rules.len();
    let components = Components::of_edges(n, &edges(form, front));
    let mut kept = Vec::new();
    for component in 0..components.len() {
        let members: Vec<usize> = components.nodes(component).collect();
        let is_member = |at: usize| at < n && components.component(at) == component;
        let before: Vec<(usize, Vec<Sequence>)> =
            members.iter().map(|at| (*at, form.rules[*at].clone())).collect();
        let limit = GROWTH_LIMIT * weight(form, members.iter().copied()) + 64;
        let nonterminals_before = form.rules.len();
        if remove_in_component(form, &members, &is_member, limit, front).is_none() {
            for (at, sequences) in before {
                form.rules[at] = sequences;
            }
            form.rules[nonterminals_before..].iter_mut().for_each(Vec::clear);
            kept.extend(members);
        }
    }
    kept
}

/// Which nonterminals a nonterminal can begin with.
fn edges(form: &Form, front: Front) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for (from, sequences) in form.rules.iter().enumerate() {
        for item in sequences.iter().flat_map(|sequence| front.of(form, sequence)) {
            if let Symbol::Nonterminal(to) = item.symbol {
                edges.push((from as u32, to as u32));
            }
        }
    }
    edges
}

impl Front {
    fn of<'a>(self, form: &Form, sequence: &'a [Item]) -> &'a [Item] {
        match self {
            Front::Possible => {
                let end = sequence.iter().position(|item| item.min > 0).map_or(sequence.len(), |at| at + 1);
                &sequence[..end]
            }
            Front::Certain => match sequence.first() {
                Some(item) if item.max == Some(1) && form.is_declared(item.symbol) => &sequence[..1],
                _ => &[],
            },
        }
    }
}

/// `None` if it grew beyond the limit, or if some nonterminal has nothing but recursion.
fn remove_in_component(
    form: &mut Form,
    members: &[usize],
    is_member: &dyn Fn(usize) -> bool,
    limit: usize,
    front: Front,
) -> Option<()> {
    let recursive = |form: &Form| {
        members.len() > 1
            || form.rules[members[0]]
                .iter()
                .flat_map(|sequence| front.of(form, sequence))
                .any(|item| item.symbol == Symbol::Nonterminal(members[0]))
    };
    if !recursive(form) {
        return Some(());
    }
    for at in members {
        let (rests, bases) = split(form, *at, is_member, limit, front)?;
        if bases.is_empty() {
            return None;
        }
        form.rules[*at] = bases;
        let mut rests: Vec<Sequence> = rests.into_iter().flat_map(filled).collect();
        dedup(&mut rests);
        if !rests.is_empty() {
            let star = Item::star(form.symbol_for(*at, "part", rests));
            form.rules[*at].iter_mut().for_each(|sequence| sequence.push(star));
        }
        if weight(form, members.iter().copied()) > limit {
            return None;
        }
    }
    Some(())
}

/// The sequences of a nonterminal: what follows itself, and those that do not begin with it or a lower member.
fn split(
    form: &Form,
    at: usize,
    is_member: &dyn Fn(usize) -> bool,
    limit: usize,
    front: Front,
) -> Option<(Vec<Sequence>, Vec<Sequence>)> {
    let is_low = |item: &Item| matches!(item.symbol, Symbol::Nonterminal(to) if to <= at && is_member(to));
    let mut todo: Vec<Sequence> = form.rules[at].iter().rev().cloned().collect();
    let (mut rests, mut bases) = (Vec::new(), Vec::new());
    let mut size = 0;
    while let Some(mut sequence) = todo.pop() {
        size += sequence.len() + 1;
        if size > limit {
            return None;
        }
        if !front.of(form, &sequence).iter().any(is_low) {
            bases.push(sequence);
            continue;
        }
        let first = sequence[0];
        let rest = sequence.split_off(1);
        if first.min == 0 {
            // Either it is there or it is not.
            if !rest.is_empty() {
                todo.push(rest.clone());
            }
            todo.push([vec![first.filled()], rest].concat());
        } else if !first.is_one() {
            // One of them is the first.
            let more = Item { min: first.min - 1, max: first.max.map(|max| max - 1), ..first };
            todo.push([vec![Item::one(first.symbol), more], rest].concat());
        } else if first.symbol == Symbol::Nonterminal(at) {
            rests.push(rest);
        } else if let Symbol::Nonterminal(low) = first.symbol {
            for sequence in form.rules[low].iter().rev() {
                todo.push([sequence.as_slice(), rest.as_slice()].concat());
            }
        }
    }
    dedup(&mut bases);
    Some((rests, bases))
}
