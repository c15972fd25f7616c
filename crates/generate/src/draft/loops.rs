//! The iterations of a group. Their number is drawn when the group begins, but what the parser does may change it.

use super::{
    AfterCall, DeadEnd, DraftContext, Drafter, FrameTask, IfRuledOut, Inherited, OperatorAfter, Selected,
};
use crate::decisions::choice::Choice;
use crate::decisions::questions::Question;
use polysmith_grammar::BlockId;

impl Drafter {
    /// Whether a group without iterations needs no frame: it may be empty, and no choice depends on it.
    #[inline]
    pub(super) fn is_left_at_once(&self, context: &DraftContext<'_>, block: BlockId) -> bool {
        context.compiled.tables.block(block).quantifier.min == 0
            && context.compiled.questions.settled[block.index()]
            && context.guide.steering().is_none()
            && !self.backtracking.is_returning()
            && !self.predictions.has_unsettled()
            && !context.writer.is_tight()
    }

    /// Begins one more iteration of the group on top, or ends the group.
    #[inline(never)]
    pub(super) fn iterate(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        left: u32,
        done: u32,
    ) -> Result<(), DeadEnd> {
        let inherited = self.inherit();
        let info = context.compiled.tables.block(block);
        if info.quantifier.max == Some(done) {
            Drafter::counted(context, block, done, inherited);
            self.close(context);
            return Ok(());
        }
        self.checkpoint(context, block);
        let item = info.curve.at(inherited.height);
        let may_leave = done >= info.quantifier.min && !self.backtracking.is_excluded(Selected::Leave);
        let mut left = left;
        if left == 0 {
            if may_leave && !self.prolongs(context, block, done, inherited) {
                self.leave(context, block, done, inherited);
                return Ok(());
            }
            let free = self.progress.free_tokens(&context.size_limits);
            if item > free || (self.progress.ended && item > 0) {
                return Err(DeadEnd::NoAlternative(block));
            }
            self.progress.reserved += item;
            left = 1;
        }
        let if_ruled_out = if may_leave { IfRuledOut::Fail } else { IfRuledOut::TakeAnyway };
        match self.begin_iteration(context, block, (left, done), inherited, if_ruled_out) {
            Err(DeadEnd::NoAlternative(_)) if may_leave => {
                self.progress.reserved -= item * left;
                self.leave(context, block, done, inherited);
                Ok(())
            }
            result => result,
        }
    }

    #[inline(always)]
    fn begin_iteration(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        (left, done): (u32, u32),
        inherited: Inherited,
        if_ruled_out: IfRuledOut,
    ) -> Result<(), DeadEnd> {
        let info = context.compiled.tables.block(block);
        let item = info.curve.at(inherited.height);
        let budget = if left == 1 {
            inherited.budget
        } else {
            let fair = 2 * inherited.budget / left;
            (context.stream.below(u64::from(fair) + 1) as u32).max(item)
        };
        let operator = if left == 1 { inherited.operator } else { OperatorAfter::NONE };
        let inner = Inherited { budget, operator, ..inherited };
        self.progress.reserved -= item;
        let alt = match self.choose(context, block, &inner, if_ruled_out) {
            Ok(alt) => alt,
            Err(dead_end) => {
                self.progress.reserved += item;
                return Err(dead_end);
            }
        };
        let frame = self.stack.top_mut();
        frame.inherited.leads_to_goal = false;
        frame.task = FrameTask::Loop { block, left: left - 1, done: done + 1 };
        context.builder.open_item(info.number_of(alt));
        let again = if done == 0 && info.quantifier.min > 0 {
            Question::NONE
        } else {
            context.compiled.questions.again[block.index()]
        };
        self.begin_alternative(context, alt, again, AfterCall::Nothing, inner);
        Ok(())
    }

    /// Ends a group, which is a choice too.
    fn leave(&mut self, context: &mut DraftContext<'_>, block: BlockId, done: u32, inherited: Inherited) {
        Drafter::counted(context, block, done, inherited);
        self.backtracking.select(Selected::Leave);
        let choice = Choice::Leave(block);
        if !context.compiled.one_token.is_always_settled(choice) {
            let questions = [Question::NONE, context.compiled.questions.leave[block.index()]];
            self.made_choice(context, choice, questions, inherited.invocation());
        }
        self.close(context);
    }
}
