//! The iterations of a group: how often was drawn when the group began, but what the parser does may change it.

use super::{After, Choosy, Common, Drafter, NONE, Source, Stuck, Work, back};
use crate::asks::Ask;
use polysmith_grammar::BlockId;

impl Drafter {
    /// Whether a group that is not repeated at all is nobody's business: it may be empty, and nothing can come of it.
    #[inline]
    pub(super) fn is_left_at_once(&self, source: &Source<'_>, block: BlockId) -> bool {
        source.tables.blocks[block.index()].quantifier.min == 0
            && source.asks.settled[block.index()]
            && source.steer.is_none()
            && !self.redo
            && !self.is_open()
            && !source.writer.is_tight()
    }

    /// One more iteration of the group on top, or its end.
    #[inline(never)]
    pub(super) fn round(
        &mut self,
        source: &mut Source<'_>,
        block: BlockId,
        left: u32,
        done: u32,
    ) -> Result<(), Stuck> {
        let common = self.handed_down();
        let quantifier = source.tables.blocks[block.index()].quantifier;
        if quantifier.max == Some(done) {
            Drafter::counted(source, block, done, common);
            self.close(source);
            return Ok(());
        }
        self.mark(source, block);
        let item = source.tables.blocks[block.index()].curve.at(common.height);
        let may_leave = done >= quantifier.min && !self.is_barred(back::LEAVE);
        let mut left = left;
        if left == 0 {
            if may_leave && !self.prolongs(source, block, done, common) {
                self.leave(source, block, done, common);
                return Ok(());
            }
            let free = source.bounds.most - self.used - self.reserved;
            if item > free || (self.ended && item > 0) {
                return Err(Stuck::Choice(block));
            }
            self.reserved += item;
            left = 1;
        }
        let choosy = if may_leave { Choosy::Yes } else { Choosy::No };
        match self.iterate(source, block, left, done, common, choosy) {
            Err(Stuck::Choice(_)) if may_leave => {
                self.reserved -= item * left;
                self.leave(source, block, done, common);
                Ok(())
            }
            result => result,
        }
    }

    #[inline(always)]
    fn iterate(
        &mut self,
        source: &mut Source<'_>,
        block: BlockId,
        left: u32,
        done: u32,
        common: Common,
        choosy: Choosy,
    ) -> Result<(), Stuck> {
        let item = source.tables.blocks[block.index()].curve.at(common.height);
        let share = if left == 1 {
            common.budget
        } else {
            let fair = 2 * common.budget / left;
            (source.stream.below(u64::from(fair) + 1) as u32).max(item)
        };
        let operator = if left == 1 { common.operator } else { NONE };
        let inner = Common { budget: share, operator, ..common };
        self.reserved -= item;
        let alt = match self.choose(source, block, &inner, choosy) {
            Ok(alt) => alt,
            Err(stuck) => {
                self.reserved += item;
                return Err(stuck);
            }
        };
        let frame = self.top_mut();
        frame.common.carries = false;
        frame.work = Work::Loop { block, left: left - 1, done: done + 1 };
        let number = alt as u32 - source.tables.blocks[block.index()].alternatives.start + 1;
        source.builder.open_item(number);
        let again = if done == 0 && source.tables.blocks[block.index()].quantifier.min > 0 {
            Ask::NONE
        } else {
            source.asks.again[block.index()]
        };
        self.push(source, alt, again, After::Nothing, inner);
        Ok(())
    }

    /// A group is left: that was a decision too.
    fn leave(&mut self, source: &mut Source<'_>, block: BlockId, done: u32, common: Common) {
        Drafter::counted(source, block, done, common);
        self.take(back::LEAVE);
        let option = source.sure.leaving(block);
        if !source.sure.always(option) {
            self.decided(source, option, Ask::NONE, source.asks.leave[block.index()], common.invocation());
        }
        self.close(source);
    }
}
