//! Which alternative: weights, limits, precedence, goals.

use super::{DeadEnd, DraftContext, Drafter, Inherited, OperatorAfter, Selected};
use crate::decisions::choice::Choice;
use crate::tables::sums::growth;
use polysmith_grammar::{AltId, BlockId};
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
    ) -> Result<AltId, DeadEnd> {
        let choice = &context.tables.block(block);
        let range = choice.alternatives.clone();
        if let Some(script) = &mut context.script {
            return script.alternative().ok_or(DeadEnd::NoAlternative(block));
        }
        if range.len() == 1 {
            let alt = AltId::new(range.start as usize);
            let hopeless = choosy == Choosy::Yes
                && context.steer.is_none()
                && self.is_hopeless(context, Choice::Alternative(alt));
            if hopeless || self.is_barred(Selected::Alternative(alt)) {
                return Err(DeadEnd::NoAlternative(block));
            }
            self.take(Selected::Alternative(alt));
            return Ok(alt);
        }
        let free = context.size_limits.most - self.used - self.reserved;
        if (!inherited.carries || self.reached) && self.is_free(context, block, inherited) {
            let size = (inherited.height, inherited.budget, free);
            if let Some(alt) = context.sums.draw(context.tables, block, size, context.stream) {
                self.take(Selected::Alternative(alt));
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
    ) -> Result<AltId, DeadEnd> {
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
                let alt = AltId::new(range.start as usize + number);
                self.take(Selected::Alternative(alt));
                if let Some(cooldown) = &mut context.cooldown {
                    cooldown.chosen(alt.index());
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
            && inherited.operator == OperatorAfter::NONE
            && !self.forbids
            && !self.ended
            && !self.bars_any()
            && context.statistics.is_reliable(block)
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
            let id = AltId::new(alt);
            let need = tables.curves[alt].at(inherited.height);
            let mut weight = u64::from(tables.weights[alt]);
            if need > free
                || (self.ended && need > 0 && aim != Aim::Any)
                || self.is_barred(Selected::Alternative(id))
            {
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
                if aim != Aim::Any && !self.suits(context, id, inherited) {
                    weight = 0;
                }
                if tables.operators[alt]
                    .is_some_and(|operator| operator.is_left_recursive && operator.precedence < precedence)
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
    fn suits(&self, context: &DraftContext<'_>, alt: AltId, inherited: Inherited) -> bool {
        let operator = context.tables.operators[alt.index()];
        if operator
            .is_some_and(|operator| operator.is_left_recursive && operator.precedence < inherited.precedence)
        {
            return false;
        }
        let must_end = context.statistics.must_end.row(alt.index());
        if let Some(tail) = inherited.tail(context.tables) {
            let trailing =
                operator.filter(|operator| operator.rule == tail.rule).and_then(|own| own.trailing);
            let is_wrong = match trailing {
                Some(trailing) => trailing <= tail.precedence,
                None => must_end.contains(tail.rule as usize),
            };
            if is_wrong {
                return false;
            }
        }
        let insists =
            context.steer.as_ref().is_some_and(|steer| steer.insists_on(inherited.place, alt.index()));
        if !insists
            && let Some(operator) = inherited.operator.get()
            && let Some(rules) = context.statistics.capturing_rules(operator)
            && must_end.intersects(rules)
        {
            return false;
        }
        (insists || !self.is_hopeless(context, Choice::Alternative(alt)))
            && context.writer.may_begin(context.one_token, alt)
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
