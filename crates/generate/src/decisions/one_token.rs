//! Which decisions the parser certainly takes as drafted.
//!
//! The parser takes the first alternative with which the text can be read on: it looks ahead until one is left, or until
//! those that are left can no longer be told apart, and takes the least of these. The rest of a finished draft can be read
//! with the drafted alternative, so that one never drops out, and only alternatives *before* it can win against it. Where
//! none of those can begin with the next token (or end before it), that token *settles* the decision, whatever follows; the
//! first alternative is always settled. This module holds, for each option of each decision, the tokens that settle it. A
//! draft whose decisions are all settled need not be parsed to know its tree. The sets count all uses of a rule.
//!
//! Options: an alternative (by its id), leaving a group (behind the alternatives, by block). Operators of a
//! left-recursive rule are decided behind their left operand, always by the parser's own prediction.

use crate::tables::Tables;
use polysmith_grammar::analysis::{BitMatrix, Bits, First, Follow, Nullable, Productive, Uses};
use polysmith_grammar::{AltId, BlockId, Grammar, RuleId, TokenType};

/// The sets, one row per option.
#[derive(Debug)]
pub(crate) struct OneTokenDecisions {
    n_alternatives: usize,
    /// Row: option. The tokens before which the parser certainly takes it.
    one_token: BitMatrix,
    /// By option: every token that can come next settles it.
    always: Vec<bool>,
    /// Row: alternative. Its first tokens, and what follows its block where it may be empty.
    predict: BitMatrix,
}

impl OneTokenDecisions {
    pub(crate) fn new(
        grammar: &Grammar,
        uses: &Uses,
        nullable: &Nullable,
        tables: &Tables,
        start: RuleId,
    ) -> OneTokenDecisions {
        let productive = Productive::of(grammar, uses);
        let first = First::of(grammar, nullable, &productive);
        let follow = Follow::of(grammar, nullable, &productive, &first, Some(start));
        let n_tokens = grammar.tokens().len();
        let n_alternatives = grammar.n_alternatives();
        let n_options = n_alternatives + grammar.n_blocks();
        let mut sets = Sets { grammar, uses, nullable, first: &first, follow: &follow };
        let mut predict = BitMatrix::new(n_options, n_tokens);
        for alt in (0..n_alternatives).map(AltId::new) {
            sets.alternative(alt, &mut predict);
        }
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            sets.behind(block, &mut predict, n_alternatives + block.index());
        }
        let mut found = OneTokenDecisions {
            n_alternatives,
            one_token: BitMatrix::new(n_options, n_tokens),
            always: vec![true; n_options],
            predict,
        };
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            found.compare(grammar, tables, block);
        }
        found
    }

    /// Compares each option of a block with those that the parser prefers to it.
    fn compare(&mut self, grammar: &Grammar, tables: &Tables, block: BlockId) {
        let choice = &tables.block(block);
        // The operators of a left-recursive rule are no options of its first decision.
        let mut options: Vec<usize> = grammar
            .alternatives(block)
            .map(AltId::index)
            .filter(|alt| tables.operators[*alt].is_none_or(|grip| !grip.is_left_recursive))
            .collect();
        if !choice.quantifier.is_one() {
            // The end of a group comes last, or first if the group is not greedy.
            let at = if choice.quantifier.greedy { options.len() } else { 0 };
            options.insert(at, self.n_alternatives + block.index());
        }
        let mut preferred = BitMatrix::new(1, grammar.tokens().len());
        for option in options {
            for token in self.predict.row(option).iter() {
                if preferred.contains(0, token) {
                    self.always[option] = false;
                } else {
                    self.one_token.insert(option, token);
                }
            }
            preferred.union_with(0, self.predict.row(option));
        }
    }

    /// The tokens that an option can begin with, or that can follow where it may be empty.
    #[inline]
    pub(crate) fn predict(&self, option: usize) -> Bits<'_> {
        self.predict.row(option)
    }

    /// How many options there are.
    pub(crate) fn n_options(&self) -> usize {
        self.always.len()
    }

    /// The option of leaving a group.
    #[inline]
    pub(crate) fn leaving(&self, block: BlockId) -> usize {
        self.n_alternatives + block.index()
    }

    /// The rule of a group that an option leaves.
    pub(crate) fn rule_left(&self, grammar: &Grammar, leaving: usize) -> RuleId {
        grammar.block(BlockId::new(leaving - self.n_alternatives)).rule
    }

    /// Whether an option need not be looked at again.
    #[inline]
    pub(crate) fn always(&self, option: usize) -> bool {
        self.always[option]
    }

    /// Whether the next token settles an option.
    #[inline]
    pub(crate) fn before(&self, option: usize, token: TokenType) -> bool {
        self.one_token.contains(option, token.index())
    }
}

struct Sets<'a> {
    grammar: &'a Grammar,
    uses: &'a Uses,
    nullable: &'a Nullable,
    first: &'a First,
    follow: &'a Follow,
}

impl Sets<'_> {
    fn alternative(&mut self, alt: AltId, into: &mut BitMatrix) {
        self.first.add_alternative(self.grammar, self.nullable, alt, into, alt.index());
        if self.nullable.alternative(alt) {
            into.union_with(alt.index(), self.follow.block(self.grammar.alternative(alt).block));
        }
    }

    /// What stands behind a group when it is left.
    fn behind(&self, block: BlockId, into: &mut BitMatrix, row: usize) {
        if let Some(place) = self.uses.place(block) {
            let alt = self.uses.alternative(place);
            let at = place.index() - self.grammar.alternative(alt).elements.start.index();
            self.rest(alt, at + 1, into, row);
        }
    }

    /// The first tokens of an alternative from a place on.
    fn rest(&self, alt: AltId, from: usize, into: &mut BitMatrix, row: usize) {
        for element in &self.grammar.elements(alt)[from..] {
            self.first.add_element(self.grammar, element.kind, into, row);
            if !self.nullable.element(self.grammar, element.kind) {
                return;
            }
        }
        into.union_with(row, self.follow.block(self.grammar.alternative(alt).block));
    }
}
