//! Items of lists, for a list minimizer: of one list, or of all lists of a level; and the way over the files that the
//! passes share which minimize them.

use std::ops::Range;

use super::Language;
use super::cut::Cut;
use super::nodes::NodeKind;
use super::session::Session;
use crate::edit::{Edits, Shift};
use crate::list::{Elements, Follow};
use crate::minimize::{Choice, Shape};
use crate::passes::token_run;
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

/// Items in the order of the text; all that are left of each list.
pub(super) struct Items<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    pub(super) items: Vec<u32>,
}

/// Parses one file after the other and walks over its tree.
///
/// A pass that is alone takes every tree, and all tokens of a file without one are a list: the next round may find a
/// tree. Beside passes without a grammar these do better with such a file, and with one that is mostly outside the
/// language.
pub(super) fn each_file(
    language: &mut Language,
    is_alone: bool,
    problem: &mut Problem<'_>,
    mut walk: impl FnMut(Session<'_>, &mut Problem<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        let session = match is_alone {
            true => Session::of_any(language, problem.text(), file),
            false => Session::new(language, problem.text(), file),
        };
        match session {
            Some(session) => walk(session, problem)?,
            None if is_alone => drop(problem.minimize(token_run(problem.text(), file))?),
            None => {}
        }
    }
    Ok(())
}

impl Items<'_, '_> {
    /// Takes away what can go, by the minimizer of the run.
    pub(super) fn minimize(self, problem: &mut Problem<'_>) -> Result<(), Stop> {
        problem.minimize_by(problem.minimizer(), self, &mut ()).map(drop)
    }

    fn tokens(&self, item: usize) -> &Range<u32> {
        &self.session.nodes.get(self.items[item]).tokens
    }

    fn list(&self, item: usize) -> u32 {
        self.session.nodes.get(self.items[item]).parent
    }

    fn cuts(&self, choice: &Choice) -> Vec<Cut> {
        let runs = match choice {
            Choice::Delete(gone) => [gone.clone(), 0..0],
            Choice::Keep(kept) => [0..kept.start, kept.end..self.items.len()],
        };
        let mut cuts = Vec::new();
        for run in runs {
            let mut at = run.start;
            while at < run.end {
                let end = self.end_of_family(at, run.end);
                cuts.extend(self.cut(at..end).map(Cut::delete));
                at = end;
            }
        }
        cuts
    }

    /// The first place up to `end` at which another list begins.
    fn end_of_family(&self, at: usize, end: usize) -> usize {
        let list = self.list(at);
        if self.list(end - 1) == list {
            return end;
        }
        at + self.items[at..end].partition_point(|item| self.session.nodes.get(*item).parent == list)
    }

    /// What goes with items of one list: the separator after them, at the end of the list the one before them.
    /// Nothing if too few would stay.
    fn cut(&self, gone: Range<usize>) -> Option<Range<u32>> {
        let list = self.list(gone.start);
        let next = (gone.end < self.items.len()).then_some(gone.end).filter(|at| self.list(*at) == list);
        let before = gone.start.checked_sub(1).filter(|at| self.list(*at) == list);
        let min = match self.session.nodes.get(list).kind {
            NodeKind::List { min, .. } => min as usize,
            _ => 0,
        };
        let left = || self.session.children(list).count().saturating_sub(gone.len());
        if min > 0 && next.is_none() && before.is_none() || min > 1 && left() < min {
            return None;
        }
        let (first, last) = (self.tokens(gone.start).start, self.tokens(gone.end - 1).end);
        Some(match (next, before) {
            (Some(next), _) => first..self.tokens(next).start,
            (None, Some(before)) => self.tokens(before).end..last,
            (None, None) => first..last,
        })
    }
}

impl Follow for Items<'_, '_> {
    fn shift(&mut self, _shift: &Shift) {}
}

impl Elements for Items<'_, '_> {
    fn shape(&self) -> Shape {
        Shape::new(self.items.iter().map(|item| self.session.size(*item)))
    }

    fn edits(&mut self, text: &Text, choice: &Choice) -> Option<Edits> {
        let cuts = self.cuts(choice);
        self.session.plan(text, cuts).map(|plan| plan.edits)
    }

    fn accept(&mut self, choice: &Choice, edits: &Edits) {
        let cuts = self.cuts(choice);
        self.session.accept_cuts(cuts, edits);
        match choice {
            Choice::Delete(gone) => drop(self.items.drain(gone.clone())),
            Choice::Keep(kept) => self.items = self.items[kept.clone()].to_vec(),
        }
    }
}
