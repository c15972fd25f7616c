//! The iterations of a group: how often was drawn when the group began, but what the parser does may change it.

use super::{
    AfterCall, Choosy, DeadEnd, DraftContext, Drafter, FrameTask, Inherited, OperatorAfter, Selected,
};
use crate::decisions::choice::Choice;
use crate::decisions::questions::Question;
use polysmith_grammar::BlockId;

impl Drafter {
    /// Whether a group that is not repeated at all is nobody's business: it may be empty, and nothing can come of it.
    #[inline]
    pub(super) fn is_left_at_once(&self, context: &DraftContext<'_>, block: BlockId) -> bool {
        context.tables.block(block).quantifier.min == 0
            && context.questions.settled[block.index()]
            && context.steer.is_none()
            && !self.redo
            && !self.is_open()
            && !context.writer.is_tight()
    }

    /// One more iteration of the group on top, or its end.
    #[inline(never)]
    pub(super) fn round(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        left: u32,
        done: u32,
    ) -> Result<(), DeadEnd> {
        let inherited = self.handed_down();
        let quantifier = context.tables.block(block).quantifier;
        if quantifier.max == Some(done) {
            Drafter::counted(context, block, done, inherited);
            self.close(context);
            return Ok(());
        }
        self.mark(context, block);
        let item = context.tables.block(block).curve.at(inherited.height);
        let may_leave = done >= quantifier.min && !self.is_barred(Selected::Leave);
        let mut left = left;
        if left == 0 {
            if may_leave && !self.prolongs(context, block, done, inherited) {
                self.leave(context, block, done, inherited);
                return Ok(());
            }
            let free = context.size_limits.most - self.used - self.reserved;
            if item > free || (self.ended && item > 0) {
                return Err(DeadEnd::NoAlternative(block));
            }
            self.reserved += item;
            left = 1;
        }
        let choosy = if may_leave { Choosy::Yes } else { Choosy::No };
        match self.iterate(context, block, left, done, inherited, choosy) {
            Err(DeadEnd::NoAlternative(_)) if may_leave => {
                self.reserved -= item * left;
                self.leave(context, block, done, inherited);
                Ok(())
            }
            result => result,
        }
    }

    #[inline(always)]
    fn iterate(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        left: u32,
        done: u32,
        inherited: Inherited,
        choosy: Choosy,
    ) -> Result<(), DeadEnd> {
        let item = context.tables.block(block).curve.at(inherited.height);
        let share = if left == 1 {
            inherited.budget
        } else {
            let fair = 2 * inherited.budget / left;
            (context.stream.below(u64::from(fair) + 1) as u32).max(item)
        };
        let operator = if left == 1 { inherited.operator } else { OperatorAfter::NONE };
        let inner = Inherited { budget: share, operator, ..inherited };
        self.reserved -= item;
        let alt = match self.choose(context, block, &inner, choosy) {
            Ok(alt) => alt,
            Err(dead_end) => {
                self.reserved += item;
                return Err(dead_end);
            }
        };
        let frame = self.top_mut();
        frame.inherited.carries = false;
        frame.work = FrameTask::Loop { block, left: left - 1, done: done + 1 };
        let number = context.tables.block(block).number_of(alt);
        context.builder.open_item(number);
        let again = if done == 0 && context.tables.block(block).quantifier.min > 0 {
            Question::NONE
        } else {
            context.questions.again[block.index()]
        };
        self.push(context, alt, again, AfterCall::Nothing, inner);
        Ok(())
    }

    /// A group is left: that was a decision too.
    fn leave(&mut self, context: &mut DraftContext<'_>, block: BlockId, done: u32, inherited: Inherited) {
        Drafter::counted(context, block, done, inherited);
        self.take(Selected::Leave);
        let choice = Choice::Leave(block);
        if !context.one_token.is_always_settled(choice) {
            let question = context.questions.leave[block.index()];
            self.decided(context, choice, Question::NONE, question, inherited.invocation());
        }
        self.close(context);
    }
}
