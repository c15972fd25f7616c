//! Trees of one size, every one as likely as any other.
//!
//! [`Counts`] knows how many trees each part of the grammar has for each number of tokens; a tree is drawn by
//! choosing at each step in proportion to what is possible after it, and becomes a [`Script`] of decisions that the
//! draft follows. Precedence is counted with; what else a parser would read otherwise (a dangling `else`, the order of
//! alternatives) is drawn and thrown away, so the trees that the parser builds stay as likely as each other. A tree
//! is one of token types: texts and separators are drawn as for any test.

mod counts;
mod number;
mod productions;

use crate::draft::{DraftMode, DraftRequest, DraftStreams, Guide, SizeLimits};
use crate::error::UniformError;
use crate::generator::{Generator, GeneratorWorker, TestOrigin};
use crate::tuning::MAX_REFUSED_TREES;
use counts::Counts;
pub(crate) use counts::Decision;
use polysmith_engine::{Engine, GenerateError, Test, Worker};
use polysmith_grammar::{AltId, Grammar, RuleId};
use polysmith_random::{Draw, Purpose};
use productions::PlainGrammar;

/// The largest size.
const MOST_SIZE: u32 = 2_000;

/// An engine whose tests have all the same number of tokens.
#[derive(Debug)]
pub struct Uniform {
    generator: Generator,
    counts: Counts,
    size: u32,
}

impl Uniform {
    /// Counts the trees of a generator's grammar. Its limits on depth and tokens do not matter.
    ///
    /// # Errors
    /// [`UniformError`] if there is no tree of the size, or if the generator begins with a token rule.
    pub fn new(generator: Generator, size: u32) -> Result<Uniform, UniformError> {
        if !generator.compiled.starts_with_parser_rule() {
            return Err(UniformError::TokenRule);
        }
        if size > MOST_SIZE {
            return Err(UniformError::TooLarge { size, limit: MOST_SIZE });
        }
        // A little more is counted, so that an error can name the next size.
        let counts = Counts::new(
            PlainGrammar::new(&generator.compiled.tables, generator.compiled.start),
            size as usize,
            LOOK_AHEAD,
        );
        if counts.has_any(size as usize) {
            return Ok(Uniform { generator, counts, size });
        }
        let below = (0..size).rev().find(|size| counts.has_any(*size as usize));
        let above = (size + 1..=size + LOOK_AHEAD as u32).find(|size| counts.has_any(*size as usize));
        let rule = generator.compiled.grammar.rule(generator.compiled.start).name.clone();
        Err(UniformError::NoText { size, rule, nearest: below.into_iter().chain(above).collect() })
    }
}

/// Sizes beyond the wanted one that are counted for messages.
const LOOK_AHEAD: usize = 8;

impl Engine for Uniform {
    fn grammar(&self) -> &Grammar {
        self.generator.grammar()
    }

    fn start(&self) -> Option<RuleId> {
        self.generator.start()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(UniformWorker { uniform: self, worker: self.generator.new_worker(), decisions: Vec::new() })
    }

    fn measures(&self) -> &[&'static str] {
        self.generator.measures()
    }

    fn n_kinds(&self) -> usize {
        self.generator.n_kinds()
    }
}

struct UniformWorker<'a> {
    uniform: &'a Uniform,
    worker: GeneratorWorker<'a>,
    decisions: Vec<Decision>,
}

impl Worker for UniformWorker<'_> {
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let mut draw = draw;
        for _ in 0..MAX_REFUSED_TREES {
            self.uniform.counts.draw(&mut draw.stream(Purpose::Structure), &mut self.decisions);
            if self.worker.perform(draw, &self.decisions, self.uniform.size, test) {
                self.worker.finish(TestOrigin::FirstDraft, test);
                return Ok(());
            }
            draw = draw.retry();
        }
        Err(GenerateError::GaveUp(format!(
            "the parser builds none of {MAX_REFUSED_TREES} trees drawn: nearly all trees of {} tokens are read otherwise",
            self.uniform.size
        )))
    }
}

/// Decisions made in advance, in the order in which a draft asks for them.
#[derive(Debug, Clone)]
pub(crate) struct Script<'a>(std::slice::Iter<'a, Decision>);

impl<'a> Script<'a> {
    pub(crate) fn new(decisions: &'a [Decision]) -> Script<'a> {
        Script(decisions.iter())
    }

    pub(crate) fn alternative(&mut self) -> Option<AltId> {
        match self.0.next() {
            Some(Decision::Alternative(alt)) => Some(AltId::new(*alt as usize)),
            _ => None,
        }
    }

    pub(crate) fn count(&mut self) -> Option<u32> {
        match self.0.next() {
            Some(Decision::Count(count)) => Some(*count),
            _ => None,
        }
    }

    pub(crate) fn token(&mut self) -> Option<usize> {
        match self.0.next() {
            Some(Decision::Token(number)) => Some(*number as usize),
            _ => None,
        }
    }
}

impl GeneratorWorker<'_> {
    /// Makes the test that decisions describe; false if there is no text for it, or the parser reads it otherwise.
    fn perform(&mut self, draw: Draw, decisions: &[Decision], size: u32, test: &mut Test) -> bool {
        let generator = self.generator;
        let request = DraftRequest {
            streams: DraftStreams::new(draw, Purpose::Swarm),
            guide: Guide::Scripted(Script::new(decisions)),
            mode: DraftMode::Checked,
            size_limits: SizeLimits { depth: DEEP, max_tokens: size, target: size },
        };
        if self.drafts.draft(&generator.compiled, &generator.statistics, request).is_err() {
            return false;
        }
        test.take(&mut self.drafts.builder);
        !generator.compiled.reads_end || self.reparser.agrees(generator.compiled.start, test)
    }
}

/// Deeper than any tree of [`MOST_SIZE`] tokens that a parser builds.
pub(crate) const DEEP: u32 = 1 << 30;
