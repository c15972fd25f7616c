//! One steered draft, and what the parser says to it.

use super::{Fill, Steer};
use crate::draft::{Bounds, Source, Stuck};
use crate::engine::{Fate, Hands};
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
    pub(super) bounds: Bounds,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A test.
    Made(Fate),
    /// No text, or none that the parser accepts.
    Refused,
    /// The parser needs too long for it.
    TooHard,
}

impl Hands<'_> {
    /// Draws one draft. The test is the parser's tree of its text.
    pub(super) fn attempt(
        &mut self,
        draw: Draw,
        attempt: &Attempt,
        steer: &mut Steer,
        test: &mut Test,
    ) -> Outcome {
        let generator = self.generator;
        self.writer.draw_from(draw);
        steer.begin(&generator.grammar, attempt.appetite, attempt.fill, attempt.dares);
        let bounds = match attempt.fill {
            Fill::Least => Bounds { target: 0, ..attempt.bounds },
            Fill::Random => attempt.bounds,
        };
        let mut stream = draw.stream(Purpose::Structure);
        let mut source = Source {
            steer: Some(steer),
            ..Source::new(
                generator,
                &mut self.asked,
                &mut stream,
                &mut self.writer,
                &mut self.builder,
                bounds,
            )
        };
        if let Err(stuck) = self.drafter.draft(&mut source, generator.start) {
            self.builder.truncate(0);
            return if stuck == Stuck::TooHard { Outcome::TooHard } else { Outcome::Refused };
        }
        test.take(&mut self.builder);
        if generator.reads_end && !self.replay.agrees(generator.start, test) {
            return match self.replay.adopt(generator.start, test) {
                true => Outcome::Made(Fate::Adopted),
                false => Outcome::Refused,
            };
        }
        Outcome::Made(if self.drafter.backs > 0 { Fate::SubtreeRedrawn } else { Fate::RightAtOnce })
    }
}
