//! A draft that is led to what has not been covered yet.

use super::{Common, Drafter, HEAVY, Source, Stuck};
use crate::cover::FAR;
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::NOWHERE;
use polysmith_grammar::{BlockId, RuleId};
use polysmith_parse::Limits;

/// How often a draft gets more steps of the parser, for fewer goals.
const MOST_RELIEFS: u32 = 1;

impl Drafter {
    /// Calls a rule: where on the map that leads.
    pub(super) fn enter(source: &mut Source<'_>, place: u32, rule: RuleId) -> u32 {
        let Some(steer) = &mut source.steer else { return NOWHERE };
        if place == NOWHERE && source.builder.is_empty() {
            return 0;
        }
        steer.passed(place, Symbol::Rule(rule));
        steer.enter(place, rule)
    }

    /// Of the open alternatives, leaves those that are nearest to something wanted, else the cheapest.
    pub(super) fn steer(
        &mut self,
        source: &mut Source<'_>,
        range: &std::ops::Range<u32>,
        common: Common,
    ) -> u64 {
        let Some(steer) = &mut source.steer else { return 0 };
        let curves = &source.tables.curves[range.start as usize..range.end as usize];
        let mut best = FAR;
        self.distances.clear();
        for (number, weight) in self.weights.iter().enumerate() {
            let distance = if *weight == 0 || self.load > HEAVY {
                FAR
            } else {
                steer.distance(common.place, range.start as usize + number, common.height)
            };
            best = best.min(distance);
            self.distances.push(distance);
        }
        let least = |at: usize| curves[at].at(common.height);
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
        source: &mut Source<'_>,
        block: BlockId,
        common: Common,
        free: u32,
    ) -> Option<u32> {
        let steer = source.steer.as_mut()?;
        if self.load > HEAVY {
            return Some(source.tables.blocks[block.index()].quantifier.min);
        }
        let choice = &source.tables.blocks[block.index()];
        let fits = free.checked_div(choice.curve.at(common.height)).unwrap_or(2);
        let most = choice.quantifier.max.unwrap_or(u32::MAX).min(fits);
        match steer.count(source.tables, common.place, block, common.height, most) {
            None if steer.is_thrifty() => Some(choice.quantifier.min),
            wanted => wanted.map(|count| count.max(choice.quantifier.min)),
        }
    }

    /// Whether a loop that has come to its end goes on, because that leads to something.
    pub(super) fn prolongs(
        &self,
        source: &mut Source<'_>,
        block: BlockId,
        done: u32,
        common: Common,
    ) -> bool {
        let Some(steer) = &mut source.steer else { return false };
        let choice = &source.tables.blocks[block.index()];
        let fits = choice.curve.at(common.height) <= source.bounds.most - self.used - self.reserved;
        let may = done > 0 && !choice.quantifier.is_one() && !self.ended && fits && self.load <= HEAVY;
        may && steer.prolongs(source.tables, common.place, block, common.height)
    }

    /// A draft that does not get on gives up the goals that it met last, first one, then more and more, and is
    /// finished as cheaply as it can be from there.
    pub(super) fn settle_for_less(&mut self, source: &mut Source<'_>, stuck: Stuck) -> Result<(), Stuck> {
        let Some(steer) = &mut source.steer else { return Err(stuck) };
        let mut lightest = u32::MAX;
        if stuck == Stuck::TooHard {
            if self.reliefs == MOST_RELIEFS {
                return Err(stuck);
            }
            self.reliefs += 1;
            lightest = self.load / 2;
            // Questions are open, so nothing may be forgotten now.
            source.parser.lookahead().begin_text(&Limits { max_memory: usize::MAX, ..self.limits.clone() });
        }
        let kept = steer.give_up();
        let mut keep = self.checkpoints.partition_point(|checkpoint| checkpoint.met as usize <= kept);
        while keep > 1 && self.checkpoints[keep - 1].load > lightest {
            keep -= 1;
        }
        if keep == 0 {
            return Err(stuck);
        }
        steer.sate(self.checkpoints[keep - 1].met as usize);
        self.return_to(source, keep);
        Ok(())
    }

    /// A group is left after so many iterations.
    pub(super) fn counted(source: &mut Source<'_>, block: BlockId, done: u32, common: Common) {
        if let Some(steer) = &mut source.steer {
            steer.counted(common.place, block, done);
        }
    }
}
