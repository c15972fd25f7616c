//! A language to reduce by: what follows from its grammar, and what was seen of the text so far.

use std::sync::Arc;

use polysmith_grammar::analysis::{Minima, Uses};
use polysmith_grammar::normal::View;
use polysmith_grammar::rewrite::Rewrite;
use polysmith_grammar::{Grammar, RuleId};
use polysmith_tree::{ReadError, Recognizer};

use super::rewrite;
use crate::candidate::Candidate;
use crate::text::Text;

/// Longer texts are left to the passes by tree: every candidate of the others is parsed as a whole.
const CHECKED_BYTES: usize = 128 << 10;

/// A language to reduce by. A clone is for another reduction: it shares nothing that changes.
#[derive(Debug, Clone)]
pub struct Language {
    pub(crate) syntax: Syntax,
    pub(crate) recognizer: Box<dyn Recognizer>,
    pub(crate) counts: Counts,
    /// Why the text as first seen could not be parsed.
    unparsed: Option<ReadError>,
    /// By file: whether the passes by tree could use it when they last looked.
    usable: Vec<bool>,
    /// By file: the errors of the best text, `None` if it cannot be parsed at all.
    errors: Vec<Option<usize>>,
}

/// What follows from the grammar. It does not change during a reduction.
#[derive(Debug, Clone)]
pub(crate) struct Syntax {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) view: View,
    /// Least tokens of everything.
    pub(crate) sizes: Minima,
    pub(crate) rewrites: Vec<rewrite::Compiled>,
    pub(crate) start: RuleId,
}

/// What became of the candidates that were built by a language or checked against it.
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
    /// The language that a recognizer reads.
    pub fn new(recognizer: impl Recognizer + 'static) -> Language {
        let grammar = Arc::clone(recognizer.grammar());
        let view = View::of(&grammar);
        let sizes = Minima::sizes(&grammar, &Uses::of(&grammar));
        let syntax = Syntax { grammar, view, sizes, rewrites: Vec::new(), start: recognizer.start() };
        Language {
            syntax,
            recognizer: Box::new(recognizer),
            counts: Counts::default(),
            unparsed: None,
            usable: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// With rewrites of its own. Those whose texts are not tokens of the language are left out and returned.
    #[must_use]
    pub fn with_rewrites(mut self, rewrites: &[Rewrite]) -> (Language, Vec<Rewrite>) {
        let mut unread = Vec::new();
        for rewrite in rewrites {
            match rewrite::compile(&mut self, rewrite) {
                Some(compiled) => self.syntax.rewrites.push(compiled),
                None => unread.push(rewrite.clone()),
            }
        }
        (self, unread)
    }

    /// What was built and filtered so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Why there is no tree of a text at all, if that was so from the start.
    pub fn unparsed(&self) -> Option<&ReadError> {
        self.unparsed.as_ref()
    }

    /// A text with this number of tokens has no tree.
    pub(crate) fn cannot_parse(&mut self, why: ReadError, tokens: usize) {
        if !self.counts.parsed {
            self.unparsed = Some(why);
        }
        self.counts.saw(tokens, tokens);
    }

    /// A pass by tree looked at a file.
    pub(crate) fn looked(&mut self, file: usize, is_usable: bool) {
        let files = self.usable.len().max(file + 1);
        self.usable.resize(files, true);
        self.usable[file] = is_usable;
    }

    /// Whether a file had a tree that is of use when it was last looked at.
    pub(crate) fn has_tree(&self) -> bool {
        self.usable.is_empty() || self.usable.contains(&true)
    }

    /// Whether a text is short enough for every candidate to be parsed.
    pub(crate) fn can_check(&self, text: &Text) -> bool {
        text.bytes().len() <= CHECKED_BYTES
    }

    /// Notes how many errors the best text has: candidates may have as many.
    pub(crate) fn note_errors(&mut self, text: &Text) {
        self.errors =
            text.parts().iter().map(|part| self.recognizer.count_errors(text.slice(&part.range))).collect();
    }

    /// Whether a candidate has no more errors than the best text. A file that could not be parsed in the first place
    /// does not count.
    pub(crate) fn allows(&mut self, candidate: &Candidate) -> bool {
        let is_as_good = candidate.files().all(|file| {
            self.errors.get(file).copied().flatten().is_none_or(|most| {
                let text: Vec<u8> = candidate.pieces(file).flatten().copied().collect();
                self.recognizer.count_errors(&text).is_some_and(|errors| errors <= most)
            })
        });
        self.counts.built += 1;
        self.counts.filtered += usize::from(!is_as_good);
        is_as_good
    }
}
