//! What the parser was seen to do: which options lose before which tokens.
//!
//! Sets of first tokens cannot tell whether a parser that looks further comes to the drafted alternative: a
//! trailing comma is found by looking two tokens ahead, a dangling `else` never goes outside. So when a grammar
//! is compiled some hundred drafts are drawn, and for each option that one token did not settle it is counted how often
//! the parser took it before which token, and how often not. Where it lost more often than not, the option is
//! *bad* before that token, and the walk avoids the combination. The same for pairs of neighbouring tokens that
//! no separator can keep apart.
//!
//! An operator behind an operand that ends with a call of *another* left-recursive rule is mostly taken by that rule,
//! if it has such an operator too: in `- a + b` with `u : '-' n | u '+' n` and `n : ID | n '+' n` the plus belongs to
//! `n`. Precedence cannot tell, and the parser itself may need the whole rest of the text to find out, so this is
//! learned by pairs of operator and rule. An operator whose operands all end so is avoided altogether.
//!
//! The drafts have seeds of their own, so what is learned follows from grammar and options alone.

use crate::decisions::one_token::OneTokenDecisions;
use crate::tables::Tables;
use polysmith_grammar::analysis::{BitMatrix, Bits};
use polysmith_grammar::{BlockId, TokenType};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Losses before an option counts as bad.
const ENOUGH: u32 = 2;
/// Losses, without ever winning, before an option counts as bad wherever it is in doubt.
const ALWAYS: u32 = 4;

/// An option that lost not once in so many cases loses rarely.
const RARELY: u32 = 8;
/// And one that lost not once in so many hardly ever: prediction is asked about it when the text ends.
const HARDLY_EVER: u32 = 64;
/// Tokens that a question waits before prediction is asked: about an option that loses, and about others.
const EAGER: u32 = 2;
const PATIENT: u32 = 16;

/// Counts and conclusions.
#[derive(Debug, Clone)]
pub(crate) struct DecisionStatistics {
    counts: FxHashMap<(u32, u32), (u32, u32)>,
    /// Row option (behind them: row token type, for pairs of neighbours), column next token.
    bad: BitMatrix,
    any: Vec<bool>,
    /// By option: how often it won and lost before any token.
    totals: Vec<(u32, u32)>,
    n_options: usize,
    /// By block: no alternative is bad before anything.
    calm: Vec<bool>,
    /// By operator and number of a left-recursive rule: how often an operand that ends with the rule was left before
    /// the operator, and how often the rule took the operator.
    operands: FxHashMap<(u32, u32), (u32, u32)>,
    /// Row operator (its alternative), column number of a left-recursive rule that takes it.
    swallows: BitMatrix,
    /// Row alternative, column number of a left-recursive rule: every text of the alternative that is worth a try ends
    /// with a call of that rule that accepts any precedence.
    pub(crate) must_end: BitMatrix,
}

impl DecisionStatistics {
    pub(crate) fn new(n_options: usize, n_tokens: usize, tables: &Tables) -> DecisionStatistics {
        DecisionStatistics {
            counts: FxHashMap::default(),
            bad: BitMatrix::new(n_options + n_tokens, n_tokens),
            any: vec![false; n_options + n_tokens],
            totals: vec![(0, 0); n_options + n_tokens],
            n_options,
            calm: Vec::new(),
            operands: FxHashMap::default(),
            swallows: BitMatrix::new(tables.alternatives.len(), tables.n_recursive()),
            must_end: tables.must_end_without(&[]),
        }
    }

    /// Sums up what was learned, by block with its alternatives.
    pub(crate) fn conclude(&mut self, blocks: impl Iterator<Item = Range<u32>>) {
        let any = &self.any;
        self.calm =
            blocks.map(|alternatives| alternatives.into_iter().all(|alt| !any[alt as usize])).collect();
    }

    /// Whether no alternative of a block is bad before anything. While learning, nobody knows.
    #[inline]
    pub(crate) fn is_calm(&self, block: BlockId) -> bool {
        self.calm.get(block.index()).copied().unwrap_or(false)
    }

    /// The row of the pairs that begin with a token.
    pub(crate) fn behind(&self, token: TokenType) -> usize {
        self.n_options + token.index()
    }

    /// The tokens before which an option is bad; `None` if there are none.
    #[inline]
    pub(crate) fn bad(&self, option: usize) -> Option<Bits<'_>> {
        self.any[option].then(|| self.bad.row(option))
    }

    /// How many tokens a question about an option may wait before the parser's prediction is asked: few if the option is
    /// known to lose.
    #[inline]
    pub(crate) fn patience(&self, option: u32) -> u32 {
        let (won, lost) = self.totals[option as usize];
        match () {
            () if lost * RARELY > won => EAGER,
            () if lost * HARDLY_EVER >= won => PATIENT,
            () => u32::MAX,
        }
    }

    pub(crate) fn won(&mut self, option: u32, token: TokenType) {
        self.totals[option as usize].0 += 1;
        self.counts.entry((option, token.index() as u32)).or_default().0 += 1;
    }

    /// An option lost that has never won: it is bad before all tokens that leave it in doubt.
    pub(crate) fn generalize(&mut self, option: u32, one_token: &OneTokenDecisions) {
        let (won, lost) = self.totals[option as usize];
        if won == 0 && lost == ALWAYS {
            for token in one_token.predict(option as usize).iter() {
                if !one_token.before(option as usize, TokenType::new(token)) {
                    self.bad.insert(option as usize, token);
                    self.any[option as usize] = true;
                }
            }
        }
    }

    /// The left-recursive rules that take this operator when an operand ends with one of them; `None` if there are
    /// none.
    #[inline]
    pub(crate) fn swallowers(&self, operator: usize) -> Option<Bits<'_>> {
        Some(self.swallows.row(operator)).filter(|rules| !rules.is_empty())
    }

    /// An operand that ends with a left-recursive rule of this number was left before an operator, or was not. Whether
    /// it became clear that the rule takes the operator.
    pub(crate) fn operand(&mut self, operator: u32, rule: u32, left: bool) -> bool {
        let (won, lost) = self.operands.entry((operator, rule)).or_default();
        if left {
            *won += 1;
            return false;
        }
        *lost += 1;
        let is_new = *lost == ALWAYS && *won == 0;
        if is_new {
            self.swallows.insert(operator as usize, rule as usize);
        }
        is_new
    }

    /// Operators that are taken from all their operands are bad before everything.
    ///
    /// An operand may end with another such operator, so all are assumed to be closed at first, and those that turn
    /// out to have an operand are opened again until nothing changes.
    pub(crate) fn close_swallowed(&mut self, one_token: &OneTokenDecisions, tables: &Tables) {
        let mut closed: Vec<usize> =
            (0..tables.alternatives.len()).filter(|alt| self.swallowers(*alt).is_some()).collect();
        loop {
            let ends = tables.must_end_without(&closed);
            let before = closed.len();
            closed.retain(|operator| {
                let swallowers = self.swallows.row(*operator);
                tables.primaries_beside(*operator).all(|alt| ends.row(alt).intersects(swallowers))
            });
            if closed.len() == before {
                self.must_end = ends;
                break;
            }
        }
        for operator in closed {
            for token in one_token.predict(operator).iter() {
                self.bad.insert(operator, token);
                self.any[operator] = true;
            }
        }
    }

    pub(crate) fn lost(&mut self, option: u32, token: TokenType) {
        self.totals[option as usize].1 += 1;
        let key = (option, token.index() as u32);
        let (won, lost) = self.counts.entry(key).or_default();
        *lost += 1;
        if *lost >= ENOUGH && *lost > *won {
            self.bad.insert(option as usize, token.index());
            self.any[option as usize] = true;
        }
    }
}
