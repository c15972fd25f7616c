//! Hierarchical delta debugging (Misherghi and Su, ICSE 2006) over the same view of the tree: level by level from the
//! top, all items of all lists of a level as one list.

use crate::passes::define_pass;
use crate::problem::Problem;
use crate::question::Stop;
use crate::tree::Language;
use crate::tree::items::{Items, each_file};
use crate::tree::nodes::NodeKind;

define_pass! {
    /// Deletes items of lists and optional parts, level by level from the top of the tree.
    ///
    /// A base line to compare with; `perses` asks less and does more.
    "hdd", Always, Tree(run)
}

fn run(language: &mut Language, problem: &mut Problem<'_>) -> Result<(), Stop> {
    each_file(language, true, problem, |mut session, problem| {
        let deepest = session.nodes.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        for depth in 1..=deepest {
            let items: Vec<u32> = (0..session.nodes.nodes.len() as u32)
                .filter(|node| session.nodes.get(*node).depth == depth && session.size(*node) > 0)
                .filter(|node| {
                    let parent = session.nodes.get(session.nodes.get(*node).parent).kind;
                    matches!(parent, NodeKind::List { .. } | NodeKind::Loose)
                })
                .collect();
            Items { session: &mut session, items }.minimize(problem)?;
        }
        Ok(())
    })
}
