//! Makes tests in one thread.
//!
//! One test: a target size is drawn and a draft made, with the parser's answers at hand (see [`crate::draft`]), so that a
//! finished draft is the tree that the parser builds for its text. A draft that is given up is drawn again. After
//! [`MOST_DRAFTS`] of them one is drawn without asking the parser, and the parser's tree of its text is adopted.

use super::{Generator, MOST_DRAFTS, N_ORIGINS, TestOrigin};
use crate::draft::cooldown::Cooldown;
use crate::draft::{
    DeadEnd, DraftMode, DraftRequest, DraftStreams, DraftWorker, Guide, RandomGuide, SizeLimits,
};
use crate::extend::{Listener, Model};
use crate::lexical::token_text::TextWalk;
use crate::reparse::Reparser;
use crate::tuning::{MAX_SMALL_DRAFTS, SMALL_DRAFT_DIVISOR};
use polysmith_engine::{GenerateError, Test, Worker};
use polysmith_grammar::{RuleKind, TokenType};
use polysmith_random::{Draw, Purpose};
use polysmith_tree::{Kind, Tree};

/// Makes tests in one thread: a generator with memory that is reused from test to test.
pub struct GeneratorWorker<'a> {
    pub(crate) generator: &'a Generator,
    pub(crate) drafts: DraftWorker,
    pub(crate) reparser: Reparser,
    cooldown: Option<Cooldown>,
    walk: TextWalk,
    cost: DraftCost,
    model: Option<Box<dyn Model + 'a>>,
    listener: Option<Box<dyn Listener + 'a>>,
}

/// What the drafts of one test cost.
#[derive(Debug, Clone, Copy, Default)]
struct DraftCost {
    backtracks: u64,
    /// Texts that did not fit their neighbours.
    redrawn_texts: u64,
}

impl std::fmt::Debug for GeneratorWorker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeneratorWorker").field("generator", self.generator).finish_non_exhaustive()
    }
}

impl<'a> GeneratorWorker<'a> {
    pub(super) fn new(generator: &'a Generator) -> GeneratorWorker<'a> {
        let compiled = &generator.compiled;
        GeneratorWorker {
            generator,
            drafts: DraftWorker::new(compiled, generator.trained_parser.clone()),
            reparser: Reparser::new(compiled.parser.clone()),
            cooldown: generator.cooldown.map(|rate| Cooldown::new(compiled.grammar.n_alternatives(), rate)),
            walk: TextWalk::default(),
            cost: DraftCost::default(),
            model: None,
            listener: None,
        }
    }

    /// Lets a model choose.
    #[must_use]
    pub fn with_model(mut self, model: impl Model + 'a) -> GeneratorWorker<'a> {
        self.model = Some(Box::new(model));
        self
    }

    /// Lets a listener hear what is drawn.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Listener + 'a) -> GeneratorWorker<'a> {
        self.listener = Some(Box::new(listener));
        self
    }
}

impl GeneratorWorker<'_> {
    /// Records every dead end, for [`GeneratorWorker::dead_ends`].
    #[must_use]
    pub fn recording_dead_ends(mut self) -> Self {
        self.drafts.drafter.record_dead_ends();
        self
    }

    /// The reasons why drafts had to backtrack, each with its count, the most frequent first. Empty without
    /// [`GeneratorWorker::recording_dead_ends`].
    pub fn dead_ends(&self) -> Vec<(String, u64)> {
        let mut counts = std::collections::BTreeMap::new();
        for dead_end in self.drafts.drafter.dead_ends() {
            *counts.entry(dead_end.explain(&self.generator.compiled.grammar)).or_insert(0) += 1;
        }
        let mut sorted: Vec<(String, u64)> = counts.into_iter().collect();
        sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        sorted
    }
}

impl Worker for GeneratorWorker<'_> {
    fn begin_chunk(&mut self) {
        if let Some(cooldown) = &mut self.cooldown {
            cooldown.restart();
        }
    }

    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let origin = self.make_test(draw, test)?;
        self.finish(origin, test);
        Ok(())
    }
}

impl GeneratorWorker<'_> {
    /// Applies transformers and serializer to a finished test and adds its measures.
    pub(crate) fn finish(&self, origin: TestOrigin, test: &mut Test) {
        for transformer in &self.generator.transformers {
            if let Some(tree) = transformer.transform(&self.generator.compiled.grammar, &test.tree) {
                test.text = tree.to_bytes();
                test.tree = tree;
            }
        }
        if let Some(serializer) = &self.generator.serializer {
            test.text.clear();
            serializer.serialize(&self.generator.compiled.grammar, &test.tree, &mut test.text);
        }
        test.measures.extend((0..N_ORIGINS).map(|at| u64::from(at == origin as usize)));
        test.measures.push(self.cost.backtracks);
        test.measures.push(u64::from(self.drafts.drafter.tokens_lost()));
        test.measures.push(self.cost.redrawn_texts);
    }

    fn make_test(&mut self, draw: Draw, test: &mut Test) -> Result<TestOrigin, GenerateError> {
        let generator = self.generator;
        if !generator.compiled.starts_with_parser_rule() {
            return self.make_token(draw, test);
        }
        let (target, least) = generator.sizes.draw_target(&mut draw.stream(Purpose::Swarm));
        let size_limits = SizeLimits { target, ..generator.sizes.limits };
        self.cost = DraftCost::default();
        let mut draw = draw;
        let origin = match self.checked_draft(&mut draw, size_limits, least, test) {
            Ok(origin) => origin,
            Err(_) if self.adopted_draft(draw, size_limits, test) => TestOrigin::ParserTree,
            Err(dead_end) => {
                let grammar = &generator.compiled.grammar;
                let why =
                    dead_end.map_or(String::new(), |dead_end| format!("; {}", dead_end.explain(grammar)));
                return Err(GenerateError::GaveUp(format!(
                    "no draft in {MOST_DRAFTS} became a text that parses back{why}"
                )));
            }
        };
        self.tell(&test.tree);
        Ok(origin)
    }

    /// Makes drafts until one is right. Fails with the last dead end, if there was one.
    fn checked_draft(
        &mut self,
        draw: &mut Draw,
        size_limits: SizeLimits,
        least: u32,
        test: &mut Test,
    ) -> Result<TestOrigin, Option<DeadEnd>> {
        let Generator { compiled, sizes, .. } = self.generator;
        let small = size_limits.target.min(sizes.longest) / SMALL_DRAFT_DIVISOR;
        let mut origin = TestOrigin::FirstDraft;
        let mut last_dead_end = None;
        let (mut n_small, mut is_small) = (0, false);
        for _ in 0..MOST_DRAFTS {
            let drafted = self.draft(*draw, DraftMode::Checked, size_limits);
            *draw = draw.retry();
            if let Err(dead_end) = drafted {
                if is_small {
                    // The small draft before is better than none.
                    break;
                }
                (last_dead_end, origin) = (Some(dead_end), TestOrigin::LaterDraft);
                continue;
            }
            test.take(&mut self.drafts.builder);
            is_small = false;
            let tokens = self.drafts.drafter.tokens();
            if tokens < least || !self.drafts.drafter.reached_goal() {
                continue;
            }
            if compiled.reads_end && !self.reparser.agrees(compiled.start, test) {
                origin = TestOrigin::LaterDraft;
                continue;
            }
            is_small = tokens < small;
            n_small += u32::from(is_small);
            if !is_small || n_small > MAX_SMALL_DRAFTS {
                return Ok(origin);
            }
        }
        if is_small { Ok(origin) } else { Err(last_dead_end) }
    }

    /// Makes one draft by chance.
    fn draft(&mut self, draw: Draw, mode: DraftMode, size_limits: SizeLimits) -> Result<(), DeadEnd> {
        let Generator { compiled, statistics, goal, .. } = self.generator;
        let guide = Guide::Random(RandomGuide {
            model: self.model.as_deref_mut().map(|model| model as &mut dyn Model),
            cooldown: self.cooldown.as_mut(),
            goal: goal.as_ref(),
        });
        let streams = DraftStreams::new(draw, Purpose::Structure);
        let request = DraftRequest { streams, guide, mode, size_limits };
        let drafted = self.drafts.draft(compiled, statistics, request);
        self.cost.backtracks += u64::from(self.drafts.drafter.backtracks());
        self.cost.redrawn_texts += u64::from(self.drafts.writer.redrawn);
        drafted
    }

    /// Makes drafts without asking the parser until it accepts the text of one, and takes its tree.
    fn adopted_draft(&mut self, draw: Draw, size_limits: SizeLimits, test: &mut Test) -> bool {
        let mut draw = draw;
        (0..MOST_DRAFTS).any(|_| {
            let drafted = self.draft(draw, DraftMode::Unchecked, size_limits).is_ok();
            draw = draw.retry();
            if !drafted {
                return false;
            }
            test.take(&mut self.drafts.builder);
            self.reparser.adopt(self.generator.compiled.start, test)
        })
    }

    /// Tells the listener what was drawn.
    fn tell(&mut self, tree: &Tree) {
        let Some(listener) = &mut self.listener else { return };
        listener.begin();
        for node in tree.nodes() {
            if let Kind::Rule { rule, alt } = node.kind() {
                listener.enter_rule(rule, alt);
            }
        }
    }

    /// Makes a test of a token rule: its text alone.
    fn make_token(&mut self, draw: Draw, test: &mut Test) -> Result<TestOrigin, GenerateError> {
        let compiled = &self.generator.compiled;
        let mut stream = draw.stream(Purpose::Text);
        let mut text = String::new();
        let model = self.model.as_deref_mut().map(|model| model as &mut dyn Model);
        let model = model.filter(|model| model.wants_characters());
        let words = (&*compiled.grammar, &compiled.lexical.texts);
        if !self.walk.draw(words, compiled.start, &mut stream, model, &mut text) {
            return Err(GenerateError::Never("the token rule has no text".into()));
        }
        let token = match compiled.grammar.rule(compiled.start).kind {
            RuleKind::Token { token: Some(token), .. } => token,
            _ => TokenType::EOF,
        };
        let builder = &mut self.drafts.builder;
        builder.open_rule(compiled.start, 1);
        builder.token(token, text.as_bytes());
        builder.close();
        test.take(builder);
        Ok(TestOrigin::FirstDraft)
    }
}
