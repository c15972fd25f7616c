//! The sizes of tests: limits, checked against the grammar, and the size that one test aims at.

use super::{Options, SetupError, left_out};
use crate::compiled::Compiled;
use crate::draft::SizeLimits;
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
        return Err(SetupError::Infinite { rule, why: why_infinite(compiled) });
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
    let too_many = |why: String| SetupError::TooMany { given: options.min_tokens, why };
    if options.min_tokens > max_tokens {
        return Err(too_many(format!("max-tokens is {max_tokens}")));
    }
    if longest != UNBOUNDED && options.min_tokens > longest {
        return Err(too_many(format!("the longest text has {longest} tokens")));
    }
    Ok(SizeLimits { depth, max_tokens, target: max_tokens })
}

fn why_infinite(compiled: &Compiled) -> String {
    let Compiled { grammar, uses, start, .. } = compiled;
    if Minima::heights(grammar, uses).rule(*start).is_none() {
        return "every way through it calls one of its rules again or has a predicate that is false".into();
    }
    let missing = left_out(compiled);
    if missing.is_empty() {
        return "the options exclude every way through it".into();
    }
    let names: Vec<String> = missing.iter().take(5).map(|token| grammar.tokens().display(*token)).collect();
    format!(
        "it needs tokens that nothing makes ({}); give texts in the side file's [tokens]",
        names.join(", ")
    )
}
