//! A grammar compiled for generation: flat arrays that are built once.
//!
//! Each alternative is a range of [`Step`]s: tokens, calls and groups. Target code is left out. Next to each step and
//! alternative the tables hold what a choice has to know: the weight as an integer, the least tokens by height
//! ([`Curve`]), the most tokens, and for left-recursive rules the precedence.
//!
//! The tables also decide which alternatives are *open*. An alternative is closed if its weight is 0, if an option
//! excludes it, or if it needs a token that has no text. What cannot be finished without a closed alternative has no
//! curve, so the walk never chooses it.

pub(crate) mod curves;
mod maxima;
mod recursion;
mod steps;
pub(crate) mod sums;

use curves::{Curve, Curves};
use maxima::Maxima;
use polysmith_grammar::analysis::{Nullable, Uses};
use polysmith_grammar::{AltId, BlockId, Grammar, Quantifier, RuleId, TokenType};
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum number of tokens of something that can grow without limit.
pub(crate) const UNBOUNDED: u32 = u32::MAX;

/// One element of an alternative.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// The least tokens by height.
    pub(crate) curve: Curve,
    /// The most tokens; [`UNBOUNDED`] if there is no limit.
    pub(crate) max_tokens: u32,
    /// The number of later steps of the alternative that can have more tokens than they must.
    pub(crate) growing_after: u32,
    /// Everything after the step in the alternative is nullable, so the step may end the alternative.
    pub(crate) at_end: bool,
}

/// What a step derives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// A token of this type.
    Token(TokenType),
    /// A token of one of several types: an index into [`Tables::token_sets`].
    TokenSet(u32),
    /// A call of a rule.
    Call(RuleId, Operand),
    /// A group with its quantifier.
    Group(BlockId),
}

/// The part that a call plays in the precedence of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// None: the call accepts any precedence.
    Free,
    /// The left operand of an operator with this precedence.
    Left(u32),
    /// The trailing operand, which accepts operators of at least this precedence.
    Trailing(u32),
}

/// A group, or the body of a rule.
#[derive(Debug, Clone)]
pub(crate) struct BlockInfo {
    /// The alternatives, as a range of [`AltId`]s.
    pub(crate) alternatives: Range<u32>,
    pub(crate) quantifier: Quantifier,
    /// The least tokens of one iteration.
    pub(crate) curve: Curve,
    /// The most tokens of one iteration.
    pub(crate) max_tokens: u32,
    /// The probability of one more iteration in units of 2^-24, if the user gave one.
    pub(crate) repetition: Option<u32>,
}

/// An alternative of a left-recursive rule as an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperatorInfo {
    /// The number of the rule among the left-recursive rules.
    pub(crate) rule: u32,
    /// The alternative begins with its own rule: the caller must accept `precedence`.
    pub(crate) is_left_recursive: bool,
    pub(crate) precedence: u32,
    /// The alternative ends with a call of its own rule with this precedence.
    pub(crate) trailing: Option<u32>,
}

/// The compiled grammar.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) steps: Vec<Step>,
    /// By [`AltId`]: its range of steps.
    pub(crate) alternatives: Vec<Range<u32>>,
    /// By [`AltId`]: the least tokens by height.
    pub(crate) curves: Vec<Curve>,
    /// By [`AltId`]: the most tokens.
    pub(crate) max_tokens: Vec<u32>,
    /// By [`AltId`]: the weight, 0 if the alternative is closed.
    pub(crate) weights: Vec<u32>,
    /// By [`BlockId`].
    pub(crate) blocks: Vec<BlockInfo>,
    /// By [`RuleId`]: the least tokens of a call, by height.
    pub(crate) rule_curves: Vec<Curve>,
    /// By [`RuleId`]: the body.
    pub(crate) bodies: Vec<BlockId>,
    /// The token types of each `.` and `~` element.
    pub(crate) token_sets: Vec<Vec<TokenType>>,
    /// By [`AltId`]: set for the alternatives of left-recursive rules.
    pub(crate) operators: Vec<Option<OperatorInfo>>,
    /// By [`RuleId`]: its number among the left-recursive rules.
    pub(crate) recursive: Vec<Option<u32>>,
}

impl BlockInfo {
    /// The alternatives as ids.
    #[inline]
    pub(crate) fn alt_ids(&self) -> impl Iterator<Item = AltId> + use<> {
        self.alternatives.clone().map(|alt| AltId::new(alt as usize))
    }

    /// The number of an alternative in its block, from 1.
    #[inline]
    pub(crate) fn number_of(&self, alt: AltId) -> u32 {
        alt.index() as u32 - self.alternatives.start + 1
    }
}

impl Tables {
    /// Compiles a grammar. `weights` is indexed by [`AltId`]; `is_producible` tells which token types have texts.
    pub(crate) fn new(
        grammar: &Grammar,
        uses: &Uses,
        nullable: &Nullable,
        weights: Vec<u32>,
        repetitions: &BTreeMap<BlockId, u32>,
        is_producible: &dyn Fn(TokenType) -> bool,
    ) -> Tables {
        let weights = steps::close_impossible(grammar, weights, is_producible);
        let curves = Curves::of(grammar, uses, &|alt| weights[alt.index()] > 0);
        let maxima = Maxima::of(grammar, uses, &curves);
        let mut tables = Tables {
            steps: Vec::with_capacity(grammar.n_elements()),
            alternatives: Vec::with_capacity(grammar.n_alternatives()),
            curves: curves.alternatives.clone(),
            max_tokens: maxima.alternatives.clone(),
            weights,
            blocks: Vec::with_capacity(grammar.n_blocks()),
            rule_curves: curves.rules.clone(),
            bodies: grammar.rules().map(|rule| grammar.rule(rule).body()).collect(),
            token_sets: Vec::new(),
            operators: vec![None; grammar.n_alternatives()],
            recursive: recursion::number_rules(grammar),
        };
        for alt in (0..grammar.n_alternatives()).map(AltId::new) {
            tables.operators[alt.index()] = steps::operator_info(grammar, alt, &tables.recursive);
            let start = tables.steps.len();
            for (at, element) in grammar.elements(alt).iter().enumerate() {
                let token_sets = &mut tables.token_sets;
                let Some(kind) = steps::step_kind(grammar, (alt, at), is_producible, token_sets) else {
                    continue;
                };
                let rest = &grammar.elements(alt)[at + 1..];
                tables.steps.push(Step {
                    kind,
                    curve: curves.element(grammar, element.kind),
                    max_tokens: maxima.element(grammar, element.kind),
                    growing_after: 0,
                    at_end: rest.iter().all(|later| nullable.element(grammar, later.kind)),
                });
            }
            let mut growing = 0;
            for step in tables.steps[start..].iter_mut().rev() {
                step.growing_after = growing;
                growing += u32::from(step.curve.least_tokens().is_some_and(|least| step.max_tokens > least));
            }
            tables.alternatives.push(start as u32..tables.steps.len() as u32);
        }
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            let range = grammar.block(block).alternatives.clone();
            tables.blocks.push(BlockInfo {
                alternatives: range.start.index() as u32..range.end.index() as u32,
                quantifier: grammar.block(block).quantifier,
                curve: curves.items[block.index()].clone(),
                max_tokens: maxima.items[block.index()],
                repetition: repetitions.get(&block).copied(),
            });
        }
        tables
    }

    /// The steps of an alternative.
    pub(crate) fn steps(&self, alt: usize) -> &[Step] {
        let range = &self.alternatives[alt];
        &self.steps[range.start as usize..range.end as usize]
    }

    /// The table row of a group or body.
    #[inline]
    pub(crate) fn block(&self, block: BlockId) -> &BlockInfo {
        &self.blocks[block.index()]
    }

    /// The table row of a rule's body.
    pub(crate) fn body(&self, rule: RuleId) -> &BlockInfo {
        self.block(self.bodies[rule.index()])
    }
}
