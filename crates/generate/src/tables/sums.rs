//! Precomputed sums of weights for choices that depend on size alone.
//!
//! Most choices are unconstrained: height and tokens suffice for every alternative, and neither precedence nor the
//! decision statistics exclude one. The weights then depend on the budget alone, and their sum is known in advance.
//! [`WeightSums::draw`] uses the same random numbers as the careful path in [`crate::draft`] and returns the same
//! alternative, so it is a pure optimization (`tests/embed.rs` compares the two).

use super::{Tables, UNBOUNDED};
use crate::decisions::choice::Choice;
use crate::decisions::one_token::OneTokenDecisions;
use crate::lexical::lexicon::Lexicon;
use crate::tuning::MAX_GROWTH;
use polysmith_grammar::analysis::BitMatrix;
use polysmith_grammar::{AltId, BlockId, ModeId};
use polysmith_random::Stream;

/// The sums of all blocks.
#[derive(Debug)]
pub(crate) struct WeightSums {
    /// By alternative: its weight, 0 if it is closed.
    weights: Vec<u32>,
    blocks: Vec<BlockSums>,
    /// Row: mode of the lexer; column: block. In that mode every open alternative can begin with an available token.
    can_begin: BitMatrix,
}

/// The sums of one block.
#[derive(Debug, Clone, Copy, Default)]
struct BlockSums {
    /// From this height on the least tokens of no alternative change.
    flat_from: u32,
    /// The least tokens of the cheapest and of the most expensive alternative.
    cheapest: u32,
    dearest: u32,
    /// The most tokens of the alternatives that are bounded.
    bounded: u32,
    /// Weights of the unbounded alternatives, of the bounded ones, and of the cheapest.
    unbounded_weight: u64,
    bounded_weight: u64,
    cheapest_weight: u64,
    n_open: u32,
    n_cheapest: u32,
    /// Precedence excludes nothing.
    is_plain: bool,
}

impl WeightSums {
    pub(crate) fn new(tables: &Tables, one_token: &OneTokenDecisions, lexicon: &Lexicon) -> WeightSums {
        let open = |alt: usize| tables.weights[alt] > 0 && tables.curves[alt].least_tokens().is_some();
        let weights: Vec<u32> =
            (0..tables.weights.len()).map(|alt| if open(alt) { tables.weights[alt] } else { 0 }).collect();
        let blocks = tables.blocks.iter().map(|block| {
            let alternatives = block.alternatives.start as usize..block.alternatives.end as usize;
            BlockSums::of(tables, &weights, alternatives)
        });
        let n_modes = lexicon.n_modes();
        let mut can_begin = BitMatrix::new(n_modes.max(1), tables.blocks.len());
        for mode in 0..n_modes {
            let available = lexicon.available.row(mode);
            for (number, block) in tables.blocks.iter().enumerate() {
                let mut open =
                    block.alternatives.clone().map(|alt| alt as usize).filter(|alt| weights[*alt] > 0);
                if n_modes == 1
                    || open.all(|alt| {
                        one_token.next_tokens(Choice::Alternative(AltId::new(alt))).intersects(available)
                    })
                {
                    can_begin.insert(mode, number);
                }
            }
        }
        WeightSums { blocks: blocks.collect(), weights, can_begin }
    }

    /// Returns whether the tokens that are available in a mode exclude no alternative of a block.
    #[inline]
    pub(crate) fn can_begin(&self, mode: ModeId, block: BlockId) -> bool {
        self.can_begin.contains(mode.index(), block.index())
    }

    /// Draws an alternative for this height, budget and number of free tokens. `None` if the careful path must decide.
    #[inline]
    pub(crate) fn draw(
        &self,
        tables: &Tables,
        block: BlockId,
        (height, budget, free): (u32, u32, u32),
        stream: &mut Stream,
    ) -> Option<AltId> {
        let sums = &self.blocks[block.index()];
        if !sums.is_plain || height < sums.flat_from || free < sums.dearest {
            return None;
        }
        let range = &tables.block(block).alternatives;
        let alternatives = range.start as usize..range.end as usize;
        if budget <= 1 && sums.cheapest >= budget {
            // The budget is used up: only the cheapest alternatives are open.
            let weight = |alt: usize| match tables.curves[alt].at(height) {
                least if least == sums.cheapest => u64::from(self.weights[alt]),
                _ => 0,
            };
            return pick(alternatives, weight, (sums.cheapest_weight, sums.n_cheapest), stream);
        }
        if budget <= 1 || budget <= sums.bounded || budget <= sums.cheapest {
            return None;
        }
        let shift = growth(budget);
        let weight = |alt: usize| {
            u64::from(self.weights[alt]) << if tables.max_tokens[alt] == UNBOUNDED { shift } else { 0 }
        };
        let total = sums.bounded_weight + (sums.unbounded_weight << shift);
        pick(alternatives, weight, (total, sums.n_open), stream)
    }
}

/// The factor of an alternative that can use up the budget, as a power of two: nearly the square of the budget.
#[inline]
pub(crate) fn growth(budget: u32) -> u32 {
    (2 * budget.ilog2()).min(MAX_GROWTH)
}

impl BlockSums {
    fn of(tables: &Tables, weights: &[u32], alternatives: std::ops::Range<usize>) -> BlockSums {
        let mut sums = BlockSums { cheapest: u32::MAX, is_plain: true, ..BlockSums::default() };
        for alt in alternatives.filter(|alt| weights[*alt] > 0) {
            let curve = &tables.curves[alt];
            let least = curve.least_tokens().unwrap_or(u32::MAX);
            let weight = u64::from(weights[alt]);
            sums.flat_from = sums.flat_from.max(curve.flat_from());
            sums.dearest = sums.dearest.max(least);
            if least < sums.cheapest {
                (sums.cheapest, sums.cheapest_weight, sums.n_cheapest) = (least, 0, 0);
            }
            if least == sums.cheapest {
                sums.cheapest_weight += weight;
                sums.n_cheapest += 1;
            }
            match tables.max_tokens[alt] {
                UNBOUNDED => sums.unbounded_weight += weight,
                most => {
                    sums.bounded = sums.bounded.max(most);
                    sums.bounded_weight += weight;
                }
            }
            sums.n_open += 1;
            sums.is_plain &= tables.operators[alt].is_none();
        }
        sums.is_plain &= sums.n_open > 0;
        sums
    }
}

/// Draws by weights, given their sum and the number of those above 0. A single one needs no random number.
#[inline]
fn pick(
    mut alternatives: std::ops::Range<usize>,
    weight: impl Fn(usize) -> u64,
    (total, n_open): (u64, u32),
    stream: &mut Stream,
) -> Option<AltId> {
    let mut drawn = if n_open == 1 { 0 } else { stream.below(total) };
    let found = alternatives.find(|alt| {
        let weight = weight(*alt);
        let here = drawn < weight;
        drawn = drawn.wrapping_sub(weight);
        here
    });
    found.map(AltId::new)
}
