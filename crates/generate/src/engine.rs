//! `Generator`: a grammar and options, ready to make tests.
//!
//! One test: a target size is drawn and a draft made, with the parser's answers at hand (see [`crate::draft`]), so
//! that a finished draft is the parser's tree of its text. A draft that runs into a wall is given up and drawn
//! afresh. After [`MOST_DRAFTS`] of them one is drawn without asking, and the parser's tree of its text adopted.

use crate::asks::Asks;
use crate::cooldown::Cooldown;
use crate::draft::{Bounds, Drafter, Goal, Source, Stuck};
use crate::habits::Habits;
use crate::lexicon::Lexicon;
use crate::options::{Options, SetupError};
use crate::quick::Quick;
use crate::replay::Replay;
use crate::scan::Scan;
use crate::setup::{self, Setup};
use crate::sure::Sure;
use crate::tables::Tables;
use crate::text::{TextWalk, Texts};
use crate::traits::{Listener, Model, Serializer, Transformer};
use crate::write::{Wording, Writer};
use polysmith_engine::{Engine, Test, Trouble, Worker};
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
pub enum Fate {
    /// The first draft was right.
    RightAtOnce,
    /// Its text did not read back, and only texts of tokens were drawn again.
    TextRedrawn,
    /// A draft was given up and drawn again.
    SubtreeRedrawn,
    /// The tree is the parser's.
    Adopted,
}

/// How many fates there are.
const N_FATES: usize = 4;

/// The names of [`Test::measures`]: first in the order of [`Fate`], then what drafting cost.
const MEASURES: [&str; 7] = [
    "right at once",
    "text redrawn",
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
    pub(crate) quick: Quick,
    pub(crate) sure: Sure,
    pub(crate) asks: Asks,
    pub(crate) habits: Habits,
    /// Knows the decisions that were met while learning.
    asked: Parser,
    /// Token rules can match the end of the input: only reading the text tells what the parser gets.
    pub(crate) reads_end: bool,
    pub(crate) wording: Arc<Wording>,
    pub(crate) scan: Scan,
    pub(crate) parser: Parser,
    pub(crate) bounds: Bounds,
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
        let mut scan = Scan::new(parser.clone());
        let Setup { uses, nullable, weights, repetitions } = setup::setup(&grammar, options);
        let texts = Texts::new(&grammar, &uses, &weights, options.charset);
        let lexicon = Lexicon::new(&grammar, &texts, &mut scan, &options.dictionary);
        let makeable = |token| lexicon.makeable(token);
        let tables = Tables::new(&grammar, &uses, &nullable, weights, &repetitions, &makeable);
        let bounds = setup::bounds(&grammar, &uses, &tables, &lexicon, start, options)?;
        let left_out = setup::left_out(&grammar, start, &makeable);
        let sure = Sure::new(&grammar, &uses, &nullable, &tables, start);
        let goal = match options.require {
            Some(rule) => Some(setup::require(&grammar, &tables, start, rule, bounds)?),
            None => None,
        };
        let least_tokens = tables.rules[start.index()].at(bounds.depth);
        let habits = Habits::new(sure.n_options(), grammar.tokens().len(), &tables);
        let mut generator = Generator {
            quick: Quick::new(&tables, &sure, &lexicon),
            asks: Asks::new(&grammar, &parser, &tables, &sure),
            habits,
            asked: parser.clone(),
            reads_end: setup::reads_end(&grammar),
            wording: Arc::new(Wording {
                grammar: Arc::clone(&grammar),
                texts,
                lexicon,
                style: options.style,
                separator: options.separator.clone(),
                ignore_borders: options.ignore_borders,
            }),
            min_tokens: options.min_tokens,
            least_tokens,
            longest: tables.blocks[tables.bodies[start.index()].index()].most,
            cooldown: options.cooldown,
            grammar,
            start,
            tables,
            sure,
            scan,
            parser,
            bounds,
            goal,
            left_out,
            transformers: Vec::new(),
            serializer: None,
        };
        if generator.grammar.rule(start).kind == RuleKind::Parser {
            (generator.habits, generator.asked) = crate::learn::learn(&generator);
            let blocks = generator.tables.blocks.iter().map(|choice| choice.alternatives.clone());
            generator.habits.conclude(blocks);
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
        (self.bounds.depth, self.bounds.most)
    }

    /// A worker with its own type, for those who want more than [`Engine::worker`].
    pub fn hands(&self) -> Hands<'_> {
        Hands {
            generator: self,
            drafter: Drafter::new(self.grammar.tokens().len()),
            asked: self.asked.clone(),
            builder: TreeBuilder::new(),
            writer: Writer::new(Arc::clone(&self.wording), self.scan.clone()),
            replay: Replay::new(self.parser.clone()),
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
        Box::new(self.hands())
    }

    fn chunk(&self) -> u64 {
        if self.cooldown.is_some() { Cooldown::CHUNK } else { 1 }
    }

    fn measures(&self) -> &[&'static str] {
        &MEASURES
    }

    fn n_kinds(&self) -> usize {
        N_FATES
    }
}

/// What one thread makes tests with.
pub struct Hands<'a> {
    pub(crate) generator: &'a Generator,
    pub(crate) drafter: Drafter,
    /// Asked while a draft grows; it learns from that.
    pub(crate) asked: Parser,
    pub(crate) builder: TreeBuilder,
    pub(crate) writer: Writer,
    pub(crate) replay: Replay,
    cooldown: Option<Cooldown>,
    walk: TextWalk,
    taken_back: u64,
    rejected: u64,
    model: Option<Box<dyn Model + 'a>>,
    listener: Option<Box<dyn Listener + 'a>>,
}

impl std::fmt::Debug for Hands<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hands").field("generator", self.generator).finish_non_exhaustive()
    }
}

impl<'a> Hands<'a> {
    /// Lets a model choose.
    #[must_use]
    pub fn with_model(mut self, model: impl Model + 'a) -> Hands<'a> {
        self.model = Some(Box::new(model));
        self
    }

    /// Lets a listener hear what is drawn.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Listener + 'a) -> Hands<'a> {
        self.listener = Some(Box::new(listener));
        self
    }
}

impl Hands<'_> {
    /// Keeps a list of everything that made the walk step back, for [`Hands::walls`].
    #[must_use]
    pub fn with_walls(mut self) -> Self {
        self.drafter.walls = Some(Vec::new());
        self
    }

    /// What made the walk step back, and how often, the most frequent first. Empty without [`Hands::with_walls`].
    pub fn walls(&self) -> Vec<(String, u64)> {
        let mut counts = std::collections::BTreeMap::new();
        for stuck in self.drafter.walls.iter().flatten() {
            *counts.entry(stuck.explain(&self.generator.grammar)).or_insert(0) += 1;
        }
        let mut sorted: Vec<(String, u64)> = counts.into_iter().collect();
        sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        sorted
    }
}

impl Worker for Hands<'_> {
    fn begin_chunk(&mut self) {
        if let Some(cooldown) = &mut self.cooldown {
            cooldown.restart();
        }
    }

    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), Trouble> {
        let fate = self.make_for(draw, self.generator.goal.as_ref(), test)?;
        self.hand_over(fate, test);
        Ok(())
    }
}

impl Hands<'_> {
    /// A finished tree goes through transformers and serializer, and its fate is told.
    pub(crate) fn hand_over(&self, fate: Fate, test: &mut Test) {
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
        test.measures.extend((0..N_FATES).map(|at| u64::from(at == fate as usize)));
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
    ) -> Result<Fate, Trouble> {
        let generator = self.generator;
        if generator.grammar.rule(generator.start).kind != RuleKind::Parser {
            return self.make_token(draw, test);
        }
        let (target, least) = self.target(draw);
        let bounds = Bounds { target, ..generator.bounds };
        (self.taken_back, self.rejected) = (0, 0);
        let mut draw = draw;
        let fate = match self.right_draft(&mut draw, goal, bounds, least, test) {
            Ok(fate) => fate,
            Err(_) if self.adopt(draw, goal, bounds, test) => Fate::Adopted,
            Err(stuck) => {
                return Err(Trouble::GaveUp(format!(
                    "no draft in {MOST_DRAFTS} became a text that parses back{}",
                    stuck.map_or(String::new(), |stuck| format!("; {}", stuck.explain(&generator.grammar)))
                )));
            }
        };
        self.tell(&test.tree);
        Ok(fate)
    }

    /// Draws drafts until one is right, or else says why the last one was not.
    fn right_draft(
        &mut self,
        draw: &mut Draw,
        goal: Option<&Goal>,
        bounds: Bounds,
        least: u32,
        test: &mut Test,
    ) -> Result<Fate, Option<Stuck>> {
        let generator = self.generator;
        let large = bounds.target.min(generator.longest) / MEAGRE;
        let mut fate = Fate::RightAtOnce;
        let mut stuck = None;
        let (mut meagre, mut is_meagre) = (0, false);
        for _ in 0..MOST_DRAFTS {
            let drafted = self.draft(*draw, goal, bounds);
            *draw = draw.retry();
            if let Err(why) = drafted {
                self.builder.truncate(0);
                if is_meagre {
                    // The one before is better than none.
                    break;
                }
                (stuck, fate) = (Some(why), Fate::SubtreeRedrawn);
                continue;
            }
            test.take(&mut self.builder);
            is_meagre = false;
            let tokens = self.drafter.tokens();
            if tokens < least || !self.drafter.reached {
                continue;
            }
            if generator.reads_end && !self.replay.agrees(generator.start, test) {
                fate = Fate::SubtreeRedrawn;
                continue;
            }
            is_meagre = tokens < large;
            meagre += u32::from(is_meagre);
            if !is_meagre || meagre > MOST_MEAGRE {
                return Ok(fate);
            }
        }
        if is_meagre { Ok(fate) } else { Err(stuck) }
    }

    /// One draft.
    fn draft(&mut self, draw: Draw, goal: Option<&Goal>, bounds: Bounds) -> Result<(), Stuck> {
        let generator = self.generator;
        self.writer.draw_from(draw);
        let mut stream = draw.stream(Purpose::Structure);
        let mut source = Source {
            model: self.model.as_deref_mut().map(|model| model as &mut dyn Model),
            cooldown: self.cooldown.as_mut(),
            goal,
            ..Source::new(
                generator,
                &mut self.asked,
                &mut stream,
                &mut self.writer,
                &mut self.builder,
                bounds,
            )
        };
        let drafted = self.drafter.draft(&mut source, generator.start);
        self.taken_back += u64::from(self.drafter.backs);
        self.rejected += u64::from(self.writer.redrawn);
        drafted
    }

    /// The parser's tree of a text that was drawn without asking it.
    fn adopt(&mut self, draw: Draw, goal: Option<&Goal>, bounds: Bounds, test: &mut Test) -> bool {
        let mut draw = draw;
        self.drafter.careless = true;
        let adopted = (0..MOST_DRAFTS).any(|_| {
            let drafted = self.draft(draw, goal, bounds).is_ok();
            draw = draw.retry();
            if !drafted {
                self.builder.truncate(0);
                return false;
            }
            test.take(&mut self.builder);
            self.replay.adopt(self.generator.start, test)
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
        let high = self.generator.bounds.most.max(floor);
        // One test in eight may be tiny; the others leave room for variety.
        let low = if stream.below(8) == 0 { floor } else { floor.max(high / 16) };
        let magnitude = stream.between(low.ilog2().into(), high.ilog2().into()) as u32;
        let (from, to) = (1_u64 << magnitude, (1_u64 << (magnitude + 1)) - 1);
        let from = from.max(low.into());
        (stream.between(from, to.min(high.into()).max(from)) as u32, least)
    }

    /// A test of a token rule: its text alone.
    fn make_token(&mut self, draw: Draw, test: &mut Test) -> Result<Fate, Trouble> {
        let generator = self.generator;
        let mut stream = draw.stream(Purpose::Text);
        let mut text = String::new();
        let model = self.model.as_deref_mut().map(|model| model as &mut dyn Model);
        let model = model.filter(|model| model.wants_characters());
        let words = (&*generator.grammar, &generator.wording.texts);
        if !self.walk.draw(words, generator.start, &mut stream, model, &mut text) {
            return Err(Trouble::Never("the token rule has no text".into()));
        }
        let token = match generator.grammar.rule(generator.start).kind {
            RuleKind::Token { token: Some(token), .. } => token,
            _ => TokenType::EOF,
        };
        self.builder.open_rule(generator.start, 1);
        self.builder.token(token, text.as_bytes());
        self.builder.close();
        test.take(&mut self.builder);
        Ok(Fate::RightAtOnce)
    }
}
