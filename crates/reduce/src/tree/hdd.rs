//! Hierarchical delta debugging (Misherghi and Su, ICSE 2006) over the same view of the tree: level by level from the
//! top, all items of all lists of a level as one list.

use std::ops::Range;

use super::Language;
use super::nodes::Kind;
use super::session::Session;
use crate::edit::{Edits, Shift};
use crate::list::{Elements, Follow};
use crate::minimize::{Choice, Shape};
use crate::passes::{Pass, When};
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;

/// Reduction level by level.
#[derive(Debug, Clone, Copy)]
pub struct Hdd<'a> {
    language: &'a Language,
}

impl<'a> Hdd<'a> {
    /// By a language.
    pub fn new(language: &'a Language) -> Hdd<'a> {
        Hdd { language }
    }
}

impl Pass for Hdd<'_> {
    fn name(&self) -> &'static str {
        "hdd"
    }

    fn manual(&self) -> &'static str {
        "Deletes items of lists and optional parts, level by level from the top of the tree.\n\n\
         A base line to compare with; `perses` asks less and does more."
    }

    fn when(&self) -> When {
        When::Always
    }

    fn keeps_grammar(&self) -> bool {
        true
    }

    fn run(&self, problem: &mut Problem<'_>) -> Result<(), Stop> {
        for file in 0..problem.text().parts().len() {
            let Some(mut session) = Session::new(self.language, problem.text(), file) else { continue };
            let deepest = session.nodes.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
            for depth in 1..=deepest {
                let items: Vec<u32> = (0..session.nodes.nodes.len() as u32)
                    .filter(|node| session.nodes.get(*node).depth == depth && session.size(*node) > 0)
                    .filter(|node| {
                        let parent = session.nodes.get(session.nodes.get(*node).parent).kind;
                        matches!(parent, Kind::List { .. } | Kind::Loose)
                    })
                    .collect();
                let minimizer = problem.minimizer();
                problem.minimize_by(minimizer, Level { session: &mut session, items }, &mut ())?;
            }
        }
        Ok(())
    }
}

/// The items of one level, in the order of the text.
struct Level<'s, 'a> {
    session: &'s mut Session<'a>,
    items: Vec<u32>,
}

impl Level<'_, '_> {
    fn ranges(&self, choice: &Choice) -> Vec<Range<u32>> {
        let gone: Vec<u32> = match choice {
            Choice::Delete(range) => self.items[range.clone()].to_vec(),
            Choice::Keep(range) => [&self.items[..range.start], &self.items[range.end..]].concat(),
        };
        let parent = |item: &u32| self.session.nodes.get(*item).parent;
        gone.chunk_by(|a, b| parent(a) == parent(b))
            .flat_map(|family| self.session.without(parent(&family[0]), family))
            .collect()
    }
}

impl Follow for Level<'_, '_> {
    fn shift(&mut self, _shift: &Shift<'_>) {}
}

impl Elements for Level<'_, '_> {
    fn shape(&self) -> Shape {
        Shape::new(self.items.iter().map(|item| self.session.size(*item)))
    }

    fn edits(&self, text: &Text, choice: &Choice) -> Option<Edits> {
        self.session.candidate(text, 0, self.ranges(choice)).map(|(_, edits)| edits)
    }

    fn accept(&mut self, choice: &Choice, edits: &Edits) {
        let ranges = self.ranges(choice);
        self.session.accept_edits(&ranges, edits);
        match choice {
            Choice::Delete(gone) => drop(self.items.drain(gone.clone())),
            Choice::Keep(kept) => self.items = self.items[kept.clone()].to_vec(),
        }
    }
}
