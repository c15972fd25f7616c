//! Separated lists: `x (s x)*` and `(x s)* x`.
//!
//! Nearly every grammar writes its lists this way, and what reads them as a sequence and a star loses that the
//! first element is one like the others. Found by comparing [`Shapes`]: linear but for the length of an item,
//! which is compared as often as it is long.

use super::shape::{Shape, Shapes};
use crate::ids::{AltId, BlockId, ElementId};
use crate::model::{ElementKind, Grammar};
use std::ops::Range;

/// Where the item outside the group stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// `x (s x)*`
    ItemFirst,
    /// `(x s)* x`
    ItemLast,
}

/// A list with separators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeparatedList {
    /// The alternative that it is part of.
    pub alternative: AltId,
    /// The repeated group.
    pub block: BlockId,
    /// Which of the two forms.
    pub form: ListForm,
    /// The item outside the group.
    pub outside: Range<ElementId>,
    /// The item inside the group: written like the one outside.
    pub inside: Range<ElementId>,
    /// The separator. Empty in `x x*`.
    pub separator: Range<ElementId>,
}

/// All separated lists of a grammar, by block.
#[derive(Debug, Clone)]
pub struct SeparatedLists {
    lists: Vec<SeparatedList>,
    by_block: Vec<Option<u32>>,
}

impl SeparatedLists {
    /// Looks at every repeated group with one alternative.
    pub fn of(grammar: &Grammar, shapes: &Shapes) -> SeparatedLists {
        let mut found = SeparatedLists { lists: Vec::new(), by_block: vec![None; grammar.n_blocks()] };
        for alternative in (0..grammar.n_alternatives()).map(AltId::new) {
            for place in grammar.element_ids(alternative) {
                if let ElementKind::Block(block) = grammar.element(place).kind {
                    found.look_at(grammar, shapes, alternative, place.index(), block);
                }
            }
        }
        found
    }

    fn look_at(&mut self, g: &Grammar, shapes: &Shapes, alternative: AltId, place: usize, block: BlockId) {
        let mut inner = g.alternatives(block);
        let (Some(only), None) = (inner.next(), inner.next()) else { return };
        if g.block(block).quantifier.max.is_some() {
            return;
        }
        let around = &g.alternative(alternative).elements;
        let inside = shapes.alternative(g, only);
        // What lies further away than a whole item is not looked at: long alternatives stay cheap.
        let from = place.saturating_sub(inside.len()).max(around.start.index());
        let to = (place + 1 + inside.len()).min(around.end.index());
        let sides = Sides {
            before: shapes_of(g, shapes, from..place),
            inside,
            after: shapes_of(g, shapes, place + 1..to),
        };
        let Some((form, length)) = sides.compare() else { return };
        let start = g.alternative(only).elements.start.index();
        let end = start + sides.inside.len();
        let (outside, inside, separator) = match form {
            ListForm::ItemFirst => (place - length..place, end - length..end, start..end - length),
            ListForm::ItemLast => (place + 1..place + 1 + length, start..start + length, start + length..end),
        };
        let (outside, inside, separator) = (ids(outside), ids(inside), ids(separator));
        // In `(x s)* x (s x)*` the item in the middle belongs to the first list.
        let free = self.lists.last().is_none_or(|last| last.outside.end <= outside.start);
        if free {
            self.add(SeparatedList { alternative, block, form, outside, inside, separator });
        }
    }

    fn add(&mut self, list: SeparatedList) {
        self.by_block[list.block.index()] = Some(self.lists.len() as u32);
        self.lists.push(list);
    }

    /// All of them, in the order of the text.
    pub fn all(&self) -> &[SeparatedList] {
        &self.lists
    }

    /// The list whose repeated group this is.
    pub fn of_block(&self, block: BlockId) -> Option<&SeparatedList> {
        self.by_block[block.index()].map(|at| &self.lists[at as usize])
    }
}

fn ids(range: Range<usize>) -> Range<ElementId> {
    ElementId::new(range.start)..ElementId::new(range.end)
}

fn shapes_of(grammar: &Grammar, shapes: &Shapes, range: Range<usize>) -> Vec<Shape> {
    grammar.elements[range].iter().map(|element| shapes.element(element.kind)).collect()
}

struct Sides {
    before: Vec<Shape>,
    inside: Vec<Shape>,
    after: Vec<Shape>,
}

impl Sides {
    /// The form, and how long an item is: as long as possible, but leaving a separator if there can be one.
    fn compare(&self) -> Option<(ListForm, usize)> {
        let n = self.inside.len();
        let lengths = (1..n).rev().chain((n > 0).then_some(n));
        lengths.flat_map(|length| [(ListForm::ItemFirst, length), (ListForm::ItemLast, length)]).find(
            |(form, length)| match form {
                ListForm::ItemFirst => self.before.ends_with(&self.inside[n - length..]),
                ListForm::ItemLast => self.after.starts_with(&self.inside[..*length]),
            },
        )
    }
}
