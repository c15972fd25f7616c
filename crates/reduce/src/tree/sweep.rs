//! A pass that goes from place to place and proposes changes there.
//!
//! Places come in an order of their own (mostly the largest node first). When a change is accepted the text is parsed
//! again, and the sweep goes on from the same point of the order: what comes before it was refused a moment ago, and
//! will be looked at again in the next round.

use std::collections::VecDeque;

use super::Language;
use super::cut::Cut;
use super::nodes::NodeKind;
use super::session::Session;
use crate::edit::Edits;
use crate::problem::{Problem, Proposer};
use crate::question::Stop;
use crate::text::Text;

/// Longer files are left to Perses: each accepted change parses the file again.
const SWEPT_BYTES: u32 = 128 << 10;

/// A place: its rank in the order, and what it is to the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankedPlace {
    /// Lower ones come first.
    pub(super) rank: (u32, u32),
    pub(super) id: u32,
}

/// What a pass knows.
pub(super) trait Ideas {
    /// The places to look at, in any order.
    fn places(&mut self, session: &mut Session<'_>, text: &Text) -> Vec<RankedPlace>;
    /// The changes to try at a place, the best first. What is not in the language is dropped by the sweep.
    fn changes(&self, session: &Session<'_>, text: &Text, place: u32) -> Vec<Vec<Cut>>;
}

/// Sweeps over all files.
pub(super) fn sweep(
    language: &mut Language,
    problem: &mut Problem<'_>,
    ideas: &mut dyn Ideas,
) -> Result<(), Stop> {
    for file in 0..problem.text().parts().len() {
        let mut from = (0, 0);
        loop {
            let range = &problem.text().parts()[file].range;
            if range.end - range.start > SWEPT_BYTES {
                break;
            }
            let Some(mut session) = Session::new(language, problem.text(), file) else { break };
            let mut places = ideas.places(&mut session, problem.text());
            places.retain(|place| place.rank >= from);
            places.sort_unstable();
            let mut search = Search {
                ideas,
                session,
                places: places.into(),
                changes: VecDeque::new(),
                open: VecDeque::new(),
                taken: None,
            };
            problem.search(&mut search)?;
            match search.taken {
                Some(rank) => from = rank,
                None => break,
            }
        }
    }
    Ok(())
}

/// All nodes but tokens, the largest first.
pub(super) fn nodes_by_size(session: &Session<'_>, is_wanted: impl Fn(u32) -> bool) -> Vec<RankedPlace> {
    (0..session.nodes.nodes.len() as u32)
        .filter(|node| session.nodes.get(*node).kind != NodeKind::Token && is_wanted(*node))
        .map(|node| RankedPlace { rank: by_size(session, node), id: node })
        .collect()
}

/// The rank of a node if the largest come first.
pub(super) fn by_size(session: &Session<'_>, node: u32) -> (u32, u32) {
    (u32::MAX - session.size(node), session.nodes.get(node).tokens.start)
}

struct Search<'s, 'a> {
    ideas: &'s mut dyn Ideas,
    session: Session<'a>,
    places: VecDeque<RankedPlace>,
    /// What is still to be tried at a place.
    changes: VecDeque<((u32, u32), Vec<Cut>)>,
    open: VecDeque<(u32, u32)>,
    taken: Option<(u32, u32)>,
}

impl Proposer for Search<'_, '_> {
    fn propose(&mut self, text: &Text) -> Option<Edits> {
        while self.taken.is_none() {
            let Some((rank, cuts)) = self.changes.pop_front() else {
                let place = self.places.pop_front()?;
                let changes = self.ideas.changes(&self.session, text, place.id);
                self.changes = changes.into_iter().map(|cuts| (place.rank, cuts)).collect();
                continue;
            };
            if let Some(plan) = self.session.plan(text, cuts) {
                self.open.push_back(rank);
                return Some(plan.edits);
            }
        }
        None
    }

    fn refused(&mut self) {
        self.open.pop_front();
    }

    fn accepted(&mut self, _text: &Text, _edits: &Edits) {
        self.taken = self.open.pop_front();
        self.open.clear();
    }
}
