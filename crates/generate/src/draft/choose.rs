//! Which alternative: weights, limits, precedence, goals.

use super::{DeadEnd, DraftContext, Drafter, Inherited, OperatorAfter, Selected};
use crate::decisions::choice::Choice;
use crate::tables::sums::growth;
use polysmith_grammar::{AltId, BlockId};
use polysmith_random::Stream;
use std::ops::Range;

/// What a choice does if the statistics rule out every alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IfRuledOut {
    /// It fails: the group can be left instead.
    Fail,
    /// It takes one of them.
    TakeAnyway,
}

/// Which alternatives come into question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Candidates {
    /// Those that lead to the goal.
    TowardsGoal,
    /// Those that the parser seems to take.
    Promising,
    /// Those that the limits allow.
    Allowed,
}

/// Scratch memory of one choice, by alternative of the block.
#[derive(Debug, Default)]
pub(super) struct Weights {
    pub(super) values: Vec<u64>,
    /// How far each is from a wanted goal, in a steered draft.
    pub(super) distances: Vec<u32>,
}

impl Weights {
    /// Draws a number in proportion to the weights. A single one needs no random number.
    fn draw(&self, stream: &mut Stream, total: u64) -> usize {
        let positive = self.values.iter().filter(|weight| **weight > 0).count();
        if positive == 1 {
            return self.values.iter().position(|weight| *weight > 0).unwrap_or(0);
        }
        let mut drawn = stream.below(total);
        for (number, weight) in self.values.iter().enumerate() {
            if drawn < *weight {
                return number;
            }
            drawn -= weight;
        }
        self.values.len() - 1
    }

    /// Sets the weights to 0 that do not satisfy a condition. Returns the sum of the others.
    fn keep(&mut self, condition: impl Fn(usize) -> bool) -> u64 {
        let mut total = 0;
        for (number, weight) in self.values.iter_mut().enumerate() {
            if !condition(number) {
                *weight = 0;
            }
            total += *weight;
        }
        total
    }
}

impl Drafter {
    /// Chooses an alternative of a block.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: &Inherited,
        if_ruled_out: IfRuledOut,
    ) -> Result<AltId, DeadEnd> {
        let compiled = context.compiled;
        let range = &compiled.tables.block(block).alternatives;
        if let Some(script) = context.guide.script_mut() {
            return script.alternative().ok_or(DeadEnd::NoAlternative(block));
        }
        if range.len() == 1 {
            let alt = AltId::new(range.start as usize);
            let is_ruled_out = if_ruled_out == IfRuledOut::Fail
                && context.guide.steering().is_none()
                && self.forbidden.rules_out(context, Choice::Alternative(alt));
            if is_ruled_out || self.backtracking.is_excluded(Selected::Alternative(alt)) {
                return Err(DeadEnd::NoAlternative(block));
            }
            self.backtracking.select(Selected::Alternative(alt));
            return Ok(alt);
        }
        let free = self.progress.free_tokens(&context.size_limits);
        let needs_goal = inherited.leads_to_goal && !self.progress.reached_goal;
        if !needs_goal && self.is_unconstrained(context, block, inherited) {
            let size = (inherited.height, inherited.budget, free);
            if let Some(alt) = compiled.sums.draw(&compiled.tables, block, size, context.stream) {
                self.backtracking.select(Selected::Alternative(alt));
                return Ok(alt);
            }
        }
        self.choose_carefully(context, block, *inherited, if_ruled_out)
    }

    /// Chooses among several alternatives where more than size matters.
    #[inline(never)]
    fn choose_carefully(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: Inherited,
        if_ruled_out: IfRuledOut,
    ) -> Result<AltId, DeadEnd> {
        let range = context.compiled.tables.block(block).alternatives.clone();
        let needs_goal = inherited.leads_to_goal && !self.progress.reached_goal;
        let first = if needs_goal { Candidates::TowardsGoal } else { Candidates::Promising };
        // A steered draft must also try what the statistics rule out.
        let last = match if_ruled_out {
            IfRuledOut::Fail if context.guide.steering().is_none() => Candidates::Promising,
            _ => Candidates::Allowed,
        };
        for candidates in [first, Candidates::Promising, last] {
            let mut total = self.weigh(context, &range, inherited, candidates);
            if total > 0 && context.guide.steering().is_some() {
                total = self.weigh_by_goals(context, &range, inherited);
            }
            if total > 0 {
                let values = &self.weights.values;
                let chosen = context.guide.model_mut().and_then(|model| model.alternative(block, values));
                let number = match chosen {
                    Some(chosen) if values.get(chosen).is_some_and(|weight| *weight > 0) => chosen,
                    _ => self.weights.draw(context.stream, total),
                };
                let alt = AltId::new(range.start as usize + number);
                self.backtracking.select(Selected::Alternative(alt));
                if let Some(cooldown) = context.guide.cooldown_mut() {
                    cooldown.chosen(alt.index());
                }
                return Ok(alt);
            }
        }
        Err(DeadEnd::NoAlternative(block))
    }

    /// Whether the weights of a block's alternatives follow from size alone.
    #[inline]
    fn is_unconstrained(&self, context: &DraftContext<'_>, block: BlockId, inherited: &Inherited) -> bool {
        context.guide.is_unbiased()
            && inherited.operator == OperatorAfter::NONE
            && self.forbidden.is_empty()
            && !self.progress.ended
            && !self.backtracking.excludes_any()
            && context.statistics.is_reliable(block)
            && context.compiled.sums.can_begin(context.writer.mode(), block)
    }

    /// Computes the weights of a block's alternatives. Their sum is 0 if none comes into question.
    fn weigh(
        &mut self,
        context: &DraftContext<'_>,
        range: &Range<u32>,
        inherited: Inherited,
        candidates: Candidates,
    ) -> u64 {
        let tables = &context.compiled.tables;
        let free = self.progress.free_tokens(&context.size_limits);
        self.weights.values.clear();
        let mut total = 0;
        let mut cheapest = u32::MAX;
        for alt in range.start as usize..range.end as usize {
            let need = tables.curves[alt].at(inherited.height);
            let mut weight = u64::from(tables.weights[alt]);
            if need > free || !self.comes_into_question(context, AltId::new(alt), inherited, candidates) {
                weight = 0;
            }
            if weight > 0 {
                if let Some(cooldown) = context.guide.cooldown() {
                    weight = cooldown.cooled(alt, weight);
                }
                cheapest = cheapest.min(need);
                if tables.max_tokens[alt] >= inherited.budget && inherited.budget > 1 {
                    weight <<= growth(inherited.budget);
                }
            }
            self.weights.values.push(weight);
            total += weight;
        }
        if candidates == Candidates::TowardsGoal {
            return self.keep_nearest_to_goal(context, range);
        }
        if cheapest >= inherited.budget && context.guide.steering().is_none() {
            // The budget is used up: only the cheapest alternatives are open.
            let curves = &tables.curves[range.start as usize..];
            return self.weights.keep(|number| curves[number].at(inherited.height) <= cheapest);
        }
        total
    }

    /// Whether an alternative that fits the limits is a candidate.
    #[inline]
    fn comes_into_question(
        &self,
        context: &DraftContext<'_>,
        alt: AltId,
        inherited: Inherited,
        candidates: Candidates,
    ) -> bool {
        let tables = &context.compiled.tables;
        if tables.weights[alt.index()] == 0 || self.backtracking.is_excluded(Selected::Alternative(alt)) {
            return false;
        }
        let must_derive_tokens = tables.curves[alt.index()].at(inherited.height) > 0;
        if self.progress.ended && must_derive_tokens && candidates != Candidates::Allowed {
            return false;
        }
        let operator = tables.operators[alt.index()];
        if operator
            .is_some_and(|operator| operator.is_left_recursive && operator.precedence < inherited.precedence)
        {
            return false;
        }
        let leads_to_goal =
            || context.guide.goal().is_none_or(|goal| goal.alternatives[alt.index()] <= inherited.height);
        match candidates {
            Candidates::TowardsGoal => leads_to_goal() && self.is_promising(context, alt, inherited),
            Candidates::Promising => self.is_promising(context, alt, inherited),
            Candidates::Allowed => true,
        }
    }

    /// Keeps the alternatives with the shortest way to the goal.
    fn keep_nearest_to_goal(&mut self, context: &DraftContext<'_>, range: &Range<u32>) -> u64 {
        let Some(goal) = context.guide.goal() else { return 0 };
        let distance = |number: usize| goal.alternatives[range.start as usize + number];
        let open = self.weights.values.iter().enumerate().filter(|(_, weight)| **weight > 0);
        match open.map(|(number, _)| distance(number)).min() {
            Some(nearest) => self.weights.keep(|number| distance(number) <= nearest),
            None => 0,
        }
    }

    /// Whether the parser can come to an alternative here, as far as precedence, the decision statistics and the lexer's
    /// mode tell.
    fn is_promising(&self, context: &DraftContext<'_>, alt: AltId, inherited: Inherited) -> bool {
        let tables = &context.compiled.tables;
        let must_end = context.statistics.must_end.row(alt.index());
        if let Some(tail) = inherited.excluded_tail(tables) {
            let own = tables.operators[alt.index()].filter(|operator| operator.rule == tail.rule);
            let is_excluded = match own.and_then(|own| own.trailing) {
                Some(trailing) => trailing <= tail.precedence,
                None => must_end.contains(tail.rule as usize),
            };
            if is_excluded {
                return false;
            }
        }
        let steering = context.guide.steering();
        let insists = steering.is_some_and(|steering| steering.insists_on(inherited.place, alt.index()));
        if !insists
            && let Some(operator) = inherited.operator.get()
            && let Some(rules) = context.statistics.capturing_rules(operator)
            && must_end.intersects(rules)
        {
            return false;
        }
        (insists || !self.forbidden.rules_out(context, Choice::Alternative(alt)))
            && context.writer.may_begin(&context.compiled.one_token, alt)
    }
}
