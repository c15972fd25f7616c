//! Stacks of open calls, cut where they repeat.
//!
//! A stack is the number of its innermost frame; equal stacks have equal numbers. A frame whose rule is open
//! [`MAX_OPEN_CALLS`](super::MAX_OPEN_CALLS) times below it is a *region*: calls inside it are not recorded. A rule that
//! ends inside a region returns to all of its callers, and the region's own rule also to the frame below. So there are
//! finitely many stacks.

use super::MAX_OPEN_CALLS;
use crate::index::{Index, Mix};
use crate::network::StateId;

/// Names a stack.
pub(super) type StackId = u32;

/// Nothing is known of the callers.
pub(super) const UNKNOWN_CALLERS: StackId = 0;
/// The same, before the decision's own rule was left and before a token was read: precedence counts.
pub(super) const OWN_CALLERS: StackId = 1;

/// An open call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallFrame {
    pub(super) below: StackId,
    /// Where the caller goes on.
    pub(super) follow: StateId,
    /// The called rule.
    pub(super) rule: u32,
    pub(super) is_region: bool,
}

/// All stacks met so far.
#[derive(Debug, Clone)]
pub(super) struct CallStacks {
    frames: Vec<CallFrame>,
    index: Index,
}

impl CallStacks {
    pub(super) fn new() -> CallStacks {
        let bottom = CallFrame { below: UNKNOWN_CALLERS, follow: u32::MAX, rule: u32::MAX, is_region: false };
        CallStacks { frames: vec![bottom, bottom], index: Index::default() }
    }

    /// The innermost call of a stack.
    pub(super) fn innermost(&self, stack: StackId) -> CallFrame {
        self.frames[stack as usize]
    }

    /// The stack with one more call.
    pub(super) fn push(&mut self, stack: StackId, follow: StateId, rule: u32) -> StackId {
        if self.frames[stack as usize].is_region {
            return stack;
        }
        let hash = Mix::default().and_both(stack, follow).and(rule.into()).hash();
        let frames = &self.frames;
        let is_same = |at: u32| {
            let frame = &frames[at as usize];
            (frame.below, frame.follow, frame.rule) == (stack, follow, rule)
        };
        let at = frames.len();
        if let Some(known) = self.index.get_or_insert(hash, at, is_same) {
            return known;
        }
        let n_open = std::iter::successors(Some(stack), |at| Some(frames[*at as usize].below))
            .take_while(|at| *at > OWN_CALLERS)
            .filter(|at| frames[*at as usize].rule == rule)
            .count();
        self.frames.push(CallFrame { below: stack, follow, rule, is_region: n_open >= MAX_OPEN_CALLS });
        at as StackId
    }

    /// Bytes used, roughly.
    pub(super) fn memory(&self) -> usize {
        self.frames.len() * 32
    }
}
