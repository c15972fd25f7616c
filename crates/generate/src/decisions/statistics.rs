//! Decision statistics: which choices of a draft the parser does not make before which tokens.
//!
//! Sets of first tokens cannot tell whether a parser that looks further comes to the drafted alternative: a trailing
//! comma is found by looking two tokens ahead, and a dangling `else` never belongs to the outer `if`. So when a grammar is
//! compiled, some hundred drafts are made ([`super::training`]). For each choice that one token did not settle they count
//! how often the parser made it before which token (it *won*), and how often not (it *lost*). A choice that lost more often
//! than it won is *bad* before that token, and later drafts avoid the combination. Pairs of neighbouring tokens that no
//! separator can keep apart are counted the same way.
//!
//! An operator after an operand that ends with a call of *another* left-recursive rule is mostly captured by that rule, if
//! it has such an operator too: in `- a + b` with `u : '-' n | u '+' n` and `n : ID | n '+' n` the plus belongs to `n`.
//! Precedence does not tell, and the parser itself may need the whole rest of the text to find out, so this is learned for
//! pairs of operator and rule. An operator that is captured after every operand is avoided altogether.
//!
//! The training drafts have seeds of their own, so the statistics follow from grammar and options alone.

use crate::decisions::choice::{Choice, ChoiceRows};
use crate::decisions::one_token::OneTokenDecisions;
use crate::tables::Tables;
use crate::tuning::{
    EARLY_QUESTION, LATE_QUESTION, MIN_LOSSES, MIN_LOSSES_WITHOUT_WIN, WINS_PER_LOSS_NEGLIGIBLE,
    WINS_PER_LOSS_RARE,
};
use polysmith_grammar::analysis::{BitMatrix, Bits};
use polysmith_grammar::{AltId, BlockId, TokenType};
use rustc_hash::FxHashMap;

/// How often the parser agreed with the draft, and how often not.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    won: u32,
    lost: u32,
}

/// Records by row and next token, with the tokens before which a row is bad.
#[derive(Debug, Clone)]
struct Records {
    counts: FxHashMap<(usize, TokenType), Record>,
    bad: BitMatrix,
    /// By row: it is bad before some token.
    any: Vec<bool>,
}

impl Records {
    fn new(n_rows: usize, n_tokens: usize) -> Records {
        Records {
            counts: FxHashMap::default(),
            bad: BitMatrix::new(n_rows, n_tokens),
            any: vec![false; n_rows],
        }
    }

    fn won(&mut self, row: usize, token: TokenType) {
        self.counts.entry((row, token)).or_default().won += 1;
    }

    fn lost(&mut self, row: usize, token: TokenType) {
        let record = self.counts.entry((row, token)).or_default();
        record.lost += 1;
        if record.lost >= MIN_LOSSES && record.lost > record.won {
            self.mark_bad(row, token.index());
        }
    }

    fn mark_bad(&mut self, row: usize, token: usize) {
        self.bad.insert(row, token);
        self.any[row] = true;
    }

    #[inline]
    fn bad(&self, row: usize) -> Option<Bits<'_>> {
        self.any[row].then(|| self.bad.row(row))
    }
}

/// Counts and conclusions.
#[derive(Debug, Clone)]
pub(crate) struct DecisionStatistics {
    rows: ChoiceRows,
    /// By choice.
    choices: Records,
    /// By choice: before any token.
    totals: Vec<Record>,
    /// By token type: whether another token could follow it directly or after a separator.
    neighbours: Records,
    /// By block: no alternative is bad before any token. Empty during training.
    reliable: Vec<bool>,
    /// By operator and number of a left-recursive rule: how often an operand that ends with the rule was left before
    /// the operator (won), and how often the rule captured the operator (lost).
    operands: FxHashMap<(AltId, u32), Record>,
    /// Row: operator (its alternative); column: number of a left-recursive rule that captures it.
    captures: BitMatrix,
    /// Row: alternative; column: number of a left-recursive rule. Every text of the alternative that is worth a try ends
    /// with a call of that rule that accepts any precedence.
    pub(crate) must_end: BitMatrix,
}

impl DecisionStatistics {
    pub(crate) fn new(rows: ChoiceRows, n_tokens: usize, tables: &Tables) -> DecisionStatistics {
        DecisionStatistics {
            rows,
            choices: Records::new(rows.len(), n_tokens),
            totals: vec![Record::default(); rows.len()],
            neighbours: Records::new(n_tokens, n_tokens),
            reliable: Vec::new(),
            operands: FxHashMap::default(),
            captures: BitMatrix::new(tables.alternatives.len(), tables.n_recursive()),
            must_end: tables.must_end_without(&[]),
        }
    }

    /// Sums up what was learned when training ends.
    pub(crate) fn conclude(&mut self, tables: &Tables) {
        let is_bad = |alt: u32| self.choices.any[self.rows.of(Choice::Alternative(AltId::new(alt as usize)))];
        self.reliable = tables.blocks.iter().map(|block| !block.alternatives.clone().any(is_bad)).collect();
    }

    /// Whether no alternative of a block is bad before any token. Always `false` during training.
    #[inline]
    pub(crate) fn is_reliable(&self, block: BlockId) -> bool {
        self.reliable.get(block.index()).copied().unwrap_or(false)
    }

    /// The tokens before which a choice is bad; `None` if there are none.
    #[inline]
    pub(crate) fn bad_after_choice(&self, choice: Choice) -> Option<Bits<'_>> {
        self.choices.bad(self.rows.of(choice))
    }

    /// The tokens that cannot follow a token; `None` if there are none.
    #[inline]
    pub(crate) fn bad_after_token(&self, token: TokenType) -> Option<Bits<'_>> {
        self.neighbours.bad(token.index())
    }

    /// The number of tokens after which the parser's full prediction is asked about a choice: few if it is known to lose.
    #[inline]
    pub(crate) fn patience(&self, choice: Choice) -> u32 {
        let Record { won, lost } = self.totals[self.rows.of(choice)];
        if lost * WINS_PER_LOSS_RARE > won {
            EARLY_QUESTION
        } else if lost * WINS_PER_LOSS_NEGLIGIBLE >= won {
            LATE_QUESTION
        } else {
            u32::MAX
        }
    }

    /// The parser made a choice before a token.
    pub(crate) fn won(&mut self, choice: Choice, token: TokenType) {
        let row = self.rows.of(choice);
        self.totals[row].won += 1;
        self.choices.won(row, token);
    }

    /// The parser did not make a choice before a token. A choice that always lost is bad before every token that does not
    /// settle it.
    pub(crate) fn lost(&mut self, choice: Choice, token: TokenType, one_token: &OneTokenDecisions) {
        let row = self.rows.of(choice);
        self.totals[row].lost += 1;
        self.choices.lost(row, token);
        if self.totals[row].won == 0 && self.totals[row].lost == MIN_LOSSES_WITHOUT_WIN {
            for token in one_token.next_tokens(choice).iter() {
                if !one_token.is_settled_by(choice, TokenType::new(token)) {
                    self.choices.mark_bad(row, token);
                }
            }
        }
    }

    /// No text of `next` could follow a token.
    pub(crate) fn cannot_follow(&mut self, token: TokenType, next: TokenType) {
        self.neighbours.lost(token.index(), next);
    }

    /// The left-recursive rules that capture this operator when an operand ends with one of them; `None` if there are
    /// none.
    #[inline]
    pub(crate) fn capturing_rules(&self, operator: AltId) -> Option<Bits<'_>> {
        Some(self.captures.row(operator.index())).filter(|rules| !rules.is_empty())
    }

    /// An operand that ends with the left-recursive rule of this number was left before an operator, or the rule captured
    /// the operator. Returns whether this is the case that shows that the rule captures it.
    pub(crate) fn operand(&mut self, operator: AltId, rule: u32, was_left: bool) -> bool {
        let record = self.operands.entry((operator, rule)).or_default();
        if was_left {
            record.won += 1;
            return false;
        }
        record.lost += 1;
        let is_new = record.lost == MIN_LOSSES_WITHOUT_WIN && record.won == 0;
        if is_new {
            self.captures.insert(operator.index(), rule as usize);
        }
        is_new
    }

    /// Marks operators that are captured after all their operands as bad before everything.
    ///
    /// An operand may end with another such operator. So all of them are assumed to be unusable at first, and those that
    /// turn out to have an operand are admitted again until nothing changes.
    pub(crate) fn close_captured(&mut self, one_token: &OneTokenDecisions, tables: &Tables) {
        let is_captured = |alt: &usize| self.capturing_rules(AltId::new(*alt)).is_some();
        let mut closed: Vec<usize> = (0..tables.alternatives.len()).filter(is_captured).collect();
        loop {
            let ends = tables.must_end_without(&closed);
            let before = closed.len();
            closed.retain(|operator| {
                let rules = self.captures.row(*operator);
                tables.primaries_beside(*operator).all(|alt| ends.row(alt).intersects(rules))
            });
            if closed.len() == before {
                self.must_end = ends;
                break;
            }
        }
        for operator in closed {
            let choice = Choice::Alternative(AltId::new(operator));
            for token in one_token.next_tokens(choice).iter() {
                self.choices.mark_bad(self.rows.of(choice), token);
            }
        }
    }
}
