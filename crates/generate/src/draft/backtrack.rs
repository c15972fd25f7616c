//! Backtracking after a dead end.
//!
//! A checkpoint is the state of the walk just before a choice. After a dead end the walk returns to the last checkpoint and
//! makes its choice again, without what was selected there; where nothing else is left, it returns to the checkpoint before.
//! If the parser refuses a choice, the walk returns straight to that choice. One exception: where a group was left just
//! before, another token is tried first. If the walk makes no progress at all, it returns further and further back.

use super::frames::StackMark;
use super::predictions::PredictionsMark;
use super::{DeadEnd, DraftContext, Drafter, Progress};
use crate::decisions::choice::Choice;
use crate::lexical::writer::WriterMark;
use crate::tuning::{MAX_BACKTRACKS, STALLED_BACKTRACKS, TOKENS_PER_LATE_BACKTRACK};
use polysmith_grammar::{AltId, BlockId, TokenType};

/// What the walk selected where it had a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selected {
    Alternative(AltId),
    /// No further iteration of the group.
    Leave,
    /// A token of a set.
    Token(TokenType),
}

/// The state of the walk before a choice.
#[derive(Debug, Clone, Copy)]
struct Checkpoint {
    progress: Progress,
    stack: StackMark,
    predictions: PredictionsMark,
    writer: WriterMark,
    /// Lengths of the tree and of its text.
    nodes: u32,
    bytes: u32,
    /// Goals that a steered draft had met.
    goals_met: u32,
    /// Where its excluded selections begin in [`Backtracking::excluded`]; they end where the next one's begin.
    excluded_from: u32,
    /// What was selected; `None` if there was nothing to select.
    selected: Option<Selected>,
}

/// Checkpoints, what was tried there, and what all of it cost.
#[derive(Debug, Default)]
pub(super) struct Backtracking {
    checkpoints: Vec<Checkpoint>,
    /// What was selected before a dead end, by checkpoint.
    excluded: Vec<Selected>,
    /// Where the excluded selections of the present choice begin; `None` if it has no checkpoint.
    excluded_from: Option<usize>,
    /// The walk has just returned to the last checkpoint, so the next choice is that one again.
    is_returning: bool,
    /// The most tokens that the draft has had.
    furthest: usize,
    /// Backtracks since then.
    stalled: u32,
    /// The choice that the parser refused last, and its checkpoint.
    last_refused: Option<(u32, Choice)>,
    backtracks: u32,
    /// Extra cost of backtracks that prediction requested late.
    late_cost: u32,
    /// The most tokens that were given up by one return.
    tokens_lost: u32,
    /// How often the parser got more steps.
    step_extensions: u32,
    /// Every dead end, if they are recorded.
    dead_ends: Option<Vec<DeadEnd>>,
}

impl Backtracking {
    /// Begins a draft. The record of dead ends is kept.
    pub(super) fn clear(&mut self) {
        let Backtracking { mut checkpoints, mut excluded, dead_ends, .. } = std::mem::take(self);
        checkpoints.clear();
        excluded.clear();
        *self = Backtracking { checkpoints, excluded, dead_ends, ..Backtracking::default() };
    }

    /// Begins a step of the walk, which has not made a choice yet.
    #[inline(always)]
    pub(super) fn begin_step(&mut self) {
        self.excluded_from = None;
    }

    pub(super) fn n_checkpoints(&self) -> usize {
        self.checkpoints.len()
    }

    /// Whether the next choice is one that the walk returned to.
    #[inline]
    pub(super) fn is_returning(&self) -> bool {
        self.is_returning
    }

    /// Whether something was selected before at the present choice and led to a dead end.
    #[inline]
    pub(super) fn is_excluded(&self, selected: Selected) -> bool {
        self.excluded_from.is_some_and(|from| self.excluded[from..].contains(&selected))
    }

    /// Whether anything is excluded at the present choice.
    #[inline]
    pub(super) fn excludes_any(&self) -> bool {
        self.excluded_from.is_some_and(|from| from < self.excluded.len())
    }

    /// Notes what the present choice selects.
    #[inline]
    pub(super) fn select(&mut self, selected: Selected) {
        if self.excluded_from.is_some()
            && let Some(last) = self.checkpoints.last_mut()
        {
            last.selected = Some(selected);
        }
    }

    /// Counts a dead end. Returns whether the draft should be given up.
    fn count(&mut self, dead_end: DeadEnd) -> bool {
        self.backtracks += 1;
        if let Some(dead_ends) = &mut self.dead_ends {
            dead_ends.push(dead_end);
        }
        if let DeadEnd::Refused { age, .. } = dead_end {
            self.late_cost += age / TOKENS_PER_LATE_BACKTRACK;
        }
        self.backtracks + self.late_cost > MAX_BACKTRACKS
    }

    /// Whether it is time for a larger step back.
    fn is_patience_over(&self) -> bool {
        self.backtracks.is_multiple_of(STALLED_BACKTRACKS)
    }

    /// The number of checkpoints to keep after a dead end: the walk returns to the last of them.
    fn keep_after(&mut self, dead_end: DeadEnd, n_tokens: usize) -> usize {
        if n_tokens > self.furthest {
            (self.furthest, self.stalled) = (n_tokens, 0);
        }
        self.stalled += 1;
        let mut keep = self.checkpoints.len();
        if let DeadEnd::Refused { choice, checkpoint, age, .. } = dead_end {
            let refused = Some((checkpoint, choice));
            let leaves = matches!(choice, Choice::Leave(_));
            if !leaves || age > 1 || self.last_refused == refused {
                keep = keep.min(checkpoint as usize);
            }
            self.last_refused = refused;
        }
        if self.stalled.is_multiple_of(STALLED_BACKTRACKS) {
            keep = keep.saturating_sub((self.stalled / STALLED_BACKTRACKS) as usize);
        }
        // Skip checkpoints without anything else to select.
        while keep > 0 && self.checkpoints[keep - 1].selected.is_none() {
            keep -= 1;
        }
        keep
    }

    /// Drops all but the first `keep` checkpoints and returns the last of them.
    fn cut(&mut self, keep: usize, n_tokens: usize) -> Checkpoint {
        if let Some(next) = self.checkpoints.get(keep) {
            self.excluded.truncate(next.excluded_from as usize);
        }
        self.checkpoints.truncate(keep);
        let checkpoint = &mut self.checkpoints[keep - 1];
        checkpoint.selected = None;
        let lost = self.furthest.max(n_tokens) - checkpoint.predictions.types as usize;
        self.tokens_lost = self.tokens_lost.max(lost as u32);
        self.is_returning = true;
        *checkpoint
    }

    /// The number of checkpoints up to the last one that had met at most this number of goals and whose predictions had looked at
    /// no more tokens than `max_lookahead`, if there is such a one after the first.
    pub(super) fn checkpoints_within(&self, goals_met: usize, max_lookahead: u32) -> usize {
        let mut keep =
            self.checkpoints.partition_point(|checkpoint| checkpoint.goals_met as usize <= goals_met);
        while keep > 1 && self.checkpoints[keep - 1].predictions.lookahead > max_lookahead {
            keep -= 1;
        }
        keep
    }

    /// The goals that had been met at the last of the first `keep` checkpoints.
    pub(super) fn goals_met_at(&self, keep: usize) -> usize {
        self.checkpoints[keep - 1].goals_met as usize
    }

    /// Counts one more extension of the parser's steps, unless `max` is reached.
    pub(super) fn extend_steps(&mut self, max: u32) -> bool {
        let may = self.step_extensions < max;
        self.step_extensions += u32::from(may);
        may
    }
}

impl Drafter {
    /// Backtracks of the draft.
    pub(crate) fn backtracks(&self) -> u32 {
        self.backtracking.backtracks
    }

    /// The most tokens of the draft that were given up at once.
    pub(crate) fn tokens_lost(&self) -> u32 {
        self.backtracking.tokens_lost
    }

    /// How often the parser got more steps for the draft.
    pub(crate) fn step_extensions(&self) -> u32 {
        self.backtracking.step_extensions
    }

    /// Records every dead end from now on.
    pub(crate) fn record_dead_ends(&mut self) {
        self.backtracking.dead_ends = Some(Vec::new());
    }

    /// The recorded dead ends of all drafts.
    pub(crate) fn dead_ends(&self) -> &[DeadEnd] {
        self.backtracking.dead_ends.as_deref().unwrap_or_default()
    }

    /// Makes a checkpoint before a choice at a block, if the walk may have to return to it.
    #[inline]
    pub(super) fn checkpoint(&mut self, context: &DraftContext<'_>, block: BlockId) {
        let is_settled = context.compiled.questions.settled[block.index()];
        if is_settled
            && !self.backtracking.is_returning
            && !self.predictions.has_unsettled()
            && !context.writer.is_tight()
        {
            return;
        }
        self.checkpoint_always(context);
    }

    /// Makes a checkpoint before the choice of a token, if the walk may have to return to it.
    pub(super) fn checkpoint_token(&mut self, context: &DraftContext<'_>) {
        if self.predictions.has_unsettled() || context.writer.is_tight() {
            self.checkpoint_always(context);
        }
    }

    fn checkpoint_always(&mut self, context: &DraftContext<'_>) {
        if self.backtracking.is_returning {
            self.backtracking.is_returning = false;
        } else {
            self.backtracking.checkpoints.push(Checkpoint {
                progress: self.progress,
                stack: self.stack.protect(),
                predictions: self.predictions.mark(),
                writer: context.writer.mark(),
                nodes: context.builder.len() as u32,
                bytes: context.builder.text_len() as u32,
                goals_met: context.guide.steering().map_or(0, |steering| steering.met().len() as u32),
                excluded_from: self.backtracking.excluded.len() as u32,
                selected: None,
            });
        }
        let last = self.backtracking.checkpoints.last();
        self.backtracking.excluded_from = last.map(|last| last.excluded_from as usize);
    }

    /// Returns to a choice, without what was selected there. Passes the dead end on if there is no such choice, or if the
    /// draft is not worth more backtracks.
    pub(super) fn backtrack(
        &mut self,
        context: &mut DraftContext<'_>,
        dead_end: DeadEnd,
    ) -> Result<(), DeadEnd> {
        let is_too_much = self.backtracking.count(dead_end);
        if let (Some(steering), DeadEnd::Refused { choice: Choice::Alternative(alt), .. }) =
            (context.guide.steering_mut(), dead_end)
        {
            steering.lost(alt.index());
        }
        if is_too_much || context.guide.is_scripted() {
            return Err(dead_end);
        }
        if context.guide.steering().is_some()
            && (dead_end == DeadEnd::StepLimit || self.backtracking.is_patience_over())
        {
            return self.give_up_goals(context, dead_end);
        }
        if dead_end == DeadEnd::StepLimit {
            return Err(dead_end);
        }
        let keep = self.backtracking.keep_after(dead_end, self.predictions.n_tokens());
        if keep == 0 {
            return Err(dead_end);
        }
        let selected = self.backtracking.checkpoints[keep - 1].selected;
        self.return_to(context, keep);
        self.backtracking.excluded.extend(selected);
        Ok(())
    }

    /// Returns to the last of the first `keep` checkpoints.
    pub(super) fn return_to(&mut self, context: &mut DraftContext<'_>, keep: usize) {
        let to = self.backtracking.cut(keep, self.predictions.n_tokens());
        self.progress = to.progress;
        self.stack.restore(to.stack);
        self.predictions.restore(to.predictions);
        context.writer.restore(to.writer);
        if let Some(steering) = context.guide.steering_mut() {
            steering.rewind(to.goals_met as usize);
        }
        context.builder.rewind(to.nodes as usize, to.bytes as usize, self.stack.open_nodes());
        self.forbidden.clear();
        if let Some(last) = self.progress.last {
            self.forbidden.add(context.statistics.bad_after_token(last));
        }
        for choice in self.predictions.pending_choices() {
            self.forbidden.add(context.statistics.bad_after_choice(choice));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choice that was refused last decides how far a refusal goes back, so it must not survive the draft.
    #[test]
    fn a_draft_begins_without_what_the_last_one_left() {
        let mut backtracking = Backtracking::default();
        let choice = Choice::Leave(BlockId::new(3));
        let dead_end = DeadEnd::Refused { choice, token: TokenType::EOF, checkpoint: 1, age: 1 };
        assert!(!backtracking.count(dead_end));
        assert_eq!(backtracking.keep_after(dead_end, 7), 0);
        backtracking.clear();
        assert_eq!(backtracking.last_refused, None);
        assert_eq!((backtracking.backtracks, backtracking.furthest, backtracking.stalled), (0, 0, 0));
    }
}
