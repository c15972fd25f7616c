//! Reduction by grammar: passes that know which parts of a text may go.
//!
//! A text is parsed with the grammar as it is written and looked at through the normal form
//! ([`polysmith_grammar::normal::View`]): lists are lists whatever way the grammar writes them, unit chains are one
//! node, and each place knows what it accepts. That gives [`nodes::Nodes`], which never changes while a pass runs:
//! deleting an item and putting a descendant in the place of a node both only take tokens away, so all that changes
//! is which tokens are alive ([`live::Live`]: two Fenwick trees for counts and positions). A node's size is always the
//! number of live tokens in its range, and an accepted step costs the logarithm of the text for each token that goes.
//!
//! **No futile question.** A candidate is built so that it is in the language, and checked before it is asked
//! ([`check::Checker`]): two tokens that come together must still be read as two, and the rule around the change must
//! still parse, by token types alone, with nothing lexed again. Where a lexer has modes, or the text had errors
//! already, the whole candidate is parsed instead and must not have more errors than before.

mod check;
mod guard;
mod hdd;
mod live;
mod nodes;
mod perses;
mod replace;
mod session;

pub use hdd::Hdd;
pub use perses::Perses;
pub use replace::Replace;

use polysmith_grammar::normal::View;
use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{CompileError, Limits, Parser};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A language to reduce by.
#[derive(Debug)]
pub struct Language {
    pub(crate) grammar: Grammar,
    pub(crate) view: View,
    pub(crate) start: RuleId,
    pub(crate) limits: Limits,
    parser: Mutex<Parser>,
    counts: Mutex<Counts>,
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
    /// Of these, candidates asked without a check because the rule around the change is too long.
    pub trusted: usize,
    /// Tokens of the text as last parsed.
    pub tokens: usize,
    /// Of these, tokens outside the tree.
    pub outside: usize,
}

impl Language {
    /// Makes a grammar ready.
    ///
    /// # Errors
    /// A grammar that cannot be parsed with.
    pub fn new(grammar: Grammar, start: RuleId) -> Result<Language, CompileError> {
        let parser = Parser::new(&grammar)?;
        let view = View::of(&grammar);
        Ok(Language {
            grammar,
            view,
            start,
            limits: Limits::default(),
            parser: Mutex::new(parser),
            counts: Mutex::default(),
            best: Mutex::default(),
        })
    }

    /// What was built and filtered so far.
    pub fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn parser(&self) -> MutexGuard<'_, Parser> {
        // A parser that a panic left behind has only learned less: what it knows is still right.
        self.parser.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
