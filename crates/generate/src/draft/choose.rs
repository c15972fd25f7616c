//! Which alternative: weights, limits, precedence, goals.

use super::{DeadEnd, DraftContext, Drafter, Inherited, NONE};
use crate::tables::sums::growth;
use polysmith_grammar::BlockId;
use polysmith_random::Stream;
use std::ops::Range;

impl Drafter {
    /// Chooses an alternative.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: &Inherited,
        choosy: Choosy,
    ) -> Result<usize, DeadEnd> {
        let choice = &context.tables.block(block);
        let range = choice.alternatives.clone();
        if let Some(script) = &mut context.script {
            return script.alternative().ok_or(DeadEnd::NoAlternative(block));
        }
        if range.len() == 1 {
            let hopeless = choosy == Choosy::Yes
                && context.steer.is_none()
                && self.is_hopeless(context, range.start as usize);
            if hopeless || self.is_barred(range.start) {
                return Err(DeadEnd::NoAlternative(block));
            }
            self.take(range.start);
            return Ok(range.start as usize);
        }
        let free = context.size_limits.most - self.used - self.reserved;
        if (!inherited.carries || self.reached) && self.is_free(context, block, inherited) {
            let size = (inherited.height, inherited.budget, free);
            if let Some(alt) = context.sums.draw(context.tables, block, size, context.stream) {
                self.take(alt as u32);
                return Ok(alt);
            }
        }
        self.choose_carefully(context, block, *inherited, choosy)
    }

    /// Chooses among several alternatives where something else than size has a say.
    #[inline(never)]
    fn choose_carefully(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: Inherited,
        choosy: Choosy,
    ) -> Result<usize, DeadEnd> {
        let range = context.tables.block(block).alternatives.clone();
        let free = context.size_limits.most - self.used - self.reserved;
        let aim = if inherited.carries && !self.reached { Aim::Goal } else { Aim::Best };
        // Who wants everything covered must also try what seems hopeless.
        let choosy = choosy == Choosy::Yes && context.steer.is_none();
        for aim in [aim, Aim::Best, if choosy { Aim::Best } else { Aim::Any }] {
            let mut total = self.weigh(context, &range, inherited, free, aim);
            if total > 0 && context.steer.is_some() {
                total = self.steer(context, &range, inherited);
            }
            if total > 0 {
                let chosen = match &mut context.model {
                    Some(model) => model.alternative(block, &self.weights),
                    None => None,
                };
                let number = match chosen {
                    Some(chosen) if self.weights.get(chosen).is_some_and(|weight| *weight > 0) => chosen,
                    _ => self.weighted(context.stream, total),
                };
                let alt = range.start as usize + number;
                self.take(alt as u32);
                if let Some(cooldown) = &mut context.cooldown {
                    cooldown.chosen(alt);
                }
                return Ok(alt);
            }
        }
        Err(DeadEnd::NoAlternative(block))
    }

    /// Whether the weights of a block's alternatives follow from size alone.
    #[inline]
    fn is_free(&self, context: &DraftContext<'_>, block: BlockId, inherited: &Inherited) -> bool {
        context.is_free()
            && inherited.operator == NONE
            && !self.forbids
            && !self.ended
            && !self.bars_any()
            && context.statistics.is_calm(block)
            && context.sums.can_begin(context.writer.mode(), block)
    }

    fn weighted(&self, stream: &mut Stream, total: u64) -> usize {
        let positive = self.weights.iter().filter(|weight| **weight > 0).count();
        if positive == 1 {
            return self.weights.iter().position(|weight| *weight > 0).unwrap_or(0);
        }
        let mut drawn = stream.below(total);
        for (number, weight) in self.weights.iter().enumerate() {
            if drawn < *weight {
                return number;
            }
            drawn -= weight;
        }
        self.weights.len() - 1
    }

    /// Fills `weights` for the alternatives of a block; the sum is 0 if none is open.
    fn weigh(
        &mut self,
        context: &DraftContext<'_>,
        range: &Range<u32>,
        inherited: Inherited,
        free: u32,
        aim: Aim,
    ) -> u64 {
        let tables = context.tables;
        let precedence = inherited.precedence;
        self.weights.clear();
        let mut total = 0;
        let mut cheapest = u32::MAX;
        for alt in range.start as usize..range.end as usize {
            let need = tables.curves[alt].at(inherited.height);
            let mut weight = u64::from(tables.weights[alt]);
            if need > free || (self.ended && need > 0 && aim != Aim::Any) || self.is_barred(alt as u32) {
                weight = 0;
            } else if weight > 0 {
                if let Some(cooldown) = &context.cooldown {
                    weight = cooldown.cooled(alt, weight);
                }
                if aim == Aim::Goal
                    && context.goal.is_some_and(|goal| goal.alternatives[alt] > inherited.height)
                {
                    weight = 0;
                }
                if aim != Aim::Any && !self.suits(context, alt, inherited) {
                    weight = 0;
                }
                if tables.operators[alt]
                    .is_some_and(|grip| grip.is_left_recursive && grip.precedence < precedence)
                {
                    weight = 0;
                }
                if weight > 0 {
                    cheapest = cheapest.min(need);
                    if tables.max_tokens[alt] >= inherited.budget && inherited.budget > 1 {
                        weight <<= growth(inherited.budget);
                    }
                }
            }
            self.weights.push(weight);
            total += weight;
        }
        if aim == Aim::Goal {
            return self.nearest_goal(context, range, inherited);
        }
        if cheapest >= inherited.budget && context.steer.is_none() {
            // Nothing is left to spend: only what costs least.
            total = 0;
            for (number, weight) in self.weights.iter_mut().enumerate() {
                if tables.curves[range.start as usize + number].at(inherited.height) > cheapest {
                    *weight = 0;
                }
                total += *weight;
            }
        }
        total
    }

    /// Towards a goal mostly the shortest way is taken.
    fn nearest_goal(&mut self, context: &DraftContext<'_>, range: &Range<u32>, _: Inherited) -> u64 {
        let Some(goal) = context.goal else { return 0 };
        let distance = |number: usize| goal.alternatives[range.start as usize + number];
        let open = |(number, weight): (usize, &u64)| (*weight > 0).then(|| distance(number));
        let Some(nearest) = self.weights.iter().enumerate().filter_map(open).min() else { return 0 };
        let mut total = 0;
        for (number, weight) in self.weights.iter_mut().enumerate() {
            if distance(number) > nearest {
                *weight = 0;
            }
            total += *weight;
        }
        total
    }

    /// Whether the parser can come to this alternative here: operators and their operands, tokens of other modes.
    fn suits(&self, context: &DraftContext<'_>, alt: usize, inherited: Inherited) -> bool {
        let grip = context.tables.operators[alt];
        if grip.is_some_and(|grip| grip.is_left_recursive && grip.precedence < inherited.precedence) {
            return false;
        }
        if let Some(tail) = inherited.tail(context.tables) {
            match grip.filter(|grip| grip.rule == tail.rule).and_then(|grip| grip.trailing) {
                Some(trailing) => {
                    if trailing <= tail.precedence {
                        return false;
                    }
                }
                None => {
                    if context.statistics.must_end.contains(alt, tail.rule as usize) {
                        return false;
                    }
                }
            }
        }
        let insists = context.steer.as_ref().is_some_and(|steer| steer.insists_on(inherited.place, alt));
        if !insists
            && inherited.operator != NONE
            && let Some(swallowers) = context.statistics.swallowers(inherited.operator as usize)
            && context.statistics.must_end.row(alt).intersects(swallowers)
        {
            return false;
        }
        (insists || !self.is_hopeless(context, alt)) && context.writer.may_begin(context.one_token, alt)
    }
}

/// Whether only alternatives come into question that the parser seems to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choosy {
    /// There is a way round.
    Yes,
    /// One must be taken.
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Only what leads to the goal.
    Goal,
    /// Only what the parser can take.
    Best,
    /// Whatever the limits allow.
    Any,
}
