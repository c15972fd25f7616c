//! Sizes: the budget of each step, and numbers of iterations.

use super::{DraftContext, Drafter, Inherited};
use crate::decisions::choice::Choice;
use crate::tables::UNBOUNDED;
use crate::uniform::Script;
use polysmith_grammar::BlockId;

impl Drafter {
    /// Draws the share of its frame's budget that a step gets.
    #[inline]
    pub(super) fn step_budget(
        &self,
        context: &mut DraftContext<'_>,
        at: u32,
        end: u32,
        (height, budget): (u32, u32),
        least: u32,
    ) -> u32 {
        let step = &context.compiled.tables.steps[at as usize];
        if step.max_tokens == least {
            return least;
        }
        let later: u32 = context.compiled.tables.steps[at as usize + 1..end as usize]
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

    /// Draws the number of iterations of a group.
    pub(super) fn n_iterations(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: Inherited,
    ) -> u32 {
        let info = context.compiled.tables.block(block);
        let quantifier = info.quantifier;
        if let Some(count) = context.guide.script_mut().and_then(Script::count) {
            return count;
        }
        if quantifier.max == Some(quantifier.min) {
            return quantifier.min;
        }
        let item = info.curve.at(inherited.height);
        let free = self.progress.free_tokens(&context.size_limits);
        if item > free || (self.progress.ended && item > 0) {
            return quantifier.min;
        }
        if let Some(count) = self.steered_count(context, block, inherited, free) {
            return self.avoid_tail(context, block, count, inherited).max(quantifier.min);
        }
        let is_ruled_out = |alt| self.forbidden.rules_out(context, Choice::Alternative(alt));
        if !self.forbidden.is_empty() && inherited.budget > 0 && info.alt_ids().all(is_ruled_out) {
            return quantifier.min;
        }
        let fits = free.checked_div(item).unwrap_or(1 << 20);
        let most = quantifier.max.unwrap_or(u32::MAX).min(fits).max(quantifier.min);
        // The goal is inside, or nothing that follows the group may come next.
        let is_needed = (inherited.leads_to_goal && !self.progress.reached_goal)
            || (!self.forbidden.is_empty()
                && quantifier.min == 0
                && self.forbidden.rules_out(context, Choice::Leave(block)));
        let least = if is_needed { quantifier.min.max(1).min(most) } else { quantifier.min };
        if least >= most {
            return least;
        }
        let suggested = self.suggest_count(context, block, (least, most), inherited);
        let count = match context.guide.model_mut() {
            Some(model) => model.repeat(block, least, most, suggested),
            None => suggested,
        };
        self.avoid_tail(context, block, count, inherited).clamp(least, most)
    }

    /// Draws a number of iterations that suits the budget: all orders of magnitude are equally likely.
    fn suggest_count(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        (least, most): (u32, u32),
        inherited: Inherited,
    ) -> u32 {
        let choice = &context.compiled.tables.block(block);
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
            // Optional: even odds, unless there is much budget to use up or none left.
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

    /// Leaves a group out if every iteration ends with what must not precede the following operator.
    fn avoid_tail(
        &self,
        context: &DraftContext<'_>,
        block: BlockId,
        count: u32,
        inherited: Inherited,
    ) -> u32 {
        let Some(tail) = inherited.excluded_tail(&context.compiled.tables) else { return count };
        let mut open = context.compiled.tables.block(block).alternatives.clone();
        let all_end = open.all(|alt| context.statistics.must_end.contains(alt as usize, tail.rule as usize));
        if all_end { 0 } else { count }
    }
}
