//! `Generator`: a grammar and options, ready to make tests.

mod worker;

pub use worker::GeneratorWorker;

use crate::compiled::Compiled;
use crate::decisions::statistics::DecisionStatistics;
use crate::decisions::training;
use crate::draft::Goal;
use crate::draft::cooldown::Cooldown;
use crate::error::SetupError;
use crate::extend::{Serializer, Transformer};
use crate::setup::{self, Options, Sizes};
use polysmith_engine::{Engine, Worker};
use polysmith_grammar::{Grammar, RuleId, TokenType};
use polysmith_parse::Parser;

/// Drafts for one test before the parser's tree is adopted.
pub const MOST_DRAFTS: u32 = 40;

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

/// The names of [`Test::measures`](polysmith_engine::Test::measures): first in the order of [`TestOrigin`], then what
/// drafting cost.
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
    pub(crate) compiled: Compiled,
    pub(crate) sizes: Sizes,
    pub(crate) statistics: DecisionStatistics,
    /// Knows the decisions that were met during training.
    trained_parser: Parser,
    cooldown: Option<f64>,
    goal: Option<Goal>,
    left_out: Vec<TokenType>,
    transformers: Vec<Box<dyn Transformer>>,
    serializer: Option<Box<dyn Serializer>>,
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").field("grammar", &self.grammar().name()).finish_non_exhaustive()
    }
}

impl Generator {
    /// Compiles a grammar.
    ///
    /// # Errors
    /// [`SetupError`] if there is no text at all, or none within the limits.
    pub fn new(grammar: Grammar, options: &Options) -> Result<Generator, SetupError> {
        let compiled = Compiled::new(grammar, options)?;
        let sizes = Sizes::new(&compiled, options)?;
        let goal = match options.require {
            Some(rule) => Some(setup::require(&compiled, rule, sizes.limits)?),
            None => None,
        };
        let (statistics, trained_parser) = training::train(&compiled, sizes.limits);
        Ok(Generator {
            left_out: setup::left_out(&compiled),
            compiled,
            sizes,
            statistics,
            trained_parser,
            cooldown: options.cooldown,
            goal,
            transformers: Vec::new(),
            serializer: None,
        })
    }

    /// Changes every tree before it is printed, after the transformers that were added before.
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
        (self.sizes.limits.depth, self.sizes.limits.max_tokens)
    }

    /// A worker with its own type, for those who want more than [`Engine::worker`].
    pub fn new_worker(&self) -> GeneratorWorker<'_> {
        GeneratorWorker::new(self)
    }
}

impl Engine for Generator {
    fn grammar(&self) -> &Grammar {
        &self.compiled.grammar
    }

    fn start(&self) -> Option<RuleId> {
        Some(self.compiled.start)
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
