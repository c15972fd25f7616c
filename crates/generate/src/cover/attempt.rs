//! One steered draft.

use super::{Fill, Steering};
use crate::draft::{DeadEnd, DraftMode, DraftRequest, DraftStreams, Guide, SizeLimits};
use crate::generator::{GeneratorWorker, TestOrigin};
use polysmith_engine::Test;
use polysmith_random::{Draw, Purpose};

/// How to make a steered draft.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    /// Goals after which the draft is finished as cheaply as possible.
    pub(super) max_goals: usize,
    pub(super) fill: Fill,
    /// Also tries what the decision statistics rule out, if that leads to a goal.
    pub(super) ignores_statistics: bool,
    pub(super) size_limits: SizeLimits,
}

/// The result of a steered draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttemptResult {
    /// A test.
    Made(TestOrigin),
    /// No text, or none that the parser accepts.
    Refused,
    /// The parser reached its step limit.
    TooHard,
}

impl GeneratorWorker<'_> {
    /// Makes one draft. The test has the tree that the parser builds for its text.
    pub(super) fn attempt(
        &mut self,
        draw: Draw,
        attempt: &Attempt,
        steering: &mut Steering,
        test: &mut Test,
    ) -> AttemptResult {
        let generator = self.generator;
        steering.begin(
            &generator.compiled.grammar,
            attempt.max_goals,
            attempt.fill,
            attempt.ignores_statistics,
        );
        let size_limits = match attempt.fill {
            Fill::Least => SizeLimits { target: 0, ..attempt.size_limits },
            Fill::Random => attempt.size_limits,
        };
        let request = DraftRequest {
            streams: DraftStreams::new(draw, Purpose::Structure),
            guide: Guide::Steered(steering),
            mode: DraftMode::Checked,
            size_limits,
        };
        match self.drafts.draft(&generator.compiled, &generator.statistics, request) {
            Ok(()) => {}
            Err(DeadEnd::StepLimit) => return AttemptResult::TooHard,
            Err(_) => return AttemptResult::Refused,
        }
        test.take(&mut self.drafts.builder);
        if generator.compiled.reads_end && !self.reparser.agrees(generator.compiled.start, test) {
            return match self.reparser.adopt(generator.compiled.start, test) {
                true => AttemptResult::Made(TestOrigin::ParserTree),
                false => AttemptResult::Refused,
            };
        }
        AttemptResult::Made(if self.drafts.drafter.backtracks() > 0 {
            TestOrigin::LaterDraft
        } else {
            TestOrigin::FirstDraft
        })
    }
}
