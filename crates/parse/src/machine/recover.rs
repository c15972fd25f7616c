//! Error recovery, as ANTLR's default strategy does it in generated parsers.
//!
//! One token may be deleted or invented where a token is matched; `sync` checks before each decision that the
//! token ahead can go on; and a rule that fails skips tokens until one that some caller is waiting for.

use super::{Failure, Machine};
use crate::network::{NO_STATE, StateId, StateKind};
use crate::types::TypeSet;
use polysmith_grammar::TokenType;

/// What the strategy remembers between errors.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    /// An error was reported and no token has been matched since.
    pub(super) recovering: bool,
    /// Where the last rule failed, and in which states: failing there again consumes a token.
    last: Option<usize>,
    last_states: Vec<StateId>,
    remembered: Remembered,
}

/// The first place since the last fitting token at which a rule could have ended. Its calling context outlives
/// the frames: those that have been left since are in `left`, the innermost first.
#[derive(Debug)]
struct Remembered {
    /// [`NO_STATE`] if there is no such place.
    state: StateId,
    /// The number of open frames that belong to the context; no number of frames if there is no such place.
    depth: usize,
    left: Vec<StateId>,
}

impl Default for Remembered {
    fn default() -> Remembered {
        Remembered { state: NO_STATE, depth: usize::MAX, left: Vec::new() }
    }
}

impl Recovery {
    /// A token was matched: whatever went wrong is over.
    #[inline]
    pub(super) fn matched(&mut self) {
        if self.recovering || self.last.is_some() {
            self.recovering = false;
            self.last = None;
            self.last_states.clear();
        }
    }

    #[inline]
    pub(super) fn forget(&mut self) {
        self.remembered.state = NO_STATE;
        self.remembered.depth = usize::MAX;
    }

    #[inline]
    pub(super) fn remember(&mut self, state: StateId, depth: usize) {
        if self.remembered.state == NO_STATE {
            self.remembered.state = state;
            self.remembered.depth = depth;
            self.remembered.left.clear();
        }
    }

    /// A frame was left; `depth` remain.
    #[inline]
    pub(super) fn left(&mut self, depth: usize, follow: StateId) {
        if self.remembered.depth == depth + 1 {
            self.remembered.depth = depth;
            self.remembered.left.push(follow);
        }
    }

    /// Frames were left; `depth` remain. `follows`: those of the frames, the outermost first.
    #[inline(always)]
    pub(super) fn left_all(
        &mut self,
        depth: usize,
        follows: impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator,
    ) {
        let remembered = &mut self.remembered;
        if remembered.depth > depth && remembered.state != NO_STATE {
            let inside = (depth + follows.len()).saturating_sub(remembered.depth);
            remembered.left.extend(follows.rev().skip(inside));
            remembered.depth = depth;
        }
    }
}

impl Machine<'_> {
    /// What can come next at a state, here or where the callers go on.
    fn expected_at(&self, state: StateId) -> TypeSet {
        self.expected(state, &[], self.frames.len())
    }

    /// The same for a context: the follow states of frames already left, then the open frames.
    fn expected(&self, state: StateId, left: &[StateId], depth: usize) -> TypeSet {
        let (network, look) = (&self.compiled.network, &self.compiled.look);
        let mut expected = look.next(network, state).clone();
        let open = self.frames[..depth].iter().rev().map(|frame| frame.follow);
        let mut callers = left.iter().copied().chain(open);
        while expected.epsilon {
            expected.epsilon = false;
            match callers.next().filter(|state| *state != NO_STATE) {
                Some(follow) => {
                    let next = look.next(network, follow);
                    expected.add(next);
                    expected.epsilon = next.epsilon;
                }
                None => expected.insert(0),
            }
        }
        expected
    }

    /// The expected set of a mismatch.
    pub(super) fn expected_of_mismatch(&self, use_remembered: bool) -> TypeSet {
        let place = &self.recovery.remembered;
        if use_remembered && place.state != NO_STATE {
            self.expected(place.state, &place.left, place.depth)
        } else {
            self.expected_at(self.state)
        }
    }

    fn token_after(&mut self) -> u32 {
        let last = self.input.types.len() - 1;
        let at = if self.token() == 0 { self.at } else { (self.at + 1).min(last) };
        self.looked = self.looked.max(at);
        self.input.types[at]
    }

    /// The token ahead does not fit: delete it, invent one, or give up. `leaves_node`: an invented token is shown.
    pub(super) fn match_inline(&mut self, leaves_node: bool) -> Result<(), Failure> {
        if self.delete() {
            self.matched = self.token();
            self.consume();
            return Ok(());
        }
        let next = self.compiled.network.edges(self.state)[0].target();
        if self.expected_at(next).contains(self.token() as usize) {
            let expected = self.expected_at(self.state);
            self.report_missing(&expected);
            if leaves_node {
                let least = expected.iter().next().unwrap_or(TokenType::EOF);
                self.leaves.missing(least);
            }
            return Ok(());
        }
        Err(Failure::Mismatch { remembered: true })
    }

    /// Drops the token ahead if the one after it fits.
    fn delete(&mut self) -> bool {
        let after = self.token_after();
        let expected = self.expected_at(self.state);
        if !expected.contains(after as usize) {
            return false;
        }
        self.report_unwanted(&expected);
        self.consume();
        self.recovery.matched();
        true
    }

    /// Before a decision, and after each round of a loop.
    pub(super) fn sync(&mut self) -> Result<(), Failure> {
        if self.recovery.recovering {
            return Ok(());
        }
        let compiled = self.compiled;
        let next = compiled.look.next(&compiled.network, self.state);
        if next.contains(self.token() as usize) {
            self.recovery.forget();
            return Ok(());
        }
        if next.epsilon {
            self.recovery.remember(self.state, self.frames.len());
            return Ok(());
        }
        match compiled.network.state(self.state).kind {
            StateKind::BlockStart | StateKind::StarLoopEntry => {
                if self.delete() {
                    Ok(())
                } else {
                    Err(Failure::Mismatch { remembered: false })
                }
            }
            StateKind::PlusLoopBack | StateKind::StarLoopBack => {
                let mut wanted = self.expected_at(self.state);
                self.report_unwanted(&wanted);
                wanted.add(&self.recovery_set());
                self.consume_until(&wanted);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// After a rule has failed: skips to a token that some caller is waiting for.
    pub(super) fn recover(&mut self) {
        self.close_groups();
        if self.recovery.last == Some(self.at) && self.recovery.last_states.contains(&self.state) {
            self.consume();
        }
        self.recovery.last = Some(self.at);
        if !self.recovery.last_states.contains(&self.state) {
            self.recovery.last_states.push(self.state);
        }
        let wanted = self.recovery_set();
        self.consume_until(&wanted);
    }

    /// What the callers are waiting for.
    fn recovery_set(&self) -> TypeSet {
        let (network, look) = (&self.compiled.network, &self.compiled.look);
        let mut wanted = TypeSet::empty(network.n_types);
        let mut seen = rustc_hash::FxHashSet::default();
        for frame in self.frames.iter().skip(1).rev() {
            if seen.insert(frame.follow) {
                wanted.add(look.next(network, frame.follow));
            }
        }
        wanted
    }

    fn consume_until(&mut self, wanted: &TypeSet) {
        while self.token() != 0 && !wanted.contains(self.token() as usize) {
            self.consume();
        }
    }
}
