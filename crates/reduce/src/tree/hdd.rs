//! Hierarchical delta debugging (Misherghi and Su, ICSE 2006) over the same view of the tree: level by level from the
//! top, all items of all lists of a level as one list.

use super::Language;
use super::items::{Items, each_file};
use super::nodes::Kind;
use crate::passes::{Pass, When};
use crate::problem::Problem;
use crate::question::Stop;

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
        each_file(self.language, true, problem, |mut session, problem| {
            let deepest = session.nodes.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
            for depth in 1..=deepest {
                let items: Vec<u32> = (0..session.nodes.nodes.len() as u32)
                    .filter(|node| session.nodes.get(*node).depth == depth && session.size(*node) > 0)
                    .filter(|node| {
                        let parent = session.nodes.get(session.nodes.get(*node).parent).kind;
                        matches!(parent, Kind::List { .. } | Kind::Loose)
                    })
                    .collect();
                Items { session: &mut session, items }.minimize(problem)?;
            }
            Ok(())
        })
    }
}
