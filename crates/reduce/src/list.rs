//! Lists of elements in a text, and the search that minimizes them.
//!
//! An element is what one deletion takes away. [`Run`] is a list of neighbours (lines, tokens, items with or without
//! separators): deleting any run of them is one edit. [`Hints`] is a list of separate edits, each good or bad on its
//! own (a comment, a shorter name): applying a range of them is the union of their edits.

use std::collections::VecDeque;
use std::ops::Range;

use crate::edit::{Edit, Edits, Shift};
use crate::measure::is_word;
use crate::minimize::{Choice, Cursor, Minimizer, Shape};
use crate::problem::Proposer;
use crate::text::Text;

/// Places in a text that follow its changes.
pub trait Follow {
    /// The text changed: move.
    fn shift(&mut self, shift: &Shift);
}

/// Nothing to move.
impl Follow for () {
    fn shift(&mut self, _shift: &Shift) {}
}

/// Elements that a minimizer chooses from.
pub trait Elements: Follow {
    /// How many there are, and what each weighs.
    fn shape(&self) -> Shape;
    /// The edits that carry a choice out; `None` if they change nothing or cannot be asked about.
    fn edits(&mut self, text: &Text, choice: &Choice) -> Option<Edits>;
    /// A choice was accepted: forget its elements and move the others.
    fn accept(&mut self, choice: &Choice, edits: &Edits);
}

/// Neighbouring elements: each a range; what lies between two of them is a separator.
///
/// An element goes with the separator after it, at the end of the list with the one before it.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The elements, in the order of the text.
    pub items: Vec<Range<u32>>,
}

impl Run {
    /// The range that goes with the elements `gone`.
    pub(crate) fn range(&self, gone: &Range<usize>) -> Range<u32> {
        let first = &self.items[gone.start];
        match (self.items.get(gone.end), gone.start) {
            (Some(next), _) => first.start..next.start,
            (None, 0) => first.start..self.items[gone.end - 1].end,
            (None, start) => self.items[start - 1].end..self.items[gone.end - 1].end,
        }
    }
}

impl Elements for Run {
    fn shape(&self) -> Shape {
        Shape::new(self.items.iter().map(|item| item.end - item.start))
    }

    fn edits(&mut self, text: &Text, choice: &Choice) -> Option<Edits> {
        let edits = match choice {
            Choice::Delete(gone) => vec![glued(text, self.range(gone))],
            Choice::Keep(kept) => {
                let before = (kept.start > 0).then(|| self.items[0].start..self.items[kept.start].start);
                let last = self.items.len() - 1;
                let after = (kept.end <= last).then(|| self.items[kept.end - 1].end..self.items[last].end);
                [before, after].into_iter().flatten().map(|range| glued(text, range)).collect()
            }
        };
        Edits::new(edits)
    }

    fn accept(&mut self, choice: &Choice, edits: &Edits) {
        match choice {
            Choice::Delete(gone) => drop(self.items.drain(gone.clone())),
            Choice::Keep(kept) => self.items = self.items[kept.clone()].to_vec(),
        }
        self.shift(&edits.shift());
    }
}

impl Follow for Run {
    fn shift(&mut self, shift: &Shift) {
        self.items = self.items.iter().filter_map(|item| shift.range(item)).collect();
    }
}

/// Deletes a range; two words that would become one are kept apart by a blank.
pub(crate) fn glued(text: &Text, range: Range<u32>) -> Edit {
    let bytes = text.bytes();
    let before = range.start.checked_sub(1).is_some_and(|at| is_word(bytes[at as usize]));
    let after = bytes.get(range.end as usize).is_some_and(|byte| is_word(*byte));
    let starts_part =
        text.parts().iter().any(|part| part.range.start == range.start || part.range.end == range.end);
    if before && after && !starts_part { Edit::replace(range, " ") } else { Edit::delete(range) }
}

/// Separate edits. To "delete" an element is to carry its edits out.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The edits of each hint. A hint that overlaps one that was carried out is dropped.
    pub hints: Vec<Edits>,
}

impl Elements for Hints {
    fn shape(&self) -> Shape {
        let weight = |hint: &Edits| hint.iter().map(|edit| edit.range.end - edit.range.start).sum();
        Shape::new(self.hints.iter().map(weight))
    }

    fn edits(&mut self, _text: &Text, choice: &Choice) -> Option<Edits> {
        let chosen: Vec<&Edits> = match choice {
            Choice::Delete(range) => self.hints[range.clone()].iter().collect(),
            Choice::Keep(range) => self.hints[..range.start].iter().chain(&self.hints[range.end..]).collect(),
        };
        Edits::new(chosen.into_iter().flat_map(|hint| hint.iter().cloned()).collect())
    }

    fn accept(&mut self, choice: &Choice, edits: &Edits) {
        match choice {
            Choice::Delete(range) => drop(self.hints.drain(range.clone())),
            Choice::Keep(range) => self.hints = self.hints[range.clone()].to_vec(),
        }
        let shift = edits.shift();
        self.hints.retain(|hint| !hint.iter().any(|edit| edits.touches(&edit.range)));
        self.shift(&shift);
    }
}

impl Follow for Hints {
    fn shift(&mut self, shift: &Shift) {
        let moved = |hint: &Edits| {
            let edits = hint
                .iter()
                .map(|edit| Some(Edit { range: shift.range(&edit.range)?, new: edit.new.clone() }));
            edits.collect::<Option<Vec<Edit>>>().and_then(Edits::new)
        };
        self.hints = self.hints.iter().filter_map(moved).collect();
    }
}

/// Proposes the choices of a minimizer.
pub(crate) struct ListSearch<'a, E> {
    pub(crate) elements: E,
    minimizer: &'a dyn Minimizer,
    shape: Shape,
    cursor: Cursor,
    open: VecDeque<(Cursor, Choice)>,
    /// Other places of the text that must follow its changes.
    others: &'a mut dyn Follow,
}

impl<'a, E: Elements> ListSearch<'a, E> {
    pub(crate) fn new(elements: E, minimizer: &'a dyn Minimizer, others: &'a mut dyn Follow) -> Self {
        let shape = elements.shape();
        let cursor = minimizer.begin(&shape);
        Self { elements, minimizer, shape, cursor, open: VecDeque::new(), others }
    }
}

impl<E: Elements> Proposer for ListSearch<'_, E> {
    fn propose(&mut self, text: &Text) -> Option<Edits> {
        loop {
            let choice = self.minimizer.next(&self.shape, &mut self.cursor)?;
            if let Some(edits) = self.elements.edits(text, &choice) {
                self.open.push_back((self.cursor, choice));
                return Some(edits);
            }
        }
    }

    fn refused(&mut self) {
        self.open.pop_front();
    }

    fn accepted(&mut self, _text: &Text, edits: &Edits) {
        let Some((cursor, choice)) = self.open.pop_front() else { return };
        self.open.clear();
        self.elements.accept(&choice, edits);
        self.others.shift(&edits.shift());
        self.shape = self.elements.shape();
        self.cursor = self.minimizer.accepted(&self.shape, cursor, &choice);
    }
}
