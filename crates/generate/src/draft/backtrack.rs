//! Stepping back from a token that the parser or the lexer would not take as meant.
//!
//! A checkpoint is what the walk was just before a choice: lengths of lists and a few numbers. Stepping back
//! means the last choice first, without the option that was taken; where nothing else is open, the choice before.
//! When the parser refuses an option, the walk goes straight to the choice of that option, except that another
//! token is tried first where a group was left just before; when there is no progress at all, it goes further and
//! further back.

use super::{DeadEnd, DraftContext, Drafter, NONE};
use crate::decisions::choice::Choice;
use crate::lexical::writer::WriterMark;
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

/// Steps back in one draft before it is given up. One that the parser asked for late counts more often: once for every
/// [`LATE`] tokens that it had looked at.
const MOST_BACKS: u32 = 300;
const LATE: u32 = 8;
/// Every so many steps without progress the walk goes further back.
const PATIENCE: u32 = 16;

/// The walk before a choice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoint {
    top: u32,
    frames: u32,
    used: u32,
    reserved: u32,
    started: bool,
    ended: bool,
    reached: bool,
    /// Goals of the map that were met.
    pub(super) met: u32,
    last: Option<TokenType>,
    types: u32,
    pending: (u32, u32),
    locks: (u32, u32),
    pub(super) load: u32,
    calls: u32,
    nodes: u32,
    bytes: u32,
    writer: WriterMark,
    /// Where its options that were taken back begin in [`Drafter::excluded`]; they end where the next one's begin.
    excluded_from: u32,
    /// What was selected there; `None` if there was nothing else.
    taken: Option<Selected>,
}

impl Drafter {
    /// A choice of a block's alternatives is next: remembers where the walk is, if it may have to come back.
    #[inline]
    pub(super) fn mark(&mut self, context: &DraftContext<'_>, block: BlockId) {
        let settled = context.questions.settled[block.index()];
        if settled && !self.redo && !self.is_open() && !context.writer.is_tight() {
            return;
        }
        self.mark_always(context);
    }

    /// A choice of a token is next.
    pub(super) fn mark_token(&mut self, context: &DraftContext<'_>) {
        if self.is_open() || context.writer.is_tight() {
            self.mark_always(context);
        }
    }

    fn mark_always(&mut self, context: &DraftContext<'_>) {
        if self.redo {
            self.redo = false;
        } else {
            self.checkpoints.push(Checkpoint {
                top: self.top,
                frames: self.frames.len() as u32,
                used: self.used,
                reserved: self.reserved,
                started: self.started,
                ended: self.ended,
                reached: self.reached,
                met: context.steer.as_ref().map_or(0, |steer| steer.met().len() as u32),
                last: self.last,
                types: self.types.len() as u32,
                pending: (self.pending_from, self.pending.len() as u32),
                locks: (self.locks_from, self.locks.len() as u32),
                load: self.load,
                calls: self.calls.len() as u32,
                nodes: context.builder.len() as u32,
                bytes: context.builder.text_len() as u32,
                writer: context.writer.mark(),
                excluded_from: self.excluded.len() as u32,
                taken: None,
            });
            self.floor = self.frames.len() as u32;
        }
        self.barred_from = self.checkpoints.last().map_or(usize::MAX, |last| last.excluded_from as usize);
    }

    /// Whether an option was taken back at the present choice.
    #[inline]
    pub(super) fn is_barred(&self, selected: Selected) -> bool {
        self.bars_any() && self.excluded[self.barred_from..].contains(&selected)
    }

    /// Whether any option was taken back at the present choice.
    #[inline]
    pub(super) fn bars_any(&self) -> bool {
        self.barred_from < self.excluded.len()
    }

    /// The present choice takes an option.
    #[inline]
    pub(super) fn take(&mut self, selected: Selected) {
        if self.barred_from != usize::MAX
            && let Some(last) = self.checkpoints.last_mut()
        {
            last.taken = Some(selected);
        }
    }

    /// Goes back to a choice, without the option that was taken there.
    pub(super) fn step_back(
        &mut self,
        context: &mut DraftContext<'_>,
        dead_end: DeadEnd,
    ) -> Result<(), DeadEnd> {
        self.backs += 1;
        if let Some(walls) = &mut self.walls {
            walls.push(dead_end);
        }
        if let (Some(steer), DeadEnd::Refused { choice: Choice::Alternative(alt), .. }) =
            (&mut context.steer, dead_end)
        {
            steer.lost(alt.index());
        }
        if let DeadEnd::Refused { age, .. } = dead_end {
            self.late += age / LATE;
        }
        if self.backs + self.late > MOST_BACKS || context.script.is_some() {
            return Err(dead_end);
        }
        if context.steer.is_some() && (dead_end == DeadEnd::StepLimit || self.backs.is_multiple_of(PATIENCE))
        {
            return self.settle_for_less(context, dead_end);
        }
        if dead_end == DeadEnd::StepLimit {
            return Err(dead_end);
        }
        if self.types.len() > self.furthest {
            (self.furthest, self.strain) = (self.types.len(), 0);
        }
        self.strain += 1;
        let mut keep = self.checkpoints.len();
        if let DeadEnd::Refused { choice, checkpoint, age, .. } = dead_end {
            let culprit = Some((checkpoint, choice));
            let leaves = matches!(choice, Choice::Leave(_));
            if !leaves || age > 1 || self.culprit == culprit {
                keep = keep.min(checkpoint as usize);
            }
            self.culprit = culprit;
        }
        if self.strain.is_multiple_of(PATIENCE) {
            keep = keep.saturating_sub((self.strain / PATIENCE) as usize);
        }
        // A choice without any other option.
        while keep > 0 && self.checkpoints[keep - 1].taken.is_none() {
            keep -= 1;
        }
        if keep == 0 {
            return Err(dead_end);
        }
        let taken = self.checkpoints[keep - 1].taken;
        self.return_to(context, keep);
        self.excluded.extend(taken);
        Ok(())
    }

    /// Goes back to the choice before which there were so many checkpoints, itself included.
    pub(super) fn return_to(&mut self, context: &mut DraftContext<'_>, keep: usize) {
        if let Some(next) = self.checkpoints.get(keep) {
            self.excluded.truncate(next.excluded_from as usize);
        }
        self.checkpoints.truncate(keep);
        let checkpoint = &mut self.checkpoints[keep - 1];
        checkpoint.taken = None;
        let checkpoint = *checkpoint;
        self.lost = self.lost.max((self.furthest.max(self.types.len()) - checkpoint.types as usize) as u32);
        self.restore(context, checkpoint);
    }

    fn restore(&mut self, context: &mut DraftContext<'_>, to: Checkpoint) {
        self.top = to.top;
        self.frames.truncate(to.frames as usize);
        self.floor = to.frames;
        (self.used, self.reserved) = (to.used, to.reserved);
        (self.started, self.ended, self.reached, self.last) = (to.started, to.ended, to.reached, to.last);
        self.types.truncate(to.types as usize);
        self.pending_from = to.pending.0;
        self.pending.truncate(to.pending.1 as usize);
        self.load = to.load;
        self.locks_from = to.locks.0;
        self.locks.truncate(to.locks.1 as usize);
        self.calls.truncate(to.calls as usize);
        context.writer.restore(to.writer);
        if let Some(steer) = &mut context.steer {
            steer.rewind(to.met as usize);
        }
        let frames = &self.frames;
        let chain = std::iter::successors((to.top != NONE).then_some(to.top), |at| {
            Some(frames[*at as usize].parent).filter(|parent| *parent != NONE)
        });
        let open = chain.map(|at| frames[at as usize].node as usize);
        context.builder.rewind(to.nodes as usize, to.bytes as usize, open);
        self.forbid_again(context.statistics);
        self.redo = true;
    }
}
