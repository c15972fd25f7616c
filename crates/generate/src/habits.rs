//! What the parser was seen to do: which options lose before which tokens.
//!
//! Sets of first tokens cannot tell whether a parser that looks further comes to the drafted alternative: a
//! trailing comma is found by looking two tokens ahead, a dangling `else` never goes outside. So when a grammar
//! is compiled some hundred drafts are drawn, and for each option that was not sure it is counted how often
//! the parser took it before which token, and how often not. Where it lost more often than not, the option is
//! *bad* before that token, and the walk avoids the combination. The same for pairs of neighbouring tokens that
//! no separator can keep apart. The drafts have seeds of their own, so what is learned follows from grammar and
//! options alone.

use crate::sure::Sure;
use polysmith_grammar::analysis::{BitMatrix, Bits};
use polysmith_grammar::{BlockId, TokenType};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Losses before an option counts as bad.
const ENOUGH: u32 = 2;
/// Losses, without ever winning, before an option counts as bad wherever it is in doubt.
const ALWAYS: u32 = 4;

/// Counts and conclusions.
#[derive(Debug, Clone)]
pub(crate) struct Habits {
    counts: FxHashMap<(u32, u32), (u32, u32)>,
    /// Row option (behind them: row token type, for pairs of neighbours), column next token.
    bad: BitMatrix,
    any: Vec<bool>,
    /// By option: how often it won and lost before any token.
    totals: Vec<(u32, u32)>,
    n_options: usize,
    /// By block: no alternative is bad before anything.
    calm: Vec<bool>,
}

impl Habits {
    pub(crate) fn new(n_options: usize, n_tokens: usize) -> Habits {
        Habits {
            counts: FxHashMap::default(),
            bad: BitMatrix::new(n_options + n_tokens, n_tokens),
            any: vec![false; n_options + n_tokens],
            totals: vec![(0, 0); n_options + n_tokens],
            n_options,
            calm: Vec::new(),
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

    pub(crate) fn won(&mut self, option: u32, token: TokenType) {
        self.totals[option as usize].0 += 1;
        self.counts.entry((option, token.index() as u32)).or_default().0 += 1;
    }

    /// An option lost that has never won: it is bad before all tokens that leave it in doubt.
    pub(crate) fn generalize(&mut self, option: u32, sure: &Sure) {
        let (won, lost) = self.totals[option as usize];
        if won == 0 && lost == ALWAYS {
            for token in sure.predict.row(option as usize).iter() {
                if !sure.before(option as usize, TokenType::new(token)) {
                    self.bad.insert(option as usize, token);
                    self.any[option as usize] = true;
                }
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
