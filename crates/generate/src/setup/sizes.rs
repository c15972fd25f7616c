//! The sizes of tests: limits, checked against the grammar, and the size that one test aims at.

use super::{Options, left_out};
use crate::compiled::Compiled;
use crate::draft::SizeLimits;
use crate::error::{InfiniteCause, SetupError};
use crate::tables::UNBOUNDED;
use crate::tuning::SPARE_DEPTH;
use polysmith_grammar::analysis::{Minima, depth_of_all_alternatives};
use polysmith_random::Stream;

/// Between which sizes tests are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) limits: SizeLimits,
    /// Tokens that the user wants at least.
    min_tokens: u32,
    /// Tokens of the shortest text within the limits.
    shortest: u32,
    /// Tokens of the longest text of the grammar; [`UNBOUNDED`] if there is none.
    pub(crate) longest: u32,
}

impl Sizes {
    /// Checks the limits of the options.
    pub(crate) fn new(compiled: &Compiled, options: &Options) -> Result<Sizes, SetupError> {
        let limits = limits(compiled, options)?;
        Ok(Sizes {
            limits,
            min_tokens: options.min_tokens,
            shortest: compiled.least_tokens(limits.depth),
            longest: compiled.tables.body(compiled.start).max_tokens,
        })
    }

    /// Draws the number of tokens to aim at, and the least that a test must have. All orders of magnitude between the
    /// limits are equally likely.
    ///
    /// One test in 64 may be empty, where the language has an empty text and the user asks for no minimum.
    pub(crate) fn draw_target(&self, stream: &mut Stream) -> (u32, u32) {
        let is_always_empty = self.longest == 0;
        let least = self.min_tokens.max(u32::from(stream.below(64) > 0 && !is_always_empty));
        let floor = self.shortest.max(self.min_tokens).max(1);
        let high = self.limits.max_tokens.max(floor);
        // One test in eight may be tiny; the others leave room for variety.
        let low = if stream.below(8) == 0 { floor } else { floor.max(high / 16) };
        let magnitude = stream.between(low.ilog2().into(), high.ilog2().into()) as u32;
        let (from, to) = (1_u64 << magnitude, (1_u64 << (magnitude + 1)) - 1);
        let from = from.max(low.into());
        (stream.between(from, to.min(high.into()).max(from)) as u32, least)
    }
}

fn limits(compiled: &Compiled, options: &Options) -> Result<SizeLimits, SetupError> {
    let Compiled { grammar, uses, start, tables, .. } = compiled;
    let max_tokens = options.max_tokens.unwrap_or(Options::DEFAULT_TOKENS);
    if !compiled.starts_with_parser_rule() {
        return Ok(SizeLimits { depth: 1, max_tokens, target: max_tokens });
    }
    let curve = &tables.rule_curves[start.index()];
    let Some(least_height) = curve.least_height() else {
        let rule = grammar.rule(*start).name.clone();
        return Err(SetupError::Infinite { rule, cause: why_infinite(compiled) });
    };
    let depth = options.max_depth.unwrap_or_else(|| {
        let heights = Minima::heights(grammar, uses);
        let all = depth_of_all_alternatives(grammar, uses, &heights, *start).unwrap_or(0);
        all.max(least_height).saturating_add(SPARE_DEPTH)
    });
    if depth < least_height {
        return Err(SetupError::Depth { given: depth, least: least_height });
    }
    let least = curve.at(depth);
    let max_tokens = match options.max_tokens {
        Some(given) if given < least => return Err(SetupError::Tokens { given, depth, least }),
        Some(given) => given,
        None => max_tokens.max(least.saturating_mul(2)).max(options.min_tokens.saturating_mul(2)),
    };
    let longest = tables.body(*start).max_tokens;
    let given = options.min_tokens;
    if given > max_tokens {
        return Err(SetupError::MinAboveLimit { given, limit: max_tokens });
    }
    if longest != UNBOUNDED && given > longest {
        return Err(SetupError::MinAboveLongest { given, longest });
    }
    Ok(SizeLimits { depth, max_tokens, target: max_tokens })
}

/// Tokens without text that an error names.
const MAX_NAMED_TOKENS: usize = 5;

fn why_infinite(compiled: &Compiled) -> InfiniteCause {
    let Compiled { grammar, uses, start, .. } = compiled;
    if Minima::heights(grammar, uses).rule(*start).is_none() {
        return InfiniteCause::Recursion;
    }
    let missing = left_out(compiled);
    if missing.is_empty() {
        return InfiniteCause::Options;
    }
    let named = missing.iter().take(MAX_NAMED_TOKENS);
    InfiniteCause::MissingTokens(named.map(|token| grammar.tokens().display(*token)).collect())
}
