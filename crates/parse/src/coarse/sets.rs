//! Positions, sets of them, and the transitions between sets.

use super::stacks::{StackId, UNKNOWN_CALLERS};
use crate::index::{Index, Mix};
use crate::network::StateId;
use rustc_hash::FxHashMap;

/// Names a position set.
pub(super) type SetId = u32;

/// The empty set: no alternative before the intended one can match.
pub(super) const EMPTY_SET: SetId = 0;
/// Represents a set with too many positions to follow.
pub(super) const TOO_LARGE: SetId = 1;
/// Not computed, or none.
pub(super) const UNKNOWN: SetId = u32::MAX;

/// Grammars with at most this many token types have a dense row of transitions per set; a dense row of a larger grammar
/// would take more memory than the few transitions that are learned.
const MAX_ROW_WIDTH: usize = 1_024;

/// A state of the network with its open calls, or one of three marks that take the place of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) state: StateId,
    pub(super) stack: StackId,
}

impl Position {
    /// The start rule has ended: nothing need follow, so prediction may wait for the end of the input.
    pub(super) const END_OF_TEXT: Position = Position { state: u32::MAX, stack: UNKNOWN_CALLERS };
    /// The only element of [`TOO_LARGE`].
    const ANYWHERE: Position = Position { state: u32::MAX - 1, stack: UNKNOWN_CALLERS };

    /// Only operators of this precedence or a higher one count in the decision's own rule, until a token was read.
    pub(super) fn least_precedence(precedence: u32) -> Position {
        Position { state: u32::MAX - 2, stack: precedence }
    }

    /// The precedence of [`Position::least_precedence`].
    pub(super) fn as_least_precedence(self) -> Option<u32> {
        (self.state == u32::MAX - 2).then_some(self.stack)
    }

    pub(super) fn hash(self) -> u32 {
        Mix::default().and_both(self.state, self.stack).hash()
    }
}

/// All sets met so far, each stored once.
#[derive(Debug, Clone)]
pub(super) struct PositionSets {
    /// By set: where its positions end in `positions`; they begin where those of the set before end.
    ends: Vec<u32>,
    positions: Vec<Position>,
    index: Index,
    /// The number of token types, the end of the input included.
    width: usize,
    /// A row of transitions per set, if `width` is at most [`MAX_ROW_WIDTH`]; else `edges` has them.
    rows: Vec<SetId>,
    edges: FxHashMap<(SetId, u32), SetId>,
}

impl PositionSets {
    /// The empty set and [`TOO_LARGE`].
    pub(super) fn new(width: usize) -> PositionSets {
        let mut sets = PositionSets {
            ends: Vec::new(),
            positions: Vec::new(),
            index: Index::default(),
            width,
            rows: Vec::new(),
            edges: FxHashMap::default(),
        };
        sets.intern(&mut Vec::new());
        sets.intern(&mut vec![Position::ANYWHERE]);
        sets
    }

    /// The set of these positions. Sorts them.
    pub(super) fn intern(&mut self, positions: &mut Vec<Position>) -> SetId {
        positions.sort_unstable();
        positions.dedup();
        let mix = |mix: Mix, position: &Position| mix.and_both(position.state, position.stack);
        let hash = positions.iter().fold(Mix::default(), mix).hash();
        let (ends, all) = (&self.ends, &self.positions);
        let is_same = |set: SetId| all[range_of(ends, set)] == positions[..];
        let set = ends.len();
        if let Some(known) = self.index.get_or_insert(hash, set, is_same) {
            return known;
        }
        self.positions.extend_from_slice(positions);
        self.ends.push(self.positions.len() as u32);
        if self.width <= MAX_ROW_WIDTH {
            self.rows.resize(self.rows.len() + self.width, UNKNOWN);
        }
        set as SetId
    }

    /// The positions of a set.
    pub(super) fn positions(&self, set: SetId) -> &[Position] {
        &self.positions[range_of(&self.ends, set)]
    }

    /// The set after a token; [`UNKNOWN`] if it is not computed yet.
    #[inline]
    pub(super) fn transition(&self, set: SetId, token: u32) -> SetId {
        if self.width <= MAX_ROW_WIDTH {
            self.rows[set as usize * self.width + token as usize]
        } else {
            self.edges.get(&(set, token)).copied().unwrap_or(UNKNOWN)
        }
    }

    /// Stores the set after a token.
    pub(super) fn learn(&mut self, set: SetId, token: u32, next: SetId) {
        if self.width <= MAX_ROW_WIDTH {
            self.rows[set as usize * self.width + token as usize] = next;
        } else {
            self.edges.insert((set, token), next);
        }
    }

    /// Bytes used, roughly.
    pub(super) fn memory(&self) -> usize {
        self.rows.len() * 4 + self.edges.len() * 16 + self.positions.len() * 8
    }
}

fn range_of(ends: &[u32], set: SetId) -> std::ops::Range<usize> {
    let from = if set == 0 { 0 } else { ends[set as usize - 1] };
    from as usize..ends[set as usize] as usize
}
