//! Derives a tree from the start rule with an explicit stack, and writes its text at the same time.
//!
//! # The walk
//!
//! Nodes are opened, filled and closed in the order of the text. Each token goes to the writer (`lexical::writer`) at once,
//! which gives it a text and a separator. Two limits always hold: the depth of rule calls and the number of tokens.
//! [`Progress::reserved`] is the least number of tokens that everything on the stack still needs, so an alternative may be
//! taken exactly if its curve (height left to least tokens) fits into what is left. Limits alone therefore never lead to a
//! dead end.
//!
//! Within the limits a *budget* steers the size: each frame starts with the number of tokens that it should use, each step
//! that can grow gets a random share of the rest, and what a step does not use is left to the steps after it. An alternative
//! that can use up a budget is preferred by the square of that budget.
//!
//! # Open predictions
//!
//! The parser takes the first alternative that fits, which need not be the one that the walk chose. If one token does not
//! settle a choice, the walk opens a prediction ([`predictions`]): a question to the parser's own lookahead that gets
//! each token as it is written. A token after which the parser would choose another alternative is not written: it is a
//! [`DeadEnd`].
//!
//! # Checkpoints
//!
//! A checkpoint is the state of the walk before a choice: lengths of lists and a few numbers. After a dead end the walk
//! returns to a checkpoint ([`backtrack`]) and selects something else there. Frames are a linked stack in an arena, and a
//! frame that a checkpoint may need is copied instead of changed, so returning cuts lists and costs no search. Without
//! checkpoints the arena is an ordinary stack.
//!
//! # The parts of a [`Drafter`]
//!
//! | part | module | restored by a checkpoint |
//! |---|---|---|
//! | [`Progress`]: tokens used and reserved, goal, end | here | copied |
//! | [`FrameStack`]: what is open | [`frames`] | cut to its length |
//! | [`Predictions`]: choices that later tokens must settle | [`predictions`] | cut to its lengths |
//! | [`ForbiddenTokens`]: tokens that should not come next | [`forbidden`] | computed again |
//! | [`Backtracking`]: checkpoints and what was tried there | [`backtrack`] | cut to its lengths |
//! | [`Weights`]: scratch memory of one choice | [`choose`] | no |
//!
//! Tables, parser, streams and output are in the [`DraftContext`], which [`DraftWorker`] builds for each draft. Who
//! makes the choices (chance, a steering, a script) is its [`Guide`]; whether the parser is asked is its [`DraftMode`].
//!
//! # Invariants
//!
//! - A finished draft is the tree that the parser builds for its text, unless the mode is [`DraftMode::Unchecked`]: every
//!   choice was settled by one token or by a prediction that answered with the chosen alternative.
//! - Everything that a checkpoint restores is a length, a copy or a number in it. A number that changes during the walk
//!   belongs into [`Progress`], a list into a part with a mark, unless it only counts or learns.
//! - Random numbers come from the streams of the test alone, in the order of the walk. No part keeps anything from one
//!   draft to the next.

mod backtrack;
mod callers;
mod calls;
mod choose;
mod context;
pub(crate) mod cooldown;
mod dead_end;
mod forbidden;
mod frames;
mod goal;
mod iterations;
mod loops;
mod predictions;
mod steering;
mod tokens;
mod worker;

use crate::tables::StepKind;
use crate::tuning::MAX_OPEN_LOOKAHEAD;
use backtrack::{Backtracking, Selected};
use calls::Call;
use choose::{IfRuledOut, Weights};
pub(crate) use context::{DraftContext, DraftMode, Guide, RandomGuide};
pub(crate) use dead_end::DeadEnd;
use forbidden::ForbiddenTokens;
use frames::{AfterCall, FrameStack, FrameTask, Inherited, Invocation, OperatorAfter};
pub(crate) use goal::{FAR, Goal};
use polysmith_grammar::coverage::NOWHERE;
use polysmith_grammar::{AltId, RuleId, TokenType};
use polysmith_parse::Limits;
use polysmith_tree::Kind;
pub(crate) use predictions::Observation;
use predictions::Predictions;
pub(crate) use worker::{DraftRequest, DraftStreams, DraftWorker};

/// How large a test may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SizeLimits {
    /// Nested rule calls, at most.
    pub(crate) depth: u32,
    /// Tokens, at most.
    pub(crate) max_tokens: u32,
    /// Tokens to aim at.
    pub(crate) target: u32,
}

/// The numbers of a walk. A checkpoint copies all of them.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// The start rule was called.
    started: bool,
    /// The end of the input was derived: no token may follow.
    ended: bool,
    /// The goal was reached, or there is none.
    reached_goal: bool,
    /// Tokens written.
    used: u32,
    /// The least tokens that everything on the stack still needs.
    reserved: u32,
    /// The token written last.
    last: Option<TokenType>,
}

impl Progress {
    /// The tokens that are neither used nor reserved.
    #[inline]
    fn free_tokens(&self, limits: &SizeLimits) -> u32 {
        limits.max_tokens - self.used - self.reserved
    }
}

/// Makes drafts, one after the other, with the same memory.
#[derive(Debug)]
pub(crate) struct Drafter {
    /// The parser's limits for one draft.
    pub(crate) limits: Limits,
    progress: Progress,
    stack: FrameStack,
    predictions: Predictions,
    forbidden: ForbiddenTokens,
    backtracking: Backtracking,
    weights: Weights,
}

impl Drafter {
    pub(crate) fn new(n_tokens: usize) -> Drafter {
        Drafter {
            limits: Limits::default(),
            progress: Progress::default(),
            stack: FrameStack::default(),
            predictions: Predictions::default(),
            forbidden: ForbiddenTokens::new(n_tokens),
            backtracking: Backtracking::default(),
            weights: Weights::default(),
        }
    }

    /// Tokens of the draft, without the end of the input.
    pub(crate) fn tokens(&self) -> u32 {
        self.progress.used
    }

    /// Whether the draft reached its goal. `true` if it had none.
    pub(crate) fn reached_goal(&self) -> bool {
        self.progress.reached_goal
    }

    /// What the draft observed in [`DraftMode::Observed`].
    pub(crate) fn observations(&self) -> &[Observation] {
        &self.predictions.observations
    }

    /// Derives a tree of a rule.
    pub(crate) fn draft(&mut self, context: &mut DraftContext<'_>, start: RuleId) -> Result<(), DeadEnd> {
        self.begin(context, start);
        loop {
            match self.advance(context, start) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(dead_end) => self.backtrack(context, dead_end)?,
            }
        }
    }

    fn begin(&mut self, context: &mut DraftContext<'_>, start: RuleId) {
        self.progress = Progress { reached_goal: context.guide.goal().is_none(), ..Progress::default() };
        self.stack.clear();
        self.predictions.clear();
        self.forbidden.clear();
        self.backtracking.clear();
        context.parser.lookahead().begin_text(&self.limits);
        context.parser.lookahead().set_start(start, &self.limits);
        context.builder.truncate(0);
        context.writer.begin();
    }

    /// Runs one step of the walk. Returns `false` when the derivation is complete.
    #[inline(always)]
    fn advance(&mut self, context: &mut DraftContext<'_>, start: RuleId) -> Result<bool, DeadEnd> {
        self.backtracking.begin_step();
        if self.stack.is_empty() {
            return self.outermost(context, start);
        }
        match self.stack.top().task {
            FrameTask::Sequence { next, end, .. } if next == end => self.close(context),
            FrameTask::Sequence { next, end, alt, .. } => self.step(context, next, end, alt)?,
            FrameTask::Loop { block, left, done } => self.iterate(context, block, left, done)?,
        }
        Ok(true)
    }

    /// What the top frame passes on to a frame inside it. Copied field by field: the fields were just written one by one,
    /// and a processor that reads several of them at once has to wait for those writes.
    #[inline(always)]
    fn inherit(&self) -> Inherited {
        let inherited = &self.stack.top().inherited;
        Inherited {
            height: inherited.height,
            budget: if self.is_lookahead_high() { 0 } else { inherited.budget },
            used_before: self.progress.used,
            operator: inherited.operator,
            leads_to_goal: inherited.leads_to_goal,
            callers: inherited.callers,
            precedence: inherited.precedence,
            place: inherited.place,
        }
    }

    /// Whether the open predictions need so much lookahead that only the cheapest alternatives should be taken.
    #[inline(always)]
    fn is_lookahead_high(&self) -> bool {
        self.predictions.lookahead() > MAX_OPEN_LOOKAHEAD
    }

    /// Calls the start rule, or ends the draft when that call is complete.
    fn outermost(&mut self, context: &mut DraftContext<'_>, start: RuleId) -> Result<bool, DeadEnd> {
        if self.progress.started {
            self.settle(context, TokenType::EOF)?;
            return Ok(false);
        }
        self.checkpoint(context, context.compiled.tables.bodies[start.index()]);
        self.progress.started = true;
        let inherited = Inherited {
            height: context.size_limits.depth,
            budget: context.size_limits.target,
            used_before: 0,
            operator: OperatorAfter::NONE,
            leads_to_goal: context.guide.goal().is_some(),
            callers: callers::CallTree::ROOT,
            precedence: 0,
            place: NOWHERE,
        };
        let after = match context.compiled.tables.recursive[start.index()] {
            Some(_) => AfterCall::End { rule: start },
            None => AfterCall::Nothing,
        };
        self.call(context, start, after, inherited)?;
        Ok(true)
    }

    #[inline(always)]
    fn push_frame(&mut self, context: &DraftContext<'_>, task: FrameTask, inherited: Inherited) {
        let node = context.builder.len() as u32 - 1;
        self.stack.push(task, node, inherited);
    }

    /// Closes the frame on top and its node, and all frames below that are complete with it.
    fn close(&mut self, context: &mut DraftContext<'_>) {
        loop {
            context.builder.close();
            let frame = self.stack.top();
            let used_before = frame.inherited.used_before;
            let ended = match frame.task {
                FrameTask::Sequence { after: AfterCall::Nothing, .. } | FrameTask::Loop { .. } => None,
                FrameTask::Sequence { after, .. } => Some((after, frame.inherited.invocation())),
            };
            self.stack.pop();
            if let Some((after, invocation)) = ended {
                self.after_call(context, after, invocation);
            }
            if self.stack.is_empty() {
                return;
            }
            let used = self.progress.used - used_before;
            if used > 0 {
                let inherited = &mut self.stack.top_mut().inherited;
                inherited.budget = inherited.budget.saturating_sub(used);
            }
            match self.stack.top().task {
                FrameTask::Sequence { next, end, .. } if next == end => {}
                _ => return,
            }
        }
    }

    /// Derives the next step of an alternative.
    #[inline(always)]
    fn step(&mut self, context: &mut DraftContext<'_>, at: u32, end: u32, alt: AltId) -> Result<(), DeadEnd> {
        let inherited = self.inherit();
        let tables = &context.compiled.tables;
        let step = &tables.steps[at as usize];
        let least = step.curve.at(inherited.height);
        match step.kind {
            StepKind::Call(rule, operand) => {
                return self.call_step(context, at, end, inherited, Call { rule, operand, alt });
            }
            StepKind::TokenSet(_) => self.checkpoint_token(context),
            StepKind::Token(_) | StepKind::Group(_) => {}
        }
        self.pass_step(least);
        match step.kind {
            StepKind::Token(token) => {
                self.token_run(context, at, end, token, (inherited.height, inherited.place))
            }
            StepKind::TokenSet(set) => self.token_of_set(context, set),
            StepKind::Call(..) => Ok(()),
            StepKind::Group(block) => {
                let budget = self.step_budget(context, at, end, (inherited.height, inherited.budget), least);
                let operator = if step.at_end { inherited.operator } else { OperatorAfter::NONE };
                let leads_to_goal =
                    inherited.leads_to_goal && self.step_leads_to_goal(context, at, inherited.height);
                let inner = Inherited { budget, operator, leads_to_goal, ..inherited };
                let count = self.n_iterations(context, block, inner);
                if count == 0 && self.is_left_at_once(context, block) {
                    context.builder.childless(Kind::List { block });
                    return Ok(());
                }
                context.builder.open_list(block);
                let item = tables.block(block).curve.at(inherited.height);
                self.progress.reserved += if count == 0 { 0 } else { item * count };
                self.push_frame(context, FrameTask::Loop { block, left: count, done: 0 }, inner);
                Ok(())
            }
        }
    }

    /// Moves the frame on top past a step that had reserved `least` tokens.
    #[inline(always)]
    fn pass_step(&mut self, least: u32) {
        if let FrameTask::Sequence { next, .. } = &mut self.stack.top_mut().task {
            *next += 1;
        }
        self.progress.reserved -= least;
    }
}
