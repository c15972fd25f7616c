//! One steered draft, and what the parser says to it.

use super::{Fill, Steering};
use crate::draft::{DeadEnd, DraftMode, DraftRequest, DraftStreams, Guide, SizeLimits};
use crate::generator::{GeneratorWorker, TestOrigin};
use polysmith_engine::Test;
use polysmith_random::{Draw, Purpose};

/// How to draw it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    /// Goals after which the draft ends as soon as it can.
    pub(super) appetite: usize,
    pub(super) fill: Fill,
    /// Tries ways that the parser was never seen to take.
    pub(super) dares: bool,
    pub(super) size_limits: SizeLimits,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A test.
    Made(TestOrigin),
    /// No text, or none that the parser accepts.
    Refused,
    /// The parser needs too long for it.
    TooHard,
}

impl GeneratorWorker<'_> {
    /// Draws one draft. The test is the parser's tree of its text.
    pub(super) fn attempt(
        &mut self,
        draw: Draw,
        attempt: &Attempt,
        steering: &mut Steering,
        test: &mut Test,
    ) -> Outcome {
        let generator = self.generator;
        steering.begin(&generator.compiled.grammar, attempt.appetite, attempt.fill, attempt.dares);
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
            Err(DeadEnd::StepLimit) => return Outcome::TooHard,
            Err(_) => return Outcome::Refused,
        }
        test.take(&mut self.drafts.builder);
        if generator.compiled.reads_end && !self.reparser.agrees(generator.compiled.start, test) {
            return match self.reparser.adopt(generator.compiled.start, test) {
                true => Outcome::Made(TestOrigin::ParserTree),
                false => Outcome::Refused,
            };
        }
        Outcome::Made(if self.drafts.drafter.backtracks() > 0 {
            TestOrigin::LaterDraft
        } else {
            TestOrigin::FirstDraft
        })
    }
}
