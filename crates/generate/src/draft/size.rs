//! How large: shares of a budget, numbers of repetitions.

use super::{DraftContext, Drafter, Inherited};
use crate::decisions::choice::Choice;
use crate::tables::UNBOUNDED;
use crate::uniform::Script;
use polysmith_grammar::BlockId;

impl Drafter {
    /// The part of its frame's budget that a step gets.
    #[inline]
    pub(super) fn share(
        &self,
        context: &mut DraftContext<'_>,
        at: u32,
        end: u32,
        (height, budget): (u32, u32),
        least: u32,
    ) -> u32 {
        let step = &context.tables.steps[at as usize];
        if step.max_tokens == least {
            return least;
        }
        let later: u32 = context.tables.steps[at as usize + 1..end as usize]
            .iter()
            .map(|step| step.curve.at(height))
            .sum();
        let extra = budget.saturating_sub(least).saturating_sub(later);
        let given = match step.growing_after {
            0 => extra,
            after => context.stream.below(2 * u64::from(extra) / u64::from(after + 1) + 1) as u32,
        };
        least + given.min(extra)
    }

    /// How often a group is repeated.
    pub(super) fn count(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: Inherited,
    ) -> u32 {
        let choice = &context.tables.block(block);
        let quantifier = choice.quantifier;
        if let Some(count) = context.script.as_mut().and_then(Script::count) {
            return count;
        }
        if quantifier.max == Some(quantifier.min) {
            return quantifier.min;
        }
        let item = choice.curve.at(inherited.height);
        let free = context.size_limits.most - self.used - self.reserved;
        if item > free || (self.ended && item > 0) {
            return quantifier.min;
        }
        if let Some(count) = self.steered_count(context, block, inherited, free) {
            return self.avoid_tail(context, block, count, inherited).max(quantifier.min);
        }
        let is_hopeless = |alt| self.is_hopeless(context, Choice::Alternative(alt));
        if self.forbids && inherited.budget > 0 && choice.alt_ids().all(is_hopeless) {
            return quantifier.min;
        }
        let fits = free.checked_div(item).unwrap_or(1 << 20);
        let most = quantifier.max.unwrap_or(u32::MAX).min(fits).max(quantifier.min);
        if let Some((_, repeat)) = context.goal.and_then(|goal| goal.repeat).filter(|goal| goal.0 == block) {
            self.reached |= inherited.carries;
            return repeat.clamp(quantifier.min, most);
        }
        // The goal lies inside, or nothing that stands behind the group may come next.
        let is_needed = (inherited.carries && !self.reached)
            || (self.forbids && quantifier.min == 0 && self.is_hopeless(context, Choice::Leave(block)));
        let least = if is_needed { quantifier.min.max(1).min(most) } else { quantifier.min };
        if least >= most {
            return least;
        }
        let suggested = self.suggest(context, block, least, most, inherited);
        let count = match &mut context.model {
            Some(model) => model.repeat(block, least, most, suggested),
            None => suggested,
        };
        self.avoid_tail(context, block, count, inherited).clamp(least, most)
    }

    /// A number of repetitions that suits the budget: all orders of magnitude are as likely.
    pub(super) fn suggest(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        least: u32,
        most: u32,
        inherited: Inherited,
    ) -> u32 {
        let choice = &context.tables.block(block);
        let item = choice.curve.at(inherited.height);
        if let Some(p) = choice.repetition {
            let mut count = least;
            while count < most && context.stream.below(1 << 24) < u64::from(p) {
                count += 1;
            }
            return count;
        }
        let room = inherited.budget / item.max(1);
        if most == 1 {
            // Optional: even odds, unless there is something to be used up or nothing left.
            let odds = match room {
                0 => 2,
                5.. if choice.max_tokens == UNBOUNDED => 15,
                _ => 8,
            };
            return u32::from(context.stream.below(16) < odds);
        }
        if room <= least {
            return least.max(u32::from(context.stream.below(8) == 0));
        }
        if context.stream.below(32) == 0 {
            return least;
        }
        let room = room.min(most);
        let magnitude = context.stream.below(u64::from(room.ilog2()) + 1) as u32;
        let low = 1_u32 << magnitude;
        low + context.stream.below(u64::from(low.min(room - low + 1))) as u32
    }

    /// A group that must end with what may not stand there is left out.
    pub(super) fn avoid_tail(
        &self,
        context: &DraftContext<'_>,
        block: BlockId,
        count: u32,
        inherited: Inherited,
    ) -> u32 {
        let Some(tail) = inherited.tail(context.tables) else { return count };
        let mut open = context.tables.block(block).alternatives.clone();
        let all_end = open.all(|alt| context.statistics.must_end.contains(alt as usize, tail.rule as usize));
        if all_end { 0 } else { count }
    }
}
