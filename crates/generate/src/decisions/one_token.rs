//! Which choices the parser certainly makes as drafted.
//!
//! The parser takes the first alternative with which the text can be read on: it looks ahead until one is left, or until
//! those that are left can no longer be told apart, and takes the least of these. The rest of a finished draft can be read
//! with the drafted alternative, so that one never drops out, and only alternatives *before* it can win against it. Where
//! none of those can begin with the next token (or end before it), that token *settles* the choice, whatever follows. The
//! first alternative is always settled. This module holds the tokens that settle each choice. A draft whose choices are
//! all settled need not be parsed to know its tree. The sets count all uses of a rule.
//!
//! Operators of a left-recursive rule are not in these sets: the parser decides about an operator after its left operand,
//! always by its own prediction.

use crate::decisions::choice::{Choice, ChoiceRows};
use crate::tables::Tables;
use polysmith_grammar::analysis::{BitMatrix, Bits, First, Follow, Nullable, Productive, Uses};
use polysmith_grammar::{AltId, BlockId, Grammar, RuleId, TokenType};

/// The sets, one row for each [`Choice`].
#[derive(Debug)]
pub(crate) struct OneTokenDecisions {
    rows: ChoiceRows,
    /// The tokens that settle the choice.
    settling: BitMatrix,
    /// Whether every token that can come next settles the choice.
    always: Vec<bool>,
    /// The tokens that can come next: first tokens, and what follows where the choice may derive nothing.
    next: BitMatrix,
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
        let rows = ChoiceRows::new(grammar);
        let sets = Sets { grammar, uses, nullable, first: &first, follow: &follow };
        let mut next = BitMatrix::new(rows.len(), n_tokens);
        for alt in (0..grammar.n_alternatives()).map(AltId::new) {
            sets.add_alternative(alt, &mut next, rows.of(Choice::Alternative(alt)));
        }
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            sets.add_after(block, &mut next, rows.of(Choice::Leave(block)));
        }
        let mut found = OneTokenDecisions {
            rows,
            settling: BitMatrix::new(rows.len(), n_tokens),
            always: vec![true; rows.len()],
            next,
        };
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            found.compare(grammar, tables, block);
        }
        found
    }

    /// Compares each choice at a block with those that the parser prefers to it.
    fn compare(&mut self, grammar: &Grammar, tables: &Tables, block: BlockId) {
        let quantifier = tables.block(block).quantifier;
        // The operators of a left-recursive rule do not take part in its first decision.
        let is_operator =
            |alt: AltId| tables.operators[alt.index()].is_some_and(|operator| operator.is_left_recursive);
        let alternatives = grammar.alternatives(block).filter(|alt| !is_operator(*alt));
        let mut choices: Vec<Choice> = alternatives.map(Choice::Alternative).collect();
        if !quantifier.is_one() {
            // The end of a group comes last, or first if the group is not greedy.
            let at = if quantifier.greedy { choices.len() } else { 0 };
            choices.insert(at, Choice::Leave(block));
        }
        let mut preferred = BitMatrix::new(1, grammar.tokens().len());
        for row in choices.into_iter().map(|choice| self.rows.of(choice)) {
            for token in self.next.row(row).iter() {
                if preferred.contains(0, token) {
                    self.always[row] = false;
                } else {
                    self.settling.insert(row, token);
                }
            }
            preferred.union_with(0, self.next.row(row));
        }
    }

    /// The tokens that can come next after a choice.
    #[inline]
    pub(crate) fn next_tokens(&self, choice: Choice) -> Bits<'_> {
        self.next.row(self.rows.of(choice))
    }

    /// Whether every token that can come next settles a choice.
    #[inline]
    pub(crate) fn is_always_settled(&self, choice: Choice) -> bool {
        self.always[self.rows.of(choice)]
    }

    /// Whether this token settles a choice when it comes next.
    #[inline]
    pub(crate) fn is_settled_by(&self, choice: Choice, token: TokenType) -> bool {
        self.settling.contains(self.rows.of(choice), token.index())
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
    /// The first tokens of an alternative, and what follows its block if it may be empty.
    fn add_alternative(&self, alt: AltId, into: &mut BitMatrix, row: usize) {
        self.first.add_alternative(self.grammar, self.nullable, alt, into, row);
        if self.nullable.alternative(alt) {
            into.union_with(row, self.follow.block(self.grammar.alternative(alt).block));
        }
    }

    /// The tokens that can follow a group.
    fn add_after(&self, block: BlockId, into: &mut BitMatrix, row: usize) {
        if let Some(place) = self.uses.place(block) {
            let alt = self.uses.alternative(place);
            let at = place.index() - self.grammar.alternative(alt).elements.start.index();
            self.add_rest(alt, at + 1, into, row);
        }
    }

    /// The first tokens of an alternative from this element on, and what follows its block if all of that may be empty.
    fn add_rest(&self, alt: AltId, from: usize, into: &mut BitMatrix, row: usize) {
        for element in &self.grammar.elements(alt)[from..] {
            self.first.add_element(self.grammar, element.kind, into, row);
            if !self.nullable.element(self.grammar, element.kind) {
                return;
            }
        }
        into.union_with(row, self.follow.block(self.grammar.alternative(alt).block));
    }
}
