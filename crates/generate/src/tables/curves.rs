//! The least number of tokens for every height that is left.
//!
//! A depth limit and a token limit can contradict each other when each is checked alone: the shallow way out of a
//! rule may be the long one. So the minimum is kept as a falling staircase, *height left → least tokens*; a
//! choice that fits its staircase can always be finished within both limits, and no limit is ever raised.
//!
//! Staircases are found height by height: in round `h` only rules that call a rule whose stair moved in round
//! `h - 1` are looked at again, so the cost is the number of stairs times the uses of their rules. Nearly all
//! staircases have one or two stairs.

use polysmith_grammar::analysis::Uses;
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, RuleId, TokenType};

/// No text fits.
pub(crate) const NEVER: u32 = u32::MAX;
/// Larger minima are all the same to us.
const CEILING: u32 = 1 << 30;

/// A falling staircase. Nothing fits below its first height; above its last it is flat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Curve {
    /// From this height on the value is `least`: the one question that is asked all the time.
    flat_from: u32,
    least: u32,
    /// `(height, tokens)`, heights rising, tokens falling.
    stairs: Vec<(u32, u32)>,
}

impl Default for Curve {
    fn default() -> Curve {
        Curve { flat_from: NEVER, least: NEVER, stairs: Vec::new() }
    }
}

impl Curve {
    fn constant(tokens: u32) -> Curve {
        Curve { flat_from: 0, least: tokens, stairs: vec![(0, tokens)] }
    }

    /// The least tokens with this height left; [`NEVER`] if it is too little.
    #[inline]
    pub(crate) fn at(&self, height: u32) -> u32 {
        if height >= self.flat_from {
            return self.least;
        }
        match self.stairs.iter().rev().find(|(least, _)| *least <= height) {
            Some((_, tokens)) => *tokens,
            None => NEVER,
        }
    }

    /// From this height on the least tokens do not change.
    pub(crate) fn flat_from(&self) -> u32 {
        self.flat_from
    }

    /// The least height at which there is any text.
    pub(crate) fn least_height(&self) -> Option<u32> {
        self.stairs.first().map(|(height, _)| *height)
    }

    /// The least tokens when height does not matter.
    pub(crate) fn least_tokens(&self) -> Option<u32> {
        self.stairs.last().map(|(_, tokens)| *tokens)
    }

    fn lower(&mut self, height: u32, tokens: u32) {
        (self.flat_from, self.least) = (height, tokens);
        self.stairs.push((height, tokens));
    }
}

/// The staircases of a grammar of which only some alternatives are open.
#[derive(Debug, Clone)]
pub(crate) struct Curves {
    /// Of a call: a rule whose text needs no other rule has its first stair at height 1.
    pub(crate) rules: Vec<Curve>,
    /// Of an alternative's parts, for the height left inside the rule.
    pub(crate) alternatives: Vec<Curve>,
    /// Of one iteration.
    pub(crate) items: Vec<Curve>,
}

impl Curves {
    /// Solves for all rules, parser rules counting tokens and token rules counting characters.
    pub(crate) fn of(grammar: &Grammar, uses: &Uses, open: &dyn Fn(AltId) -> bool) -> Curves {
        let mut curves = Curves {
            rules: vec![Curve::default(); grammar.rules().len()],
            alternatives: Vec::new(),
            items: Vec::new(),
        };
        let mut items = vec![NEVER; grammar.n_blocks()];
        let mut queue: Vec<RuleId> = grammar.rules().collect();
        let mut queued = vec![0_u32; grammar.rules().len()];
        let mut height = 1;
        while !queue.is_empty() {
            let mut moved = Vec::new();
            for rule in queue.drain(..) {
                let least = curves.evaluate(grammar, rule, height - 1, open, &mut items);
                if least < curves.rules[rule.index()].at(height) {
                    moved.push((rule, least));
                }
            }
            for (rule, least) in &moved {
                curves.rules[rule.index()].lower(height, *least);
            }
            height += 1;
            for (rule, _) in moved {
                for place in uses.calls(rule) {
                    let caller = grammar.block(grammar.alternative(uses.alternative(*place)).block).rule;
                    if queued[caller.index()] != height {
                        queued[caller.index()] = height;
                        queue.push(caller);
                    }
                }
            }
        }
        curves.fill(grammar, open);
        curves
    }

    /// The least tokens of a rule's body when its calls have `height` left.
    fn evaluate(
        &self,
        grammar: &Grammar,
        rule: RuleId,
        height: u32,
        open: &dyn Fn(AltId) -> bool,
        items: &mut [u32],
    ) -> u32 {
        // Inner groups have higher numbers than outer ones.
        for block in BlockId::range(grammar.rule(rule).blocks.clone()).rev() {
            let least = grammar.alternatives(block).filter(|alt| open(*alt)).map(|alt| {
                sum(grammar.elements(alt).iter().map(|element| match element.kind {
                    ElementKind::Rule(callee) => self.rules[callee.index()].at(height),
                    ElementKind::Block(inner) => {
                        times(items[inner.index()], grammar.block(inner).quantifier.min)
                    }
                    leaf => leaf_size(grammar, leaf),
                }))
            });
            items[block.index()] = least.min().unwrap_or(NEVER);
        }
        items[grammar.rule(rule).body().index()]
    }

    /// The staircases of alternatives and groups, once those of the rules are known.
    fn fill(&mut self, grammar: &Grammar, open: &dyn Fn(AltId) -> bool) {
        self.alternatives = vec![Curve::default(); grammar.n_alternatives()];
        self.items = vec![Curve::default(); grammar.n_blocks()];
        for block in (0..grammar.n_blocks()).rev().map(BlockId::new) {
            for alt in grammar.alternatives(block).filter(|alt| open(*alt)) {
                let parts: Vec<Curve> =
                    grammar.elements(alt).iter().map(|element| self.element(grammar, element.kind)).collect();
                self.alternatives[alt.index()] = combine(&parts, |heights| sum(heights));
            }
            let range = grammar.block(block).alternatives.clone();
            let alternatives = &self.alternatives[range.start.index()..range.end.index()];
            self.items[block.index()] = combine(alternatives, |tokens| tokens.min().unwrap_or(NEVER));
        }
    }

    /// The staircase of one part of an alternative.
    pub(crate) fn element(&self, grammar: &Grammar, kind: ElementKind) -> Curve {
        match kind {
            ElementKind::Rule(rule) => self.rules[rule.index()].clone(),
            ElementKind::Block(block) => match grammar.block(block).quantifier.min {
                0 => Curve::constant(0),
                min => {
                    let item = &self.items[block.index()];
                    let mut all = Curve::default();
                    item.stairs.iter().for_each(|(height, tokens)| all.lower(*height, times(*tokens, min)));
                    all
                }
            },
            leaf => match leaf_size(grammar, leaf) {
                NEVER => Curve::default(),
                size => Curve::constant(size),
            },
        }
    }
}

/// Combines staircases at every height at which one of them moves.
fn combine(parts: &[Curve], join: impl Fn(&mut dyn Iterator<Item = u32>) -> u32) -> Curve {
    let mut heights: Vec<u32> =
        parts.iter().flat_map(|part| part.stairs.iter().map(|stair| stair.0)).collect();
    heights.push(0);
    heights.sort_unstable();
    heights.dedup();
    let mut curve = Curve::default();
    for height in heights {
        let tokens = join(&mut parts.iter().map(|part| part.at(height)));
        if tokens < curve.at(height) {
            curve.lower(height, tokens);
        }
    }
    curve
}

fn sum(parts: impl Iterator<Item = u32>) -> u32 {
    let mut total = 0_u32;
    for part in parts {
        if part == NEVER {
            return NEVER;
        }
        total = (total + part).min(CEILING);
    }
    total
}

fn times(tokens: u32, count: u32) -> u32 {
    match (tokens, count) {
        (_, 0) => 0,
        (NEVER, _) => NEVER,
        _ => tokens.saturating_mul(count).min(CEILING),
    }
}

/// Tokens or characters of what is neither rule nor group.
fn leaf_size(grammar: &Grammar, kind: ElementKind) -> u32 {
    match kind {
        ElementKind::Token(TokenType::EOF) => 0,
        ElementKind::Code(code) if grammar.code(code).is_never() => NEVER,
        ElementKind::Code(_) => 0,
        ElementKind::Chars(set) if grammar.chars(set).is_empty() => NEVER,
        ElementKind::Text(text) => (grammar.text(text).chars().count() as u32).min(CEILING),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_grammar::{Alt, Builder};

    /// The shallow way is the long one: `s : a | 'x' 'x' 'x' ; a : 'x' ;`.
    #[test]
    fn less_height_costs_more_tokens() {
        let mut b = Builder::new("T");
        let x = b.literal("'x'", "x");
        let (s, a) = (b.rule("s"), b.rule("a"));
        b.body(s, [Alt::of([a.into()]), Alt::of([x.into(), x.into(), x.into()])]);
        b.body(a, [Alt::of([x.into()])]);
        let grammar = b.finish();
        let curves = Curves::of(&grammar, &Uses::of(&grammar), &|_| true);
        let of_s = &curves.rules[s.index()];
        assert_eq!([0, 1, 2, 9].map(|height| of_s.at(height)), [NEVER, 3, 1, 1]);
        assert_eq!(curves.items[0].at(0), 3);
    }

    #[test]
    fn what_never_ends_has_no_stair() {
        let mut b = Builder::new("T");
        let x = b.literal("'x'", "x");
        let s = b.rule("s");
        b.body(s, [Alt::of([x.into(), s.into()])]);
        let grammar = b.finish();
        let curves = Curves::of(&grammar, &Uses::of(&grammar), &|_| true);
        assert_eq!(curves.rules[0].least_height(), None);
    }
}
