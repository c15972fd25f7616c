//! Draws a tree from the top, with an explicit stack, and writes its text at the same time.
//!
//! # The walk
//!
//! Nodes are opened, filled and closed in the order of the text. Each token goes to the writer (`lexical::writer`) at once,
//! which gives it a text and a separator. Two limits always hold: the depth of rule calls and the number of tokens. `reserved` is
//! the least number of tokens that everything on the stack still needs, so an alternative may be taken exactly if its
//! curve (height left to least tokens) fits into what is left. Limits alone therefore never lead to a dead end.
//!
//! Within the limits a *budget* steers the size: the target of the test is handed down, each part that can grow gets a
//! random share of the rest, and what a part does not use goes to the parts on its right. An alternative that can use up
//! a budget is preferred by the square of that budget.
//!
//! # Open predictions
//!
//! The parser takes the first alternative that fits, which need not be the one that the walk chose. If one token does not
//! settle a decision, the walk opens a prediction ([`predictions`]): a question to the parser's own lookahead that gets
//! each token as it is written. A token after which the parser would choose another alternative is not written: it is a
//! [`DeadEnd`].
//!
//! # Checkpoints
//!
//! A checkpoint is the state of the walk before a choice: lengths of lists and a few numbers. After a dead end the walk
//! returns to a checkpoint ([`backtrack`]) and takes another option there. Frames are a linked stack in an arena, and a
//! frame that a checkpoint may need is copied instead of changed, so returning cuts lists and costs no search. Without
//! checkpoints the arena is an ordinary stack.
//!
//! # Invariants
//!
//! - A finished draft is the tree that the parser builds for its text: every decision was settled by one token or by a
//!   prediction that answered with the chosen alternative.
//! - Everything that a checkpoint restores is a length, a copy or a number in it. A new field of [`Drafter`] that changes
//!   during the walk must be in [`Checkpoint`], unless it only counts or learns.
//! - Draws come from the streams of the test alone, in the order of the walk.

mod backtrack;
mod calls;
mod choose;
mod context;
pub(crate) mod cooldown;
mod frames;
pub(crate) mod goal;
mod loops;
mod predictions;
mod size;
mod steering;
mod tokens;

use crate::decisions::choice::Choice;
use crate::tables::StepKind;
use backtrack::{Checkpoint, Selected};
use calls::Callee;
use choose::Choosy;
pub(crate) use context::DraftContext;
pub(crate) use frames::DeadEnd;
use frames::{AfterCall, Frame, FrameTask, Inherited, Invocation, OperatorAfter};
use polysmith_grammar::analysis::BitMatrix;
use polysmith_grammar::coverage::NOWHERE;
use polysmith_grammar::{AltId, BlockId, RuleId, TokenType};
use polysmith_parse::Limits;
use polysmith_tree::Kind;
pub(crate) use predictions::Observation;
use predictions::{Calls, OpenPrediction, PendingDecision};

/// How large a test may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SizeLimits {
    /// Nested rule calls.
    pub(crate) depth: u32,
    /// Tokens, never more.
    pub(crate) most: u32,
    /// Tokens to aim at.
    pub(crate) target: u32,
}

/// When the parser's open questions have seen so many tokens all together, only the cheapest options are taken
/// until some are answered: texts that need much more lookahead take any parser of this kind seconds.
const HEAVY: u32 = 200;

/// No frame.
const NONE: u32 = u32::MAX;

/// Where a draft should lead to: least heights towards a goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Goal {
    /// By [`polysmith_grammar::AltId`]: rule calls below the alternative until the goal; `u32::MAX` if it does not lead there.
    pub(crate) alternatives: Vec<u32>,
    /// By step.
    pub(crate) steps: Vec<u32>,
    /// A group that is the goal, and how often to repeat it.
    pub(crate) repeat: Option<(BlockId, u32)>,
    /// By alternative: whether it is the goal.
    pub(crate) at_goal: Vec<bool>,
}

/// Draws drafts, one after the other, with the same memory.
#[derive(Debug)]
pub(crate) struct Drafter {
    pub(crate) limits: Limits,
    frames: Vec<Frame>,
    top: u32,
    /// Frames before this one may be needed by a checkpoint.
    floor: u32,
    calls: Calls,
    /// Decided since the last token: those from `pending_from` on.
    pending: Vec<PendingDecision>,
    pending_from: u32,
    /// Questions to the parser that are open: those from `locks_from` on.
    locks: Vec<OpenPrediction>,
    locks_from: u32,
    /// Tokens that the open questions have seen, all together: what one more token costs.
    load: u32,
    /// The token types so far.
    types: Vec<u32>,
    checkpoints: Vec<Checkpoint>,
    /// Options that were taken back, by checkpoint: see [`Checkpoint::excluded_from`].
    excluded: Vec<Selected>,
    /// Where the present choice's excluded options begin.
    barred_from: usize,
    redo: bool,
    furthest: usize,
    strain: u32,
    /// How often the parser got more steps.
    pub(crate) reliefs: u32,
    /// The checkpoint and the option that the parser refused last.
    culprit: Option<(u32, Choice)>,
    weights: Vec<u64>,
    /// By alternative of the choice at hand: how far from something to cover.
    distances: Vec<u32>,
    used: u32,
    reserved: u32,
    started: bool,
    ended: bool,
    /// The tokens that should not come next, if there are any.
    forbidden: BitMatrix,
    forbids: bool,
    /// What the parser was seen to do, if somebody wants to learn it.
    pub(crate) observations: Vec<Observation>,
    pub(crate) learning: bool,
    /// The parser is not asked.
    pub(crate) careless: bool,
    /// The token written last.
    pub(crate) last: Option<TokenType>,
    /// Choices that were taken back.
    pub(crate) backs: u32,
    /// What those count beyond one each that the parser asked for late.
    late: u32,
    /// The most tokens that had to be given up together with choices before the walk got beyond them.
    pub(crate) lost: u32,
    /// Every wall that the walk ran into, if somebody wants to know.
    pub(crate) walls: Option<Vec<DeadEnd>>,
    /// The goal was reached.
    pub(crate) reached: bool,
}

impl Drafter {
    pub(crate) fn new(n_tokens: usize) -> Drafter {
        Drafter {
            limits: Limits::default(),
            frames: Vec::new(),
            top: NONE,
            floor: 0,
            calls: Calls::default(),
            pending: Vec::new(),
            pending_from: 0,
            locks: Vec::new(),
            locks_from: 0,
            load: 0,
            types: Vec::new(),
            checkpoints: Vec::new(),
            excluded: Vec::new(),
            barred_from: 0,
            redo: false,
            furthest: 0,
            strain: 0,
            reliefs: 0,
            culprit: None,
            weights: Vec::new(),
            distances: Vec::new(),
            used: 0,
            reserved: 0,
            started: false,
            ended: false,
            forbidden: BitMatrix::new(1, n_tokens),
            forbids: false,
            observations: Vec::new(),
            learning: false,
            careless: false,
            last: None,
            backs: 0,
            late: 0,
            lost: 0,
            walls: None,
            reached: false,
        }
    }

    /// Tokens of the draft, without the end of the input.
    pub(crate) fn tokens(&self) -> u32 {
        self.used
    }

    /// Draws a tree of a rule.
    pub(crate) fn draft(&mut self, context: &mut DraftContext<'_>, start: RuleId) -> Result<(), DeadEnd> {
        self.begin(context, start);
        loop {
            match self.advance(context, start) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(dead_end) => self.step_back(context, dead_end)?,
            }
        }
    }

    fn begin(&mut self, context: &mut DraftContext<'_>, start: RuleId) {
        self.clear();
        self.reached = context.goal.is_none();
        context.parser.lookahead().begin_text(&self.limits);
        context.parser.lookahead().set_start(start, &self.limits);
        context.builder.truncate(0);
        context.writer.begin();
    }

    fn clear(&mut self) {
        self.frames.clear();
        (self.top, self.floor) = (NONE, 0);
        self.calls.clear();
        self.pending.clear();
        self.locks.clear();
        self.types.clear();
        self.checkpoints.clear();
        self.excluded.clear();
        self.observations.clear();
        (self.pending_from, self.locks_from, self.barred_from, self.load) = (0, 0, 0, 0);
        (self.used, self.reserved, self.strain, self.furthest) = (0, 0, 0, 0);
        (self.backs, self.late) = (0, 0);
        (self.started, self.ended, self.redo, self.lost, self.reliefs) = (false, false, false, 0, 0);
        self.last = None;
        self.permit();
    }

    /// Does one thing; false if the draft is finished.
    #[inline(always)]
    fn advance(&mut self, context: &mut DraftContext<'_>, start: RuleId) -> Result<bool, DeadEnd> {
        self.barred_from = usize::MAX;
        if self.top == NONE {
            return self.outermost(context, start);
        }
        match self.frames[self.top as usize].work {
            FrameTask::Sequence { next, end, .. } if next == end => self.close(context),
            FrameTask::Sequence { next, end, alt, .. } => self.step(context, next, end, alt)?,
            FrameTask::Loop { block, left, done } => self.round(context, block, left, done)?,
        }
        Ok(true)
    }

    /// What the top frame passes on to a frame inside it. Copied field by field: the fields were just written one by one,
    /// and a processor that reads several of them at once has to wait for those writes.
    #[inline(always)]
    fn handed_down(&self) -> Inherited {
        let inherited = &self.frames[self.top as usize].inherited;
        Inherited {
            height: inherited.height,
            budget: if self.load > HEAVY { 0 } else { inherited.budget },
            before: self.used,
            operator: inherited.operator,
            carries: inherited.carries,
            callers: inherited.callers,
            precedence: inherited.precedence,
            place: inherited.place,
        }
    }

    fn outermost(&mut self, context: &mut DraftContext<'_>, start: RuleId) -> Result<bool, DeadEnd> {
        if self.started {
            self.settle(context, TokenType::EOF)?;
            return Ok(false);
        }
        self.mark(context, context.tables.bodies[start.index()]);
        self.started = true;
        let inherited = Inherited {
            height: context.size_limits.depth,
            budget: context.size_limits.target,
            before: 0,
            operator: OperatorAfter::NONE,
            carries: context.goal.is_some(),
            callers: Calls::NOBODY,
            precedence: 0,
            place: NOWHERE,
        };
        let after = match context.tables.recursive[start.index()] {
            Some(_) => AfterCall::End { rule: start },
            None => AfterCall::Nothing,
        };
        self.call(context, start, after, inherited)?;
        Ok(true)
    }

    #[inline(always)]
    fn push_frame(&mut self, context: &DraftContext<'_>, work: FrameTask, inherited: Inherited) {
        let node = context.builder.len() as u32 - 1;
        self.frames.push(Frame { work, parent: self.top, node, inherited });
        self.top = self.frames.len() as u32 - 1;
    }

    /// The frame on top, to be changed.
    #[inline]
    fn top_mut(&mut self) -> &mut Frame {
        if self.top < self.floor {
            self.frames.push(self.frames[self.top as usize]);
            self.top = self.frames.len() as u32 - 1;
        }
        &mut self.frames[self.top as usize]
    }

    /// Ends the frame on top and its node, and all below that end with it.
    fn close(&mut self, context: &mut DraftContext<'_>) {
        loop {
            context.builder.close();
            let frame = &self.frames[self.top as usize];
            let (parent, before) = (frame.parent, frame.inherited.before);
            let ended = match frame.work {
                FrameTask::Sequence { after: AfterCall::Nothing, .. } | FrameTask::Loop { .. } => None,
                FrameTask::Sequence { after, .. } => Some((after, frame.inherited.invocation())),
            };
            if self.top >= self.floor {
                self.frames.truncate(self.top as usize);
            }
            self.top = parent;
            if let Some((after, invocation)) = ended {
                self.after(context, after, invocation);
            }
            if parent == NONE {
                return;
            }
            let taken = self.used - before;
            if taken > 0 {
                let inherited = &mut self.top_mut().inherited;
                inherited.budget = inherited.budget.saturating_sub(taken);
            }
            match self.frames[self.top as usize].work {
                FrameTask::Sequence { next, end, .. } if next == end => {}
                _ => return,
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, context: &mut DraftContext<'_>, at: u32, end: u32, alt: AltId) -> Result<(), DeadEnd> {
        let inherited = self.handed_down();
        let step = &context.tables.steps[at as usize];
        let least = step.curve.at(inherited.height);
        match step.kind {
            StepKind::Call(rule, operand) => {
                return self.call_step(context, at, end, inherited, Callee { rule, operand, alt });
            }
            StepKind::TokenSet(_) => self.mark_token(context),
            StepKind::Token(_) | StepKind::Group(_) => {}
        }
        self.pass(least);
        match step.kind {
            StepKind::Token(token) => {
                self.token_run(context, at, end, token, (inherited.height, inherited.place))
            }
            StepKind::TokenSet(choice) => self.token_of(context, choice),
            StepKind::Call(..) => Ok(()),
            StepKind::Group(block) => {
                let share = self.share(context, at, end, (inherited.height, inherited.budget), least);
                let operator = if step.at_end { inherited.operator } else { OperatorAfter::NONE };
                let carries = inherited.carries && self.carries(context, at, inherited.height);
                let inner = Inherited { budget: share, operator, carries, ..inherited };
                let count = self.count(context, block, inner);
                if count == 0 && self.is_left_at_once(context, block) {
                    context.builder.childless(Kind::List { block });
                    return Ok(());
                }
                context.builder.open_list(block);
                let item = context.tables.block(block).curve.at(inherited.height);
                self.reserved += if count == 0 { 0 } else { item * count };
                self.push_frame(context, FrameTask::Loop { block, left: count, done: 0 }, inner);
                Ok(())
            }
        }
    }

    /// The frame on top goes on behind a step that needed `least` tokens.
    #[inline(always)]
    fn pass(&mut self, least: u32) {
        if let FrameTask::Sequence { next, .. } = &mut self.top_mut().work {
            *next += 1;
        }
        self.reserved -= least;
    }
}
