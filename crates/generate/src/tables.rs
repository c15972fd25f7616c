//! A grammar compiled for generation: flat arrays, built once.
//!
//! Each alternative is a range of [`Step`]s: tokens, calls, groups; target code is gone. Beside each stands what
//! a choice needs to know: its weight as an integer, the [`Curve`] of tokens that it takes at least, the most
//! tokens it can take (so that a choice can tell what grows), and for left-recursive rules what precedence
//! allows. Which alternatives are open (weights above 0, not excluded, no token that cannot be made) is decided
//! here; what cannot be finished without a closed alternative has no curve and is never chosen.

use crate::curves::{Curve, Curves};
use polysmith_grammar::analysis::{BitMatrix, Components, Nullable, Uses};
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, OperatorClass, Quantifier, RuleId, TokenType};
use std::collections::BTreeMap;
use std::ops::Range;

/// Without end.
pub(crate) const UNBOUNDED: u32 = u32::MAX;

/// One part of an alternative.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// What it takes at least.
    pub(crate) curve: Curve,
    /// The most tokens that it can take.
    pub(crate) most: u32,
    /// How many later parts of the alternative can take more than they must.
    pub(crate) growing_after: u32,
    /// Everything behind it in the alternative may be empty: its end may be the alternative's end.
    pub(crate) at_end: bool,
}

/// What stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// A token of this type.
    Token(TokenType),
    /// A token of one of the types with this number in [`Tables::choices`].
    Choice(u32),
    /// A rule.
    Call(RuleId, Operand),
    /// A group.
    Group(BlockId),
}

/// How a call takes part in its caller's precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// Not at all: any precedence.
    Free,
    /// The left operand of an operator of this precedence.
    Left(u32),
    /// The trailing operand, which accepts operators from this precedence on.
    Trailing(u32),
}

/// A group or a rule's body.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) alternatives: Range<u32>,
    pub(crate) quantifier: Quantifier,
    /// Of one iteration.
    pub(crate) curve: Curve,
    pub(crate) most: u32,
    /// The chance of one more iteration in 2^24, where the user gave one.
    pub(crate) repetition: Option<u32>,
}

/// How an alternative of a left-recursive rule takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grip {
    /// The number of its rule among the left-recursive ones.
    pub(crate) rule: u32,
    /// Begins with its own rule: the caller must accept `precedence`.
    pub(crate) left: bool,
    pub(crate) precedence: u32,
    /// Ends with its own rule, called with this precedence.
    pub(crate) trailing: Option<u32>,
}

/// The compiled grammar.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) steps: Vec<Step>,
    /// By [`AltId`]: its steps.
    pub(crate) alternatives: Vec<Range<u32>>,
    /// By [`AltId`]: its curve.
    pub(crate) curves: Vec<Curve>,
    /// By [`AltId`]: the most tokens.
    pub(crate) most: Vec<u32>,
    /// By [`AltId`]: 0 if closed.
    pub(crate) weights: Vec<u32>,
    /// By [`BlockId`].
    pub(crate) blocks: Vec<Choice>,
    /// By [`RuleId`]: its curve as a call.
    pub(crate) rules: Vec<Curve>,
    /// By [`RuleId`]: the body.
    pub(crate) bodies: Vec<BlockId>,
    /// Lists of token types for `.` and `~`.
    pub(crate) choices: Vec<Vec<TokenType>>,
    /// By [`AltId`], only of left-recursive bodies.
    pub(crate) grips: Vec<Option<Grip>>,
    /// By [`RuleId`]: its number among the left-recursive rules.
    pub(crate) recursive: Vec<Option<u32>>,
}

impl Tables {
    /// Compiles. `weights` by [`AltId`]; `makeable` says which token types have texts.
    pub(crate) fn new(
        grammar: &Grammar,
        uses: &Uses,
        nullable: &Nullable,
        weights: Vec<u32>,
        repetitions: &BTreeMap<BlockId, u32>,
        makeable: &dyn Fn(TokenType) -> bool,
    ) -> Tables {
        let mut choices = Vec::new();
        let weights = close_impossible(grammar, weights, makeable);
        let curves = Curves::of(grammar, uses, &|alt| weights[alt.index()] > 0);
        let most = Most::of(grammar, uses, &curves);
        let mut tables = Tables {
            steps: Vec::with_capacity(grammar.n_elements()),
            alternatives: Vec::with_capacity(grammar.n_alternatives()),
            curves: curves.alternatives.clone(),
            most: most.alternatives.clone(),
            weights,
            blocks: Vec::with_capacity(grammar.n_blocks()),
            rules: curves.rules.clone(),
            bodies: grammar.rules().map(|rule| grammar.rule(rule).body()).collect(),
            choices: Vec::new(),
            grips: vec![None; grammar.n_alternatives()],
            recursive: number_recursive(grammar),
        };
        for alt in (0..grammar.n_alternatives()).map(AltId::new) {
            let start = tables.steps.len();
            tables.grips[alt.index()] = grip(grammar, alt, &tables.recursive);
            for (at, element) in grammar.elements(alt).iter().enumerate() {
                let Some(kind) = step_kind(grammar, alt, at, element.kind, makeable, &mut choices) else {
                    continue;
                };
                let rest = &grammar.elements(alt)[at + 1..];
                tables.steps.push(Step {
                    kind,
                    curve: curves.part(grammar, element.kind),
                    most: most.part(grammar, element.kind),
                    growing_after: 0,
                    at_end: rest.iter().all(|later| nullable.element(grammar, later.kind)),
                });
            }
            let mut growing = 0;
            for step in tables.steps[start..].iter_mut().rev() {
                step.growing_after = growing;
                growing += u32::from(step.curve.least_tokens().is_some_and(|least| step.most > least));
            }
            tables.alternatives.push(start as u32..tables.steps.len() as u32);
        }
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            let range = grammar.block(block).alternatives.clone();
            tables.blocks.push(Choice {
                alternatives: range.start.index() as u32..range.end.index() as u32,
                quantifier: grammar.block(block).quantifier,
                curve: curves.items[block.index()].clone(),
                most: most.items[block.index()],
                repetition: repetitions.get(&block).copied(),
            });
        }
        tables.choices = choices;
        tables
    }

    /// How many left-recursive rules there are.
    pub(crate) fn n_recursive(&self) -> usize {
        self.recursive.iter().flatten().count()
    }

    /// Row [`polysmith_grammar::AltId`], column number of a left-recursive rule: every text of the alternative ends with a
    /// call of that rule that accepts any precedence, if `closed` are never taken. The greatest solution: assume that
    /// everything ends with every rule, and strike out what does not.
    pub(crate) fn must_end_without(&self, closed: &[usize]) -> BitMatrix {
        let n = self.n_recursive();
        let mut ends = BitMatrix::new(self.alternatives.len(), n);
        if n == 0 {
            return ends;
        }
        for alt in 0..self.alternatives.len() {
            ends.insert_range(alt, 0..n);
        }
        let is_open = |alt: &u32| self.weights[*alt as usize] > 0 && !closed.contains(&(*alt as usize));
        let all_of = |ends: &BitMatrix, block: BlockId, column: usize| {
            let mut open = self.blocks[block.index()].alternatives.clone().filter(is_open);
            open.all(|alt| ends.contains(alt as usize, column))
        };
        let mut changed = true;
        while changed {
            changed = false;
            for alt in 0..self.alternatives.len() {
                for column in 0..n {
                    if ends.contains(alt, column)
                        && !self.ends_with(alt, column, &|block| all_of(&ends, block, column))
                    {
                        ends.remove(alt, column);
                        changed = true;
                    }
                }
            }
        }
        ends
    }

    /// Whether every text of an alternative ends with a left-recursive rule of this number, if `all_of` tells it of the
    /// alternatives of groups and rules.
    fn ends_with(&self, alt: usize, number: usize, all_of: &dyn Fn(BlockId) -> bool) -> bool {
        for step in self.steps(alt).iter().rev() {
            match step.kind {
                // Where the group is left out, what stands before it is the end.
                StepKind::Group(block) if all_of(block) => {
                    if self.blocks[block.index()].quantifier.min > 0 {
                        return true;
                    }
                }
                StepKind::Call(rule, operand) => {
                    let is_it = self.recursive[rule.index()] == Some(number as u32);
                    let is_bound = is_it && matches!(operand, Operand::Trailing(_));
                    return !is_bound && (is_it || all_of(self.bodies[rule.index()]));
                }
                _ => return false,
            }
        }
        false
    }

    /// The alternatives beside an operator that begin without an operand: each left operand begins with one of them.
    pub(crate) fn operands_beside(&self, operator: usize) -> impl Iterator<Item = usize> {
        let beside = |choice: &&Choice| choice.alternatives.contains(&(operator as u32));
        let block = self.blocks.iter().find(beside);
        let alternatives = block.map_or(0..0, |choice| choice.alternatives.clone());
        let begins = |alt: &usize| self.weights[*alt] > 0 && self.grips[*alt].is_none_or(|grip| !grip.left);
        alternatives.map(|alt| alt as usize).filter(begins)
    }

    /// The steps of an alternative.
    pub(crate) fn steps(&self, alt: usize) -> &[Step] {
        let range = &self.alternatives[alt];
        &self.steps[range.start as usize..range.end as usize]
    }
}

/// Alternatives that need a token without text are closed.
fn close_impossible(
    grammar: &Grammar,
    mut weights: Vec<u32>,
    makeable: &dyn Fn(TokenType) -> bool,
) -> Vec<u32> {
    for alt in (0..grammar.n_alternatives()).map(AltId::new) {
        let possible = grammar.elements(alt).iter().all(|element| match element.kind {
            ElementKind::Token(token) => token == TokenType::EOF || makeable(token),
            ElementKind::NotTokens(_) | ElementKind::AnyToken => {
                candidates(grammar, element.kind).any(makeable)
            }
            _ => true,
        });
        if !possible {
            weights[alt.index()] = 0;
        }
    }
    weights
}

/// The token types that can stand at a place.
pub(crate) fn candidates(grammar: &Grammar, kind: ElementKind) -> impl Iterator<Item = TokenType> + '_ {
    grammar.tokens().types().filter(move |token| match kind {
        ElementKind::NotTokens(set) => grammar.token_set(set).binary_search(token).is_err(),
        ElementKind::AnyToken => true,
        ElementKind::Token(only) => *token == only,
        _ => false,
    })
}

fn step_kind(
    grammar: &Grammar,
    alt: AltId,
    at: usize,
    kind: ElementKind,
    makeable: &dyn Fn(TokenType) -> bool,
    choices: &mut Vec<Vec<TokenType>>,
) -> Option<StepKind> {
    Some(match kind {
        ElementKind::Token(token) => StepKind::Token(token),
        ElementKind::NotTokens(_) | ElementKind::AnyToken => {
            choices.push(candidates(grammar, kind).filter(|token| makeable(*token)).collect());
            StepKind::Choice(choices.len() as u32 - 1)
        }
        ElementKind::Rule(rule) => StepKind::Call(rule, operand(grammar, alt, at, rule)),
        ElementKind::Block(block) => StepKind::Group(block),
        // Token rules are walked by `text`, which reads the grammar itself.
        ElementKind::Chars(_) | ElementKind::Text(_) | ElementKind::Code(_) => return None,
    })
}

/// How the call at a place takes part in precedence.
fn operand(grammar: &Grammar, alt: AltId, at: usize, callee: RuleId) -> Operand {
    let block = grammar.alternative(alt).block;
    let rule = grammar.block(block).rule;
    let (Some(table), true) = (&grammar.rule(rule).recursion, callee == rule) else { return Operand::Free };
    if grammar.rule(rule).body() != block {
        return Operand::Free;
    }
    let operator = table.operators[grammar.alternative_number(alt) - 1];
    let elements = grammar.elements(alt);
    let is_code = |kind| matches!(kind, ElementKind::Code(_));
    if operator.class.is_left_recursive() && elements[..at].iter().all(|before| is_code(before.kind)) {
        return Operand::Left(operator.precedence);
    }
    let trails = elements[at + 1..].iter().all(|after| is_code(after.kind));
    match operator.class {
        OperatorClass::Binary | OperatorClass::Prefix if trails => Operand::Trailing(operator.operand),
        _ => Operand::Free,
    }
}

fn grip(grammar: &Grammar, alt: AltId, recursive: &[Option<u32>]) -> Option<Grip> {
    let block = grammar.alternative(alt).block;
    let rule = grammar.rule(grammar.block(block).rule);
    let table = rule.recursion.as_ref().filter(|_| rule.body() == block)?;
    let operator = table.operators[grammar.alternative_number(alt) - 1];
    let trails = matches!(operator.class, OperatorClass::Binary | OperatorClass::Prefix);
    Some(Grip {
        rule: recursive[grammar.block(block).rule.index()]?,
        left: operator.class.is_left_recursive(),
        precedence: operator.precedence,
        trailing: trails.then_some(operator.operand),
    })
}

fn number_recursive(grammar: &Grammar) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut number = |rule: RuleId| {
        grammar.rule(rule).recursion.as_ref().map(|_| {
            next += 1;
            next - 1
        })
    };
    grammar.rules().map(&mut number).collect()
}

/// The most tokens of everything; recursion counts as without end.
struct Most {
    rules: Vec<u32>,
    alternatives: Vec<u32>,
    items: Vec<u32>,
}

impl Most {
    fn of(grammar: &Grammar, uses: &Uses, curves: &Curves) -> Most {
        let mut most = Most {
            rules: vec![0; grammar.rules().len()],
            alternatives: vec![0; grammar.n_alternatives()],
            items: vec![0; grammar.n_blocks()],
        };
        let components = Components::of_calls(grammar, uses);
        for component in 0..components.len() {
            let rules: Vec<RuleId> = components.nodes(component).map(RuleId::new).collect();
            for rule in &rules {
                if rules.len() > 1 || calls_itself(grammar, *rule) {
                    most.rules[rule.index()] = UNBOUNDED;
                }
            }
            for rule in &rules {
                let value = most.body(grammar, curves, *rule);
                if most.rules[rule.index()] != UNBOUNDED {
                    most.rules[rule.index()] = value;
                }
            }
        }
        most
    }

    fn body(&mut self, grammar: &Grammar, curves: &Curves, rule: RuleId) -> u32 {
        for block in BlockId::range(grammar.rule(rule).blocks.clone()).rev() {
            let mut largest = 0;
            for alt in grammar.alternatives(block) {
                if curves.alternatives[alt.index()].least_tokens().is_some() {
                    let parts = grammar.elements(alt).iter().map(|element| self.part(grammar, element.kind));
                    let total = parts.fold(0_u32, u32::saturating_add);
                    self.alternatives[alt.index()] = total;
                    largest = largest.max(total);
                }
            }
            self.items[block.index()] = largest;
        }
        self.items[grammar.rule(rule).body().index()]
    }

    fn part(&self, grammar: &Grammar, kind: ElementKind) -> u32 {
        match kind {
            ElementKind::Rule(rule) => self.rules[rule.index()],
            ElementKind::Block(block) => {
                match (self.items[block.index()], grammar.block(block).quantifier.max) {
                    (0, _) => 0,
                    (_, None) => UNBOUNDED,
                    (item, Some(max)) => item.saturating_mul(max),
                }
            }
            ElementKind::Code(_) | ElementKind::Token(TokenType::EOF) => 0,
            _ => 1,
        }
    }
}

fn calls_itself(grammar: &Grammar, rule: RuleId) -> bool {
    BlockId::range(grammar.rule(rule).blocks.clone())
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt))
        .any(|element| element.kind == ElementKind::Rule(rule))
}
