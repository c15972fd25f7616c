//! `Generator`: a grammar and options, ready to make tests.
//!
//! One test: a target size is drawn and a draft made, with the parser's answers at hand (see [`crate::draft`]), so
//! that a finished draft is the parser's tree of its text. A draft that runs into a wall is given up and drawn
//! afresh. After [`MOST_DRAFTS`] of them one is drawn without asking, and the parser's tree of its text adopted.

use crate::decisions::choice::ChoiceRows;
use crate::decisions::one_token::OneTokenDecisions;
use crate::decisions::questions::QuestionTable;
use crate::decisions::statistics::DecisionStatistics;
use crate::draft::cooldown::Cooldown;
use crate::draft::{DeadEnd, DraftContext, Drafter, Goal, SizeLimits};
use crate::extend::{Listener, Model, Serializer, Transformer};
use crate::lexical::automata::LexerAutomata;
use crate::lexical::lexicon::Lexicon;
use crate::lexical::token_text::{TextWalk, Texts};
use crate::lexical::writer::{LexicalTables, Writer};
use crate::reparse::Reparser;
use crate::setup::{self, Setup};
use crate::setup::{Options, SetupError};
use crate::tables::Tables;
use crate::tables::sums::WeightSums;
use polysmith_engine::{Engine, GenerateError, Test, Worker};
use polysmith_grammar::{Grammar, RuleId, RuleKind, TokenType};
use polysmith_parse::Parser;
use polysmith_random::{Draw, Purpose};
use polysmith_tree::{Kind, Tree, TreeBuilder};
use std::sync::Arc;

/// Drafts for one test before the parser's tree is adopted.
pub const MOST_DRAFTS: u32 = 40;
/// A draft is meagre if it has not one in so many of the tokens that were aimed at: nothing fitted behind some token, and
/// a list ended there.
const MEAGRE: u32 = 4;
/// Meagre drafts for one test before one is good enough.
const MOST_MEAGRE: u32 = 4;

/// How a test came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestOrigin {
    /// The first draft was right.
    FirstDraft,
    /// A draft was given up and drawn again.
    LaterDraft,
    /// The tree is the parser's.
    ParserTree,
}

/// The number of origins.
const N_ORIGINS: usize = 3;

/// The names of [`Test::measures`]: first in the order of [`TestOrigin`], then what drafting cost.
const MEASURES: [&str; 6] = [
    "right at once",
    "subtree redrawn",
    "tree adopted",
    "choices taken back while drafting",
    "tokens given up with them, at most",
    "texts rejected while drafting",
];

/// An engine for one grammar.
pub struct Generator {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) start: RuleId,
    pub(crate) tables: Tables,
    pub(crate) sums: WeightSums,
    pub(crate) one_token: OneTokenDecisions,
    pub(crate) questions: QuestionTable,
    pub(crate) statistics: DecisionStatistics,
    /// Knows the decisions that were met while learning.
    asked: Parser,
    /// Token rules can match the end of the input: only reading the text tells what the parser gets.
    pub(crate) reads_end: bool,
    pub(crate) lexical: Arc<LexicalTables>,
    pub(crate) automata: LexerAutomata,
    pub(crate) parser: Parser,
    pub(crate) size_limits: SizeLimits,
    min_tokens: u32,
    least_tokens: u32,
    /// The most tokens that any text has.
    longest: u32,
    cooldown: Option<f64>,
    goal: Option<Goal>,
    left_out: Vec<TokenType>,
    transformers: Vec<Box<dyn Transformer>>,
    serializer: Option<Box<dyn Serializer>>,
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").field("grammar", &self.grammar.name()).finish_non_exhaustive()
    }
}

impl Generator {
    /// Compiles a grammar.
    ///
    /// # Errors
    /// [`SetupError`] if there is no text at all, or none within the limits.
    pub fn new(grammar: Grammar, options: &Options) -> Result<Generator, SetupError> {
        let grammar = Arc::new(grammar);
        let start = options.start.or(grammar.start()).ok_or(SetupError::NoStart)?;
        if grammar.rule(start).kind == RuleKind::Fragment {
            return Err(SetupError::Fragment(grammar.rule(start).name.clone()));
        }
        let parser =
            Parser::new(Arc::clone(&grammar)).map_err(|error| SetupError::Grammar(error.to_string()))?;
        let mut automata = LexerAutomata::new(parser.clone());
        let Setup { uses, nullable, weights, repetitions } = setup::setup(&grammar, options);
        let texts = Texts::new(&grammar, &uses, &weights, options.charset);
        let lexicon = Lexicon::new(&grammar, &texts, &mut automata, &options.dictionary);
        let is_producible = |token| lexicon.is_producible(token);
        let tables = Tables::new(&grammar, &uses, &nullable, weights, &repetitions, &is_producible);
        let size_limits = setup::size_limits(&grammar, &uses, &tables, &lexicon, start, options)?;
        let left_out = setup::left_out(&grammar, start, &is_producible);
        let one_token = OneTokenDecisions::new(&grammar, &uses, &nullable, &tables, start);
        let goal = match options.require {
            Some(rule) => Some(setup::require(&grammar, &tables, start, rule, size_limits)?),
            None => None,
        };
        let least_tokens = tables.rule_curves[start.index()].at(size_limits.depth);
        let statistics = DecisionStatistics::new(ChoiceRows::new(&grammar), grammar.tokens().len(), &tables);
        let mut generator = Generator {
            sums: WeightSums::new(&tables, &one_token, &lexicon),
            questions: QuestionTable::new(&grammar, &parser, &tables, &one_token),
            statistics,
            asked: parser.clone(),
            reads_end: setup::reads_end(&grammar),
            lexical: Arc::new(LexicalTables {
                grammar: Arc::clone(&grammar),
                texts,
                lexicon,
                style: options.style,
                separator: options.separator.clone(),
                ignore_borders: options.ignore_borders,
            }),
            min_tokens: options.min_tokens,
            least_tokens,
            longest: tables.body(start).max_tokens,
            cooldown: options.cooldown,
            grammar,
            start,
            tables,
            one_token,
            automata,
            parser,
            size_limits,
            goal,
            left_out,
            transformers: Vec::new(),
            serializer: None,
        };
        if generator.grammar.rule(start).kind == RuleKind::Parser {
            (generator.statistics, generator.asked) = crate::decisions::training::learn(&generator);
            generator.statistics.conclude(&generator.tables);
        }
        Ok(generator)
    }

    /// Changes every tree before it is printed, behind those that were added before.
    #[must_use]
    pub fn with_transformer(mut self, transformer: impl Transformer + 'static) -> Generator {
        self.transformers.push(Box::new(transformer));
        self
    }

    /// Prints every tree.
    #[must_use]
    pub fn with_serializer(mut self, serializer: impl Serializer + 'static) -> Generator {
        self.serializer = Some(Box::new(serializer));
        self
    }

    /// Token types that the start rule leads to and that nothing can make: alternatives that need them are left out.
    pub fn left_out(&self) -> &[TokenType] {
        &self.left_out
    }

    /// The limits: nested rule calls and tokens.
    pub fn limits(&self) -> (u32, u32) {
        (self.size_limits.depth, self.size_limits.most)
    }

    /// A worker with its own type, for those who want more than [`Engine::worker`].
    pub fn new_worker(&self) -> GeneratorWorker<'_> {
        GeneratorWorker {
            generator: self,
            drafter: Drafter::new(self.grammar.tokens().len()),
            asked: self.asked.clone(),
            builder: TreeBuilder::new(),
            writer: Writer::new(Arc::clone(&self.lexical), self.automata.clone()),
            reparser: Reparser::new(self.parser.clone()),
            cooldown: self.cooldown.map(|rate| Cooldown::new(self.grammar.n_alternatives(), rate)),
            walk: TextWalk::default(),
            taken_back: 0,
            rejected: 0,
            model: None,
            listener: None,
        }
    }
}

impl Engine for Generator {
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn start(&self) -> Option<RuleId> {
        Some(self.start)
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self.new_worker())
    }

    fn chunk(&self) -> u64 {
        if self.cooldown.is_some() { Cooldown::CHUNK } else { 1 }
    }

    fn measures(&self) -> &[&'static str] {
        &MEASURES
    }

    fn n_kinds(&self) -> usize {
        N_ORIGINS
    }
}

/// Makes tests in one thread: a generator with memory that is reused from test to test.
pub struct GeneratorWorker<'a> {
    pub(crate) generator: &'a Generator,
    pub(crate) drafter: Drafter,
    /// Asked while a draft grows; it learns from that.
    pub(crate) asked: Parser,
    pub(crate) builder: TreeBuilder,
    pub(crate) writer: Writer,
    pub(crate) reparser: Reparser,
    cooldown: Option<Cooldown>,
    walk: TextWalk,
    taken_back: u64,
    rejected: u64,
    model: Option<Box<dyn Model + 'a>>,
    listener: Option<Box<dyn Listener + 'a>>,
}

impl std::fmt::Debug for GeneratorWorker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeneratorWorker").field("generator", self.generator).finish_non_exhaustive()
    }
}

impl<'a> GeneratorWorker<'a> {
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
    /// Keeps a list of everything that made the walk step back, for [`GeneratorWorker::walls`].
    #[must_use]
    pub fn with_walls(mut self) -> Self {
        self.drafter.walls = Some(Vec::new());
        self
    }

    /// What made the walk step back, and how often, the most frequent first. Empty without [`GeneratorWorker::with_walls`].
    pub fn walls(&self) -> Vec<(String, u64)> {
        let mut counts = std::collections::BTreeMap::new();
        for dead_end in self.drafter.walls.iter().flatten() {
            *counts.entry(dead_end.explain(&self.generator.grammar)).or_insert(0) += 1;
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
        let origin = self.make_for(draw, self.generator.goal.as_ref(), test)?;
        self.hand_over(origin, test);
        Ok(())
    }
}

impl GeneratorWorker<'_> {
    /// A finished tree goes through transformers and serializer, and its origin is told.
    pub(crate) fn hand_over(&self, origin: TestOrigin, test: &mut Test) {
        for transformer in &self.generator.transformers {
            if let Some(tree) = transformer.transform(&self.generator.grammar, &test.tree) {
                test.text = tree.to_bytes();
                test.tree = tree;
            }
        }
        if let Some(serializer) = &self.generator.serializer {
            test.text.clear();
            serializer.serialize(&self.generator.grammar, &test.tree, &mut test.text);
        }
        test.measures.extend((0..N_ORIGINS).map(|at| u64::from(at == origin as usize)));
        test.measures.push(self.taken_back);
        test.measures.push(u64::from(self.drafter.lost));
        test.measures.push(self.rejected);
    }

    /// Makes a test, towards a goal if there is one.
    pub(crate) fn make_for(
        &mut self,
        draw: Draw,
        goal: Option<&Goal>,
        test: &mut Test,
    ) -> Result<TestOrigin, GenerateError> {
        let generator = self.generator;
        if generator.grammar.rule(generator.start).kind != RuleKind::Parser {
            return self.make_token(draw, test);
        }
        let (target, least) = self.target(draw);
        let size_limits = SizeLimits { target, ..generator.size_limits };
        (self.taken_back, self.rejected) = (0, 0);
        let mut draw = draw;
        let origin = match self.right_draft(&mut draw, goal, size_limits, least, test) {
            Ok(origin) => origin,
            Err(_) if self.adopt(draw, goal, size_limits, test) => TestOrigin::ParserTree,
            Err(dead_end) => {
                return Err(GenerateError::GaveUp(format!(
                    "no draft in {MOST_DRAFTS} became a text that parses back{}",
                    dead_end.map_or(String::new(), |dead_end| format!(
                        "; {}",
                        dead_end.explain(&generator.grammar)
                    ))
                )));
            }
        };
        self.tell(&test.tree);
        Ok(origin)
    }

    /// Draws drafts until one is right, or else says why the last one was not.
    fn right_draft(
        &mut self,
        draw: &mut Draw,
        goal: Option<&Goal>,
        size_limits: SizeLimits,
        least: u32,
        test: &mut Test,
    ) -> Result<TestOrigin, Option<DeadEnd>> {
        let generator = self.generator;
        let large = size_limits.target.min(generator.longest) / MEAGRE;
        let mut origin = TestOrigin::FirstDraft;
        let mut dead_end = None;
        let (mut meagre, mut is_meagre) = (0, false);
        for _ in 0..MOST_DRAFTS {
            let drafted = self.draft(*draw, goal, size_limits);
            *draw = draw.retry();
            if let Err(why) = drafted {
                self.builder.truncate(0);
                if is_meagre {
                    // The one before is better than none.
                    break;
                }
                (dead_end, origin) = (Some(why), TestOrigin::LaterDraft);
                continue;
            }
            test.take(&mut self.builder);
            is_meagre = false;
            let tokens = self.drafter.tokens();
            if tokens < least || !self.drafter.reached {
                continue;
            }
            if generator.reads_end && !self.reparser.agrees(generator.start, test) {
                origin = TestOrigin::LaterDraft;
                continue;
            }
            is_meagre = tokens < large;
            meagre += u32::from(is_meagre);
            if !is_meagre || meagre > MOST_MEAGRE {
                return Ok(origin);
            }
        }
        if is_meagre { Ok(origin) } else { Err(dead_end) }
    }

    /// One draft.
    fn draft(&mut self, draw: Draw, goal: Option<&Goal>, size_limits: SizeLimits) -> Result<(), DeadEnd> {
        let generator = self.generator;
        self.writer.draw_from(draw);
        let mut stream = draw.stream(Purpose::Structure);
        let mut context = DraftContext {
            model: self.model.as_deref_mut().map(|model| model as &mut dyn Model),
            cooldown: self.cooldown.as_mut(),
            goal,
            ..DraftContext::new(
                generator,
                &mut self.asked,
                &mut stream,
                &mut self.writer,
                &mut self.builder,
                size_limits,
            )
        };
        let drafted = self.drafter.draft(&mut context, generator.start);
        self.taken_back += u64::from(self.drafter.backs);
        self.rejected += u64::from(self.writer.redrawn);
        drafted
    }

    /// The parser's tree of a text that was drawn without asking it.
    fn adopt(&mut self, draw: Draw, goal: Option<&Goal>, size_limits: SizeLimits, test: &mut Test) -> bool {
        let mut draw = draw;
        self.drafter.careless = true;
        let adopted = (0..MOST_DRAFTS).any(|_| {
            let drafted = self.draft(draw, goal, size_limits).is_ok();
            draw = draw.retry();
            if !drafted {
                self.builder.truncate(0);
                return false;
            }
            test.take(&mut self.builder);
            self.reparser.adopt(self.generator.start, test)
        });
        self.drafter.careless = false;
        adopted
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

    /// The size to aim at: all orders of magnitude between the limits are as likely.
    ///
    /// One test in 64 may be empty, where the language has an empty text and the user asks for no minimum.
    fn target(&self, draw: Draw) -> (u32, u32) {
        let mut stream = draw.stream(Purpose::Swarm);
        let never_more = self.generator.longest == 0;
        let least = self.generator.min_tokens.max(u32::from(stream.below(64) > 0 && !never_more));
        let floor = self.generator.least_tokens.max(self.generator.min_tokens).max(1);
        let high = self.generator.size_limits.most.max(floor);
        // One test in eight may be tiny; the others leave room for variety.
        let low = if stream.below(8) == 0 { floor } else { floor.max(high / 16) };
        let magnitude = stream.between(low.ilog2().into(), high.ilog2().into()) as u32;
        let (from, to) = (1_u64 << magnitude, (1_u64 << (magnitude + 1)) - 1);
        let from = from.max(low.into());
        (stream.between(from, to.min(high.into()).max(from)) as u32, least)
    }

    /// A test of a token rule: its text alone.
    fn make_token(&mut self, draw: Draw, test: &mut Test) -> Result<TestOrigin, GenerateError> {
        let generator = self.generator;
        let mut stream = draw.stream(Purpose::Text);
        let mut text = String::new();
        let model = self.model.as_deref_mut().map(|model| model as &mut dyn Model);
        let model = model.filter(|model| model.wants_characters());
        let words = (&*generator.grammar, &generator.lexical.texts);
        if !self.walk.draw(words, generator.start, &mut stream, model, &mut text) {
            return Err(GenerateError::Never("the token rule has no text".into()));
        }
        let token = match generator.grammar.rule(generator.start).kind {
            RuleKind::Token { token: Some(token), .. } => token,
            _ => TokenType::EOF,
        };
        self.builder.open_rule(generator.start, 1);
        self.builder.token(token, text.as_bytes());
        self.builder.close();
        test.take(&mut self.builder);
        Ok(TestOrigin::FirstDraft)
    }
}
