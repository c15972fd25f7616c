//! Reduction by grammar: passes that know which parts of a text may go.
//!
//! A text is parsed with the grammar as it is written and looked at through the normal form
//! ([`polysmith_grammar::normal::View`]): lists are lists whatever way the grammar writes them, unit chains are one
//! node, and each place knows what it accepts. That gives [`nodes::Nodes`], which never changes while a pass runs:
//! deleting an item and putting a descendant in the place of a node both only take tokens away, so all that changes
//! is which tokens are alive ([`live::Live`]: two Fenwick trees for counts and positions). A node's size is always the
//! number of live tokens in its range, and an accepted step costs the logarithm of the text for each token that goes.
//!
//! **No futile question.** A change is a few [`cut::Cut`]s. Before it is asked, two tokens that come together must
//! still be read as two ([`seams`]), and the rule around it must still parse, by token types alone, with nothing lexed
//! again and with long lists cut short ([`proof`]). Only where the text has errors at that place, the whole candidate
//! is parsed instead and must not have more of them.
//!
//! Passes other than Perses look at one place after the other and propose changes there ([`sweep`]); after an accepted
//! one the text is parsed again.

mod check;
mod cut;
mod declarations;
mod guard;
mod hdd;
mod identifiers;
mod items;
mod live;
mod names;
mod nodes;
mod operands;
mod perses;
mod proof;
mod replace;
mod rewrites;
mod seams;
mod session;
mod siblings;
mod smallest;
mod sweep;
mod texts;
mod wrap;

/// Defines a pass that sweeps over the tree: `/// manual`, type, name, when, ideas.
macro_rules! tree_pass {
    ($(#[doc = $doc:literal])+ $type:ident, $name:literal, $when:ident, $ideas:expr) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy)]
        pub struct $type<'a> {
            language: &'a $crate::tree::Language,
        }

        impl<'a> $type<'a> {
            /// By a language.
            pub fn new(language: &'a $crate::tree::Language) -> $type<'a> {
                $type { language }
            }
        }

        impl $crate::passes::Pass for $type<'_> {
            fn name(&self) -> &'static str {
                $name
            }
            fn manual(&self) -> &'static str {
                concat!($($doc, "\n"),+)
            }
            fn when(&self) -> $crate::passes::When {
                $crate::passes::When::$when
            }
            fn keeps_grammar(&self) -> bool {
                true
            }
            fn run(
                &self,
                problem: &mut $crate::problem::Problem<'_>,
            ) -> Result<(), $crate::question::Stop> {
                $crate::tree::sweep::sweep(self.language, problem, &mut $ideas)
            }
        }
    };
}
use tree_pass;

pub use declarations::Declarations;
pub use hdd::Hdd;
pub use identifiers::Identifiers;
pub use operands::Operands;
pub use perses::Perses;
pub use replace::Replace;
pub use rewrites::Rewrites;
pub use siblings::Siblings;
pub use smallest::Smallest;
pub use wrap::Wrap;

use crate::passes::Pass;
use polysmith_grammar::analysis::{Minima, Uses};
use polysmith_grammar::normal::View;
use polysmith_grammar::rewrite::Rewrite;
use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{CompileError, Limits, Parser};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A language to reduce by.
#[derive(Debug)]
pub struct Language {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) view: View,
    /// Least tokens of everything.
    pub(crate) sizes: Minima,
    pub(crate) rewrites: Vec<rewrites::Compiled>,
    pub(crate) start: RuleId,
    pub(crate) limits: Limits,
    parser: Mutex<Parser>,
    counts: Mutex<Counts>,
    /// Why the text as first seen could not be parsed.
    unparsed: Mutex<Option<String>>,
    /// By file: whether the tree passes could use it when they last looked.
    usable: Mutex<Vec<bool>>,
    /// By file: the errors of the best text, `None` if it cannot be parsed at all.
    best: Mutex<Vec<Option<usize>>>,
}

/// What became of the candidates of the tree passes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Candidates that a pass built.
    pub built: usize,
    /// Of these, candidates that were not asked because they would not parse.
    pub filtered: usize,
    /// Tokens of the text as first parsed.
    pub tokens: usize,
    /// Of these, tokens outside the tree.
    pub outside: usize,
    /// Whether a text was parsed yet.
    parsed: bool,
}

impl Counts {
    /// The first parse counts: later ones see less and less of the input.
    pub(crate) fn saw(&mut self, tokens: usize, outside: usize) {
        if !std::mem::replace(&mut self.parsed, true) {
            (self.tokens, self.outside) = (tokens, outside);
        }
    }
}

impl Language {
    /// Makes a grammar ready.
    ///
    /// # Errors
    /// A grammar that cannot be parsed with.
    pub fn new(grammar: impl Into<Arc<Grammar>>, start: RuleId) -> Result<Language, CompileError> {
        let grammar = grammar.into();
        let parser = Parser::new(Arc::clone(&grammar))?;
        let view = View::of(&grammar);
        let sizes = Minima::sizes(&grammar, &Uses::of(&grammar));
        Ok(Language {
            grammar,
            view,
            sizes,
            rewrites: Vec::new(),
            start,
            limits: Limits::default(),
            parser: Mutex::new(parser),
            counts: Mutex::default(),
            unparsed: Mutex::default(),
            usable: Mutex::default(),
            best: Mutex::default(),
        })
    }

    /// With rewrites of its own. Those whose texts the lexer cannot read are left out and given back.
    #[must_use]
    pub fn with_rewrites(mut self, rewrites: &[Rewrite]) -> (Language, Vec<Rewrite>) {
        let mut unread = Vec::new();
        for rewrite in rewrites {
            match rewrites::compile(&self, rewrite) {
                Some(compiled) => self.rewrites.push(compiled),
                None => unread.push(rewrite.clone()),
            }
        }
        (self, unread)
    }

    /// What was built and filtered so far.
    pub fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why there is no tree of a text at all, if that was so from the start.
    pub fn unparsed(&self) -> Option<String> {
        self.unparsed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A text of so many tokens has no tree.
    pub(crate) fn cannot_parse(&self, why: String, tokens: usize) {
        self.count(|counts| {
            if !counts.parsed {
                *self.unparsed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            }
            counts.saw(tokens, tokens);
        });
    }

    /// A tree pass looked at a file.
    pub(crate) fn looked(&self, file: usize, is_usable: bool) {
        let mut usable = self.usable.lock().unwrap_or_else(PoisonError::into_inner);
        let files = usable.len().max(file + 1);
        usable.resize(files, true);
        usable[file] = is_usable;
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn parser(&self) -> MutexGuard<'_, Parser> {
        // A parser that a panic left behind has only learned less: what it knows is still right.
        self.parser.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All passes by tree, for one language, in the order in which they run beside the others.
#[derive(Debug)]
pub struct Passes<'a> {
    alone: Perses<'a>,
    perses: Perses<'a>,
    declarations: Declarations<'a>,
    replace: Replace<'a>,
    smallest: Smallest<'a>,
    operands: Operands<'a>,
    wrap: Wrap<'a>,
    rewrites: Rewrites<'a>,
    siblings: Siblings<'a>,
    identifiers: Identifiers<'a>,
}

impl<'a> Passes<'a> {
    /// By a language. `hoist_depth` is that of [`Perses::hoist_depth`].
    pub fn new(language: &'a Language, hoist_depth: Option<u32>) -> Passes<'a> {
        let perses = Perses::new(language).hoist_depth(hoist_depth);
        Passes {
            alone: perses.alone(),
            perses,
            declarations: Declarations::new(language),
            replace: Replace::new(language),
            smallest: Smallest::new(language),
            operands: Operands::new(language),
            wrap: Wrap::new(language),
            rewrites: Rewrites::new(language),
            siblings: Siblings::new(language),
            identifiers: Identifiers::new(language),
        }
    }

    /// The first of them, for a reduction by nothing else.
    pub fn alone(&self) -> &dyn Pass {
        &self.alone
    }

    /// The passes, in order.
    pub fn all(&self) -> [&dyn Pass; 9] {
        [
            &self.perses,
            &self.declarations,
            &self.replace,
            &self.smallest,
            &self.operands,
            &self.wrap,
            &self.rewrites,
            &self.siblings,
            &self.identifiers,
        ]
    }
}
