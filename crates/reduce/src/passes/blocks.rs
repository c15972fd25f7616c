//! The structure that brackets, separators and indentation show, largest pieces first.

use std::collections::BinaryHeap;
use std::ops::Range;

use super::define_pass;
use crate::edit::{Edit, Edits, Shift};
use crate::lex::{LexemeKind, Unit, is_markup, lex, units};
use crate::list::Follow;
use crate::problem::Problem;
use crate::question::Stop;
use crate::structure::{Level, cut};
use crate::text::Text;

define_pass! {
    /// Deletes items of the structure that brackets and indentation show, the largest first.
    ///
    /// A file is a tree of pieces: statements and blocks, lines with what is indented below them, items of comma
    /// lists, elements of markup, contents of brackets. The largest piece is looked at first: its items are a list for
    /// the minimizer (all of them go first), then an item may be replaced by the content of one of its brackets,
    /// and what is left is looked at in its turn.
    "blocks", Always, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let text = problem.text();
    let mut queue = Queue::default();
    for part in text.parts() {
        let markup = is_markup(text.slice(&part.range));
        queue.push(WaitingPiece { range: part.range.clone(), level: Level::Statements, markup, item: false });
    }
    while let Some(piece) = queue.pop() {
        if let Some((range, markup)) = hoist(problem, &piece, &mut queue)? {
            queue.push(WaitingPiece { range, level: Level::Statements, item: true, markup });
            continue;
        }
        let markup = piece.markup;
        let Some(cut) = cut(problem.text().bytes(), &piece.range, piece.level, markup) else {
            push_groups(problem.text(), &piece.range, markup, &mut queue);
            continue;
        };
        if cut.level == Level::Units && !markup {
            delete_groups(problem, &piece.range, &mut queue)?;
            continue;
        }
        let minimizer = problem.minimizer();
        let left = problem.minimize_by(minimizer, cut.run, &mut queue)?;
        let level = cut.level.next();
        for range in left.items {
            queue.push(WaitingPiece { range, level, markup, item: true });
        }
    }
    Ok(())
}

/// Tries to put the content of one of its groups in the place of an item, smallest first.
fn hoist(
    problem: &mut Problem<'_>,
    piece: &WaitingPiece,
    queue: &mut Queue,
) -> Result<Option<(Range<u32>, bool)>, Stop> {
    /// More groups than this are not tried: an item of that many is a list of some kind.
    const MOST: usize = 6;
    if !piece.item {
        return Ok(None);
    }
    let units = piece_units(problem.text(), &piece.range, piece.markup);
    let Some(last) = units.last() else { return Ok(None) };
    let keeps_end = last.kind == LexemeKind::Mark(b';') && units.len() > 1;
    let end = if keeps_end { last.range.start } else { last.range.end };
    let bytes = problem.text().bytes();
    let mut groups: Vec<(Range<u32>, bool)> =
        units.iter().filter_map(|unit| unit.group(bytes, piece.markup)).collect();
    groups.retain(|(inside, _)| !inside.is_empty());
    if groups.len() > MOST {
        return Ok(None);
    }
    groups.sort_by_key(|(inside, _)| inside.end - inside.start);
    for (inside, markup) in groups {
        let start = units[0].range.start;
        let edits = Edits::new(vec![Edit::delete(start..inside.start), Edit::delete(inside.end..end)]);
        if let Some(edits) = edits
            && problem.attempt(Some(edits.clone()))?
        {
            let shift = edits.shift();
            queue.shift(&shift);
            return Ok(shift.range(&inside).map(|range| (range, markup)));
        }
    }
    Ok(None)
}

/// Tries to delete single groups of a piece, and queues the contents of those that stay.
fn delete_groups(problem: &mut Problem<'_>, range: &Range<u32>, queue: &mut Queue) -> Result<(), Stop> {
    let mut range = range.clone();
    let count =
        piece_units(problem.text(), &range, false).iter().filter(|unit| unit.inside.is_some()).count();
    for number in (0..count).rev() {
        let units = piece_units(problem.text(), &range, false);
        let Some(group) = units.iter().filter(|unit| unit.inside.is_some()).nth(number) else { continue };
        let edits = Edits::delete(group.range.clone());
        if problem.attempt(edits.clone())?
            && let Some(edits) = &edits
        {
            let shift = edits.shift();
            queue.shift(&shift);
            range = shift.range_or_empty(&range);
        }
    }
    push_groups(problem.text(), &range, false, queue);
    Ok(())
}

fn push_groups(text: &Text, range: &Range<u32>, markup: bool, queue: &mut Queue) {
    let units = piece_units(text, range, markup);
    for (range, markup) in units.iter().filter_map(|unit| unit.group(text.bytes(), markup)) {
        queue.push(WaitingPiece { range, level: Level::Statements, markup, item: false });
    }
}

fn piece_units(text: &Text, range: &Range<u32>, markup: bool) -> Vec<Unit> {
    units(&lex(text.slice(range), range.start, markup))
}

/// A piece that waits for its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WaitingPiece {
    range: Range<u32>,
    level: Level,
    markup: bool,
    /// Whether it is an item of a list, which may be replaced as a whole, or the content of a group.
    item: bool,
}

impl WaitingPiece {
    /// Longest first; ties from the end of the text, so that the order is total.
    fn rank(&self) -> (u32, u32, Level) {
        (self.range.end - self.range.start, self.range.start, self.level)
    }
}

impl Ord for WaitingPiece {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for WaitingPiece {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Pieces by size. Ranges follow the text, and the heap is built anew when they do.
#[derive(Debug, Default)]
struct Queue {
    heap: BinaryHeap<WaitingPiece>,
}

impl Queue {
    /// Pieces of less bytes have nothing to give that the pass `tokens` would not find.
    const SMALLEST: u32 = 3;

    fn push(&mut self, piece: WaitingPiece) {
        if piece.range.end - piece.range.start >= Self::SMALLEST {
            self.heap.push(piece);
        }
    }

    fn pop(&mut self) -> Option<WaitingPiece> {
        self.heap.pop()
    }
}

impl Follow for Queue {
    fn shift(&mut self, shift: &Shift) {
        let pieces = std::mem::take(&mut self.heap).into_iter();
        self.heap = pieces
            .filter_map(|piece| Some(WaitingPiece { range: shift.range(&piece.range)?, ..piece }))
            .collect();
    }
}
