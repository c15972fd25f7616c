//! How a steered draft chooses what leads to goals that are not covered yet.

use super::{DeadEnd, DraftContext, Drafter, Inherited};
use crate::cover::FAR;
use crate::tuning::MAX_STEP_EXTENSIONS;
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::NOWHERE;
use polysmith_grammar::{BlockId, RuleId};
use polysmith_parse::Limits;

impl Drafter {
    /// Enters a rule: its place on the map.
    pub(super) fn enter_place(context: &mut DraftContext<'_>, place: u32, rule: RuleId) -> u32 {
        let Some(steering) = context.guide.steering_mut() else { return NOWHERE };
        if place == NOWHERE && context.builder.is_empty() {
            return 0;
        }
        steering.passed(place, Symbol::Rule(rule));
        steering.enter(place, rule)
    }

    /// Sets the weights of all alternatives to 0 that are not nearest to a wanted goal, or else not cheapest. Returns the
    /// sum of what is left.
    pub(super) fn weigh_by_goals(
        &mut self,
        context: &mut DraftContext<'_>,
        range: &std::ops::Range<u32>,
        inherited: Inherited,
    ) -> u64 {
        let is_lookahead_high = self.is_lookahead_high();
        let Some(steering) = context.guide.steering_mut() else { return 0 };
        let curves = &context.compiled.tables.curves[range.start as usize..range.end as usize];
        let weights = &mut self.weights;
        let mut best = FAR;
        weights.distances.clear();
        for (number, weight) in weights.values.iter().enumerate() {
            let distance = if *weight == 0 || is_lookahead_high {
                FAR
            } else {
                steering.distance(inherited.place, range.start as usize + number, inherited.height)
            };
            best = best.min(distance);
            weights.distances.push(distance);
        }
        let least = |at: usize| curves[at].at(inherited.height);
        let open = (0..curves.len()).filter(|at| weights.values[*at] > 0);
        let cheapest = open.map(least).min().unwrap_or(0);
        let mut total = 0;
        for (at, weight) in weights.values.iter_mut().enumerate() {
            let keeps = match best {
                FAR => !steering.fills_least() || least(at) == cheapest,
                best => weights.distances[at] == best,
            };
            *weight *= u64::from(keeps);
            total += *weight;
        }
        total
    }

    /// The number of iterations that the steering wants, if it wants one.
    pub(super) fn steered_count(
        &mut self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        inherited: Inherited,
        free: u32,
    ) -> Option<u32> {
        let tables = &context.compiled.tables;
        let steering = context.guide.steering_mut()?;
        let info = tables.block(block);
        if self.is_lookahead_high() {
            return Some(info.quantifier.min);
        }
        let fits = free.checked_div(info.curve.at(inherited.height)).unwrap_or(2);
        let most = info.quantifier.max.unwrap_or(u32::MAX).min(fits);
        match steering.count(tables, inherited.place, block, inherited.height, most) {
            None if steering.fills_least() => Some(info.quantifier.min),
            wanted => wanted.map(|count| count.max(info.quantifier.min)),
        }
    }

    /// Whether a loop without planned iterations goes on, because that leads to a goal.
    pub(super) fn prolongs(
        &self,
        context: &mut DraftContext<'_>,
        block: BlockId,
        done: u32,
        inherited: Inherited,
    ) -> bool {
        let tables = &context.compiled.tables;
        let Some(steering) = context.guide.steering_mut() else { return false };
        let info = tables.block(block);
        let fits = info.curve.at(inherited.height) <= self.progress.free_tokens(&context.size_limits);
        let may = done > 0
            && !info.quantifier.is_one()
            && !self.progress.ended
            && fits
            && !self.is_lookahead_high();
        may && steering.prolongs(tables, inherited.place, block, inherited.height)
    }

    /// Gives up the goals that the draft met last, each time twice as many, and returns to where it had not met them. It
    /// is finished as cheaply as possible from there.
    pub(super) fn give_up_goals(
        &mut self,
        context: &mut DraftContext<'_>,
        dead_end: DeadEnd,
    ) -> Result<(), DeadEnd> {
        let Some(steering) = context.guide.steering_mut() else { return Err(dead_end) };
        let mut max_lookahead = u32::MAX;
        if dead_end == DeadEnd::StepLimit {
            if !self.backtracking.extend_steps(MAX_STEP_EXTENSIONS) {
                return Err(dead_end);
            }
            max_lookahead = self.predictions.lookahead() / 2;
            // Predictions are open, so the parser must not forget anything now.
            let limits = Limits { max_memory: usize::MAX, ..self.limits.clone() };
            context.parser.lookahead().begin_text(&limits);
        }
        let kept = steering.give_up();
        let keep = self.backtracking.checkpoints_within(kept, max_lookahead);
        if keep == 0 {
            return Err(dead_end);
        }
        steering.limit_goals(self.backtracking.goals_met_at(keep));
        self.return_to(context, keep);
        Ok(())
    }

    /// Tells the steering how many iterations a group had.
    pub(super) fn counted(context: &mut DraftContext<'_>, block: BlockId, done: u32, inherited: Inherited) {
        if let Some(steering) = context.guide.steering_mut() {
            steering.counted(inherited.place, block, done);
        }
    }
}
