//! The stack of the walk: one frame for each alternative and each group that is not complete.
//!
//! Frames are in an arena, each with the index of the frame below it. A frame that a checkpoint may need again (an index
//! below the *floor*) is copied before it is changed, so a checkpoint is two numbers. Without checkpoints the floor is 0,
//! and the arena is a plain stack.

use crate::tables::Tables;
use polysmith_grammar::{AltId, BlockId, RuleId};

/// No frame.
const NONE: u32 = u32::MAX;

/// One entry of the stack. It fits a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) task: FrameTask,
    /// The frame below.
    parent: u32,
    /// The node of the tree that the frame fills.
    node: u32,
    pub(super) inherited: Inherited,
}

/// What a frame derives.
#[derive(Debug, Clone, Copy)]
pub(super) enum FrameTask {
    /// The steps of an alternative from `next` to `end`.
    Sequence { next: u32, end: u32, alt: AltId, after: AfterCall },
    /// The iterations of a group: those that are planned, and those that are done.
    Loop { block: BlockId, left: u32, done: u32 },
}

/// What the parser decides when a call is complete.
#[derive(Debug, Clone, Copy)]
pub(super) enum AfterCall {
    Nothing,
    /// The call was the left operand of this operator.
    Operator {
        rule: RuleId,
        alt: AltId,
    },
    /// No more operators of the rule.
    End {
        rule: RuleId,
    },
}

/// What a frame gets from the frame below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inherited {
    /// Rule calls that are still allowed inside.
    pub(super) height: u32,
    /// Tokens that the rest of the frame should use.
    pub(super) budget: u32,
    /// Tokens that were used before the frame began.
    pub(super) used_before: u32,
    /// The operator whose left operand ends with the frame.
    pub(super) operator: OperatorAfter,
    /// The goal must be reached inside.
    pub(super) leads_to_goal: bool,
    /// The open calls as the parser sees them: an index into the [`CallTree`](super::callers::CallTree).
    pub(super) callers: u32,
    /// The precedence of the present invocation.
    pub(super) precedence: u32,
    /// The place on the map of a steered draft.
    pub(super) place: u32,
}

/// The operator that follows an operand, by its alternative, or none. In four bytes, so that a [`Frame`] fits a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OperatorAfter(u32);

impl OperatorAfter {
    pub(super) const NONE: OperatorAfter = OperatorAfter(u32::MAX);

    pub(super) fn new(operator: AltId) -> OperatorAfter {
        OperatorAfter(operator.index() as u32)
    }

    #[inline]
    pub(super) fn get(self) -> Option<AltId> {
        (self != OperatorAfter::NONE).then(|| AltId::new(self.0 as usize))
    }
}

/// The context in which the parser makes a decision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Invocation {
    pub(super) callers: u32,
    pub(super) precedence: u32,
}

/// What the end of a frame must not be: a call of a left-recursive rule that accepts an operator of this precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExcludedTail {
    /// The number of the left-recursive rule.
    pub(super) rule: u32,
    pub(super) precedence: u32,
}

impl Inherited {
    #[inline]
    pub(super) fn invocation(&self) -> Invocation {
        Invocation { callers: self.callers, precedence: self.precedence }
    }

    /// What the end of the frame must not be, if an operator follows it.
    #[inline]
    pub(super) fn excluded_tail(&self, tables: &Tables) -> Option<ExcludedTail> {
        let operator = tables.operators[self.operator.get()?.index()]?;
        Some(ExcludedTail { rule: operator.rule, precedence: operator.precedence })
    }
}

/// The frames that are open, and those that checkpoints need.
#[derive(Debug)]
pub(super) struct FrameStack {
    frames: Vec<Frame>,
    top: u32,
    /// Frames below this index may be needed by a checkpoint.
    floor: u32,
}

/// The state of a [`FrameStack`].
#[derive(Debug, Clone, Copy)]
pub(super) struct StackMark {
    top: u32,
    len: u32,
}

impl Default for FrameStack {
    fn default() -> FrameStack {
        FrameStack { frames: Vec::new(), top: NONE, floor: 0 }
    }
}

impl FrameStack {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        (self.top, self.floor) = (NONE, 0);
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.top == NONE
    }

    /// The frame on top. There must be one.
    #[inline(always)]
    pub(super) fn top(&self) -> &Frame {
        &self.frames[self.top as usize]
    }

    /// The frame on top, to be changed. There must be one.
    #[inline]
    pub(super) fn top_mut(&mut self) -> &mut Frame {
        if self.top < self.floor {
            self.frames.push(self.frames[self.top as usize]);
            self.top = self.frames.len() as u32 - 1;
        }
        &mut self.frames[self.top as usize]
    }

    #[inline(always)]
    pub(super) fn push(&mut self, task: FrameTask, node: u32, inherited: Inherited) {
        self.frames.push(Frame { task, parent: self.top, node, inherited });
        self.top = self.frames.len() as u32 - 1;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) {
        let parent = self.top().parent;
        if self.top >= self.floor {
            self.frames.truncate(self.top as usize);
        }
        self.top = parent;
    }

    /// Marks the present state and keeps its frames from being changed.
    pub(super) fn protect(&mut self) -> StackMark {
        self.floor = self.frames.len() as u32;
        StackMark { top: self.top, len: self.floor }
    }

    pub(super) fn restore(&mut self, to: StackMark) {
        self.top = to.top;
        self.frames.truncate(to.len as usize);
        self.floor = to.len;
    }

    /// The nodes of the open frames, from the top down.
    pub(super) fn open_nodes(&self) -> impl Iterator<Item = usize> {
        let some = |at: u32| (at != NONE).then_some(at);
        let chain = std::iter::successors(some(self.top), move |at| some(self.frames[*at as usize].parent));
        chain.map(|at| self.frames[at as usize].node as usize)
    }
}
