//! A draft that is led to what has not been covered yet.

use super::{DeadEnd, DraftContext, Drafter, HEAVY, Inherited};
use crate::cover::FAR;
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::NOWHERE;
use polysmith_grammar::{BlockId, RuleId};
use polysmith_parse::Limits;

/// How often a draft gets more steps of the parser, for fewer goals.
const MOST_RELIEFS: u32 = 1;

impl Drafter {
    /// Calls a rule: where on the map that leads.
    pub(super) fn enter(context: &mut DraftContext<'_>, place: u32, rule: RuleId) -> u32 {
        let Some(steer) = &mut context.steer else { return NOWHERE };
        if place == NOWHERE && context.builder.is_empty() {
            return 0;
        }
        steer.passed(place, Symbol::Rule(rule));
        steer.enter(place, rule)
    }

    /// Of the open alternatives, leaves those that are nearest to something wanted, else the cheapest.
    pub(super) fn steer(
        &mut self,
        context: &mut DraftContext<'_>,
        range: &std::ops::Range<u32>,
        inherited: Inherited,
    ) -> u64 {
        let Some(steer) = &mut context.steer else { return 0 };
        let curves = &context.tables.curves[range.start as usize..range.end as usize];
        let mut best = FAR;
        self.distances.clear();
        for (number, weight) in self.weights.iter().enumerate() {
            let distance = if *weight == 0 || self.load > HEAVY {
                FAR
            } else {
                steer.distance(inherited.place, range.start as usize + number, inherited.height)
            };
            best = best.min(distance);
            self.distances.push(distance);
        }
        let least = |at: usize| curves[at].at(inherited.height);
        let open = (0..curves.len()).filter(|at| self.weights[*at] > 0);
        let cheapest = open.map(least).min().unwrap_or(0);
        let mut total = 0;
        for (at, weight) in self.weights.iter_mut().enumerate() {
            let keeps = match best {
                FAR => !steer.is_thrifty() || least(at) == cheapest,
                best => self.distances[at] == best,
            };
            *weight *= u64::from(keeps);
            total += *weight;
        }
        total
    }

    /// How often to repeat a group, if the map has an opinion.
    pub(super) fn steered_count(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: Inherited,
        free: u32,
    ) -> Option<u32> {
        let steer = context.steer.as_mut()?;
        if self.load > HEAVY {
            return Some(context.tables.block(block).quantifier.min);
        }
        let choice = &context.tables.block(block);
        let fits = free.checked_div(choice.curve.at(inherited.height)).unwrap_or(2);
        let most = choice.quantifier.max.unwrap_or(u32::MAX).min(fits);
        match steer.count(context.tables, inherited.place, block, inherited.height, most) {
            None if steer.is_thrifty() => Some(choice.quantifier.min),
            wanted => wanted.map(|count| count.max(choice.quantifier.min)),
        }
    }

    /// Whether a loop that has come to its end goes on, because that leads to something.
    pub(super) fn prolongs(
        &self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        done: u32,
        inherited: Inherited,
    ) -> bool {
        let Some(steer) = &mut context.steer else { return false };
        let choice = &context.tables.block(block);
        let fits = choice.curve.at(inherited.height) <= context.size_limits.most - self.used - self.reserved;
        let may = done > 0 && !choice.quantifier.is_one() && !self.ended && fits && self.load <= HEAVY;
        may && steer.prolongs(context.tables, inherited.place, block, inherited.height)
    }

    /// A draft that does not get on gives up the goals that it met last, first one, then more and more, and is
    /// finished as cheaply as it can be from there.
    pub(super) fn settle_for_less(
        &mut self,
        context: &mut DraftContext<'_>,
        dead_end: DeadEnd,
    ) -> Result<(), DeadEnd> {
        let Some(steer) = &mut context.steer else { return Err(dead_end) };
        let mut lightest = u32::MAX;
        if dead_end == DeadEnd::StepLimit {
            if self.reliefs == MOST_RELIEFS {
                return Err(dead_end);
            }
            self.reliefs += 1;
            lightest = self.load / 2;
            // Questions are open, so nothing may be forgotten now.
            context.parser.lookahead().begin_text(&Limits { max_memory: usize::MAX, ..self.limits.clone() });
        }
        let kept = steer.give_up();
        let mut keep = self.checkpoints.partition_point(|checkpoint| checkpoint.met as usize <= kept);
        while keep > 1 && self.checkpoints[keep - 1].load > lightest {
            keep -= 1;
        }
        if keep == 0 {
            return Err(dead_end);
        }
        steer.sate(self.checkpoints[keep - 1].met as usize);
        self.return_to(context, keep);
        Ok(())
    }

    /// A group is left after so many iterations.
    pub(super) fn counted(context: &mut DraftContext<'_>, block: BlockId, done: u32, inherited: Inherited) {
        if let Some(steer) = &mut context.steer {
            steer.counted(inherited.place, block, done);
        }
    }
}
