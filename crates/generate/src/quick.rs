//! Sums for choices in which nothing stands in the way.
//!
//! Most choices are free: enough height and tokens are left for every alternative, no precedence and nothing learned
//! speaks against one. Then the weights depend on the budget alone, and their sum is known beforehand. What is drawn is
//! what [`crate::draft`]'s careful way would draw, number by number.

use crate::lexicon::Lexicon;
use crate::sure::Sure;
use crate::tables::{Tables, UNBOUNDED};
use polysmith_grammar::analysis::BitMatrix;
use polysmith_grammar::{BlockId, ModeId};
use polysmith_random::Stream;

/// The sums, by block.
#[derive(Debug)]
pub(crate) struct Quick {
    /// By alternative: its weight, 0 if it is closed.
    weights: Vec<u32>,
    blocks: Vec<Sums>,
    /// Row mode of the lexer, column block: all open alternatives can begin with a token that can come next there.
    begins: BitMatrix,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// From this height on the least tokens of no alternative change.
    flat_from: u32,
    /// What the cheapest and the dearest alternative need.
    cheapest: u32,
    dearest: u32,
    /// The most tokens of those that cannot grow without end.
    bounded: u32,
    /// Weights of those that grow without end, of the others, and of the cheapest.
    endless: u64,
    others: u64,
    cheap: u64,
    n_open: u32,
    n_cheap: u32,
    /// Precedence has no say.
    plain: bool,
}

impl Quick {
    pub(crate) fn new(tables: &Tables, sure: &Sure, lexicon: &Lexicon) -> Quick {
        let open = |alt: usize| tables.weights[alt] > 0 && tables.curves[alt].least_tokens().is_some();
        let weights: Vec<u32> =
            (0..tables.weights.len()).map(|alt| if open(alt) { tables.weights[alt] } else { 0 }).collect();
        let blocks = tables.blocks.iter().map(|choice| {
            let alternatives = choice.alternatives.start as usize..choice.alternatives.end as usize;
            Sums::of(tables, &weights, alternatives)
        });
        let mut begins = BitMatrix::new(lexicon.known.len().max(1), tables.blocks.len());
        for mode in 0..lexicon.known.len() {
            let ready = lexicon.ready.row(mode);
            for (block, choice) in tables.blocks.iter().enumerate() {
                let mut open =
                    choice.alternatives.clone().map(|alt| alt as usize).filter(|alt| weights[*alt] > 0);
                if lexicon.known.len() == 1 || open.all(|alt| sure.predict.row(alt).intersects(ready)) {
                    begins.insert(mode, block);
                }
            }
        }
        Quick { blocks: blocks.collect(), weights, begins }
    }

    /// Whether what can come next in a mode of the lexer closes no alternative of a block.
    #[inline]
    pub(crate) fn begins(&self, mode: ModeId, block: BlockId) -> bool {
        self.begins.contains(mode.index(), block.index())
    }

    /// Draws an alternative with so much height, budget and room for tokens left; `None` where a closer look is needed.
    #[inline]
    pub(crate) fn draw(
        &self,
        tables: &Tables,
        block: BlockId,
        (height, budget, free): (u32, u32, u32),
        stream: &mut Stream,
    ) -> Option<usize> {
        let sums = &self.blocks[block.index()];
        if !sums.plain || height < sums.flat_from || free < sums.dearest {
            return None;
        }
        let range = &tables.blocks[block.index()].alternatives;
        let alternatives = range.start as usize..range.end as usize;
        if budget <= 1 && sums.cheapest >= budget {
            // Nothing is left to spend: only what costs least.
            let weight = |alt: usize| match tables.curves[alt].at(height) {
                least if least == sums.cheapest => u64::from(self.weights[alt]),
                _ => 0,
            };
            return pick(alternatives, weight, sums.cheap, sums.n_cheap, stream);
        }
        if budget <= 1 || budget <= sums.bounded || budget <= sums.cheapest {
            return None;
        }
        let shift = growth(budget);
        let weight = |alt: usize| {
            u64::from(self.weights[alt]) << if tables.most[alt] == UNBOUNDED { shift } else { 0 }
        };
        pick(alternatives, weight, sums.others + (sums.endless << shift), sums.n_open, stream)
    }
}

/// How many times as likely an alternative is that can use up the budget, as a power of two.
#[inline]
pub(crate) fn growth(budget: u32) -> u32 {
    (2 * budget.ilog2()).min(24)
}

impl Sums {
    fn of(tables: &Tables, weights: &[u32], alternatives: std::ops::Range<usize>) -> Sums {
        let mut sums = Sums { cheapest: u32::MAX, plain: true, ..Sums::default() };
        for alt in alternatives.filter(|alt| weights[*alt] > 0) {
            let curve = &tables.curves[alt];
            let least = curve.least_tokens().unwrap_or(u32::MAX);
            let weight = u64::from(weights[alt]);
            sums.flat_from = sums.flat_from.max(curve.flat_from());
            sums.dearest = sums.dearest.max(least);
            if least < sums.cheapest {
                (sums.cheapest, sums.cheap, sums.n_cheap) = (least, 0, 0);
            }
            if least == sums.cheapest {
                sums.cheap += weight;
                sums.n_cheap += 1;
            }
            match tables.most[alt] {
                UNBOUNDED => sums.endless += weight,
                most => {
                    sums.bounded = sums.bounded.max(most);
                    sums.others += weight;
                }
            }
            sums.n_open += 1;
            sums.plain &= tables.grips[alt].is_none();
        }
        sums.plain &= sums.n_open > 0;
        sums
    }
}

/// Draws by weights whose sum is known. One open alternative needs no draw.
#[inline]
fn pick(
    mut alternatives: std::ops::Range<usize>,
    weight: impl Fn(usize) -> u64,
    total: u64,
    n_open: u32,
    stream: &mut Stream,
) -> Option<usize> {
    let mut drawn = if n_open == 1 { 0 } else { stream.below(total) };
    alternatives.find(|alt| {
        let weight = weight(*alt);
        let here = drawn < weight;
        drawn = drawn.wrapping_sub(weight);
        here
    })
}
