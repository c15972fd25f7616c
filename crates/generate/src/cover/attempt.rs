//! One steered draft, and what the parser says to it.

use super::{Fill, Steering};
use crate::draft::{DeadEnd, DraftContext, SizeLimits};
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
        steer: &mut Steering,
        test: &mut Test,
    ) -> Outcome {
        let generator = self.generator;
        self.writer.draw_from(draw);
        steer.begin(&generator.grammar, attempt.appetite, attempt.fill, attempt.dares);
        let size_limits = match attempt.fill {
            Fill::Least => SizeLimits { target: 0, ..attempt.size_limits },
            Fill::Random => attempt.size_limits,
        };
        let mut stream = draw.stream(Purpose::Structure);
        let mut context = DraftContext {
            steer: Some(steer),
            ..DraftContext::new(
                generator,
                &mut self.asked,
                &mut stream,
                &mut self.writer,
                &mut self.builder,
                size_limits,
            )
        };
        if let Err(dead_end) = self.drafter.draft(&mut context, generator.start) {
            self.builder.truncate(0);
            return if dead_end == DeadEnd::StepLimit { Outcome::TooHard } else { Outcome::Refused };
        }
        test.take(&mut self.builder);
        if generator.reads_end && !self.reparser.agrees(generator.start, test) {
            return match self.reparser.adopt(generator.start, test) {
                true => Outcome::Made(TestOrigin::ParserTree),
                false => Outcome::Refused,
            };
        }
        Outcome::Made(if self.drafter.backs > 0 { TestOrigin::LaterDraft } else { TestOrigin::FirstDraft })
    }
}
