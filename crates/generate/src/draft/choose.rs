//! Which alternative: weights, limits, precedence, goals.

use super::{Common, Drafter, NONE, Source, Stuck};
use crate::quick::growth;
use polysmith_grammar::BlockId;
use polysmith_random::Stream;
use std::ops::Range;

impl Drafter {
    /// Chooses an alternative.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        source: &mut Source<'_>,
        block: BlockId,
        common: &Common,
        choosy: Choosy,
    ) -> Result<usize, Stuck> {
        let choice = &source.tables.blocks[block.index()];
        let range = choice.alternatives.clone();
        if let Some(script) = &mut source.script {
            return script.alternative().ok_or(Stuck::Choice(block));
        }
        if range.len() == 1 {
            let hopeless = choosy == Choosy::Yes
                && source.steer.is_none()
                && self.is_hopeless(source, range.start as usize);
            if hopeless || self.is_barred(range.start) {
                return Err(Stuck::Choice(block));
            }
            self.take(range.start);
            return Ok(range.start as usize);
        }
        let free = source.bounds.most - self.used - self.reserved;
        if (!common.carries || self.reached) && self.is_free(source, block, common) {
            let size = (common.height, common.budget, free);
            if let Some(alt) = source.quick.draw(source.tables, block, size, source.stream) {
                self.take(alt as u32);
                return Ok(alt);
            }
        }
        self.choose_carefully(source, block, *common, choosy)
    }

    /// Chooses among several alternatives where something else than size has a say.
    #[inline(never)]
    fn choose_carefully(
        &mut self,
        source: &mut Source<'_>,
        block: BlockId,
        common: Common,
        choosy: Choosy,
    ) -> Result<usize, Stuck> {
        let range = source.tables.blocks[block.index()].alternatives.clone();
        let free = source.bounds.most - self.used - self.reserved;
        let aim = if common.carries && !self.reached { Aim::Goal } else { Aim::Best };
        // Who wants everything covered must also try what seems hopeless.
        let choosy = choosy == Choosy::Yes && source.steer.is_none();
        for aim in [aim, Aim::Best, if choosy { Aim::Best } else { Aim::Any }] {
            let mut total = self.weigh(source, &range, common, free, aim);
            if total > 0 && source.steer.is_some() {
                total = self.steer(source, &range, common);
            }
            if total > 0 {
                let chosen = match &mut source.model {
                    Some(model) => model.alternative(block, &self.weights),
                    None => None,
                };
                let number = match chosen {
                    Some(chosen) if self.weights.get(chosen).is_some_and(|weight| *weight > 0) => chosen,
                    _ => self.weighted(source.stream, total),
                };
                let alt = range.start as usize + number;
                self.take(alt as u32);
                if let Some(cooldown) = &mut source.cooldown {
                    cooldown.chosen(alt);
                }
                return Ok(alt);
            }
        }
        Err(Stuck::Choice(block))
    }

    /// Whether the weights of a block's alternatives follow from size alone.
    #[inline]
    fn is_free(&self, source: &Source<'_>, block: BlockId, common: &Common) -> bool {
        source.is_free()
            && common.operator == NONE
            && !self.forbids
            && !self.ended
            && !self.bars_any()
            && source.habits.is_calm(block)
            && source.quick.begins(source.writer.mode(), block)
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
    fn weigh(&mut self, source: &Source<'_>, range: &Range<u32>, common: Common, free: u32, aim: Aim) -> u64 {
        let tables = source.tables;
        let precedence = common.precedence;
        self.weights.clear();
        let mut total = 0;
        let mut cheapest = u32::MAX;
        for alt in range.start as usize..range.end as usize {
            let need = tables.curves[alt].at(common.height);
            let mut weight = u64::from(tables.weights[alt]);
            if need > free || (self.ended && need > 0 && aim != Aim::Any) || self.is_barred(alt as u32) {
                weight = 0;
            } else if weight > 0 {
                if let Some(cooldown) = &source.cooldown {
                    weight = cooldown.cooled(alt, weight);
                }
                if aim == Aim::Goal && source.goal.is_some_and(|goal| goal.alternatives[alt] > common.height)
                {
                    weight = 0;
                }
                if aim != Aim::Any && !self.suits(source, alt, common) {
                    weight = 0;
                }
                if tables.grips[alt].is_some_and(|grip| grip.left && grip.precedence < precedence) {
                    weight = 0;
                }
                if weight > 0 {
                    cheapest = cheapest.min(need);
                    if tables.most[alt] >= common.budget && common.budget > 1 {
                        weight <<= growth(common.budget);
                    }
                }
            }
            self.weights.push(weight);
            total += weight;
        }
        if aim == Aim::Goal {
            return self.nearest_goal(source, range, common);
        }
        if cheapest >= common.budget && source.steer.is_none() {
            // Nothing is left to spend: only what costs least.
            total = 0;
            for (number, weight) in self.weights.iter_mut().enumerate() {
                if tables.curves[range.start as usize + number].at(common.height) > cheapest {
                    *weight = 0;
                }
                total += *weight;
            }
        }
        total
    }

    /// Towards a goal mostly the shortest way is taken.
    fn nearest_goal(&mut self, source: &Source<'_>, range: &Range<u32>, _: Common) -> u64 {
        let Some(goal) = source.goal else { return 0 };
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
    fn suits(&self, source: &Source<'_>, alt: usize, common: Common) -> bool {
        let grip = source.tables.grips[alt];
        if grip.is_some_and(|grip| grip.left && grip.precedence < common.precedence) {
            return false;
        }
        if let Some(tail) = common.tail(source.tables) {
            match grip.filter(|grip| grip.rule == tail.rule).and_then(|grip| grip.trailing) {
                Some(trailing) => {
                    if trailing <= tail.precedence {
                        return false;
                    }
                }
                None => {
                    if source.habits.must_end.contains(alt, tail.rule as usize) {
                        return false;
                    }
                }
            }
        }
        let insists = source.steer.as_ref().is_some_and(|steer| steer.insists_on(common.place, alt));
        if !insists
            && common.operator != NONE
            && let Some(swallowers) = source.habits.swallowers(common.operator as usize)
            && source.habits.must_end.row(alt).intersects(swallowers)
        {
            return false;
        }
        (insists || !self.is_hopeless(source, alt)) && source.writer.may_begin(source.sure, alt)
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
