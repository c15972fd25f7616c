//! A grammar as plain productions for counting: groups and repetitions are nonterminals of their own.
//!
//! A rule that is left-recursive has one nonterminal for each precedence that it is called with and each operator
//! that may follow it: only the trees that precedence allows are counted. Repetitions take at least one token each
//! from the second on, and empty ones are not counted at all in `*`: a parser would repeat them for ever.

use crate::tables::{Operand, StepKind, Tables};
use polysmith_grammar::{BlockId, RuleId, TokenType};
use rustc_hash::FxHashMap;

/// No operator follows.
const NONE: u32 = u32::MAX;

/// What is counted as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Nonterminal {
    /// A rule called with a precedence, before an operator of another.
    Rule(RuleId, u32, u32),
    /// One iteration of a group.
    Item(BlockId),
    /// A group with its quantifier.
    Group(BlockId),
    /// What may still come of a repeated group.
    More(BlockId),
}

/// A part of a production.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProductionPart {
    /// One token of this number of types.
    Token(u32),
    /// Nothing.
    End,
    /// All trees of a nonterminal.
    All(u32),
    /// Those with at least one token.
    Some(u32),
}

/// One way to write a nonterminal.
#[derive(Debug)]
pub(super) struct Production {
    /// The alternative that is chosen by it, if one is.
    pub(super) alt: Option<u32>,
    pub(super) parts: Vec<ProductionPart>,
}

/// The productions, by nonterminal.
#[derive(Debug, Default)]
pub(super) struct PlainGrammar {
    pub(super) names: Vec<Nonterminal>,
    pub(super) productions: Vec<Vec<Production>>,
    numbers: FxHashMap<Nonterminal, u32>,
}

impl PlainGrammar {
    /// Everything that a rule leads to; it is nonterminal 0.
    pub(super) fn new(tables: &Tables, start: RuleId) -> PlainGrammar {
        let mut plain = PlainGrammar::default();
        plain.number(Nonterminal::Rule(start, 0, NONE));
        let mut at = 0;
        while let Some(name) = plain.names.get(at).copied() {
            let productions = match name {
                Nonterminal::Rule(rule, precedence, before) => plain.rule(tables, rule, precedence, before),
                Nonterminal::Item(block) => plain.alternatives(tables, block, 0, NONE),
                Nonterminal::Group(block) => plain.group(tables, block),
                Nonterminal::More(block) => {
                    let (item, more) =
                        (plain.number(Nonterminal::Item(block)), plain.number(Nonterminal::More(block)));
                    vec![made_of([]), made_of([ProductionPart::Some(item), ProductionPart::All(more)])]
                }
            };
            plain.productions.push(productions);
            at += 1;
        }
        plain
    }

    fn number(&mut self, name: Nonterminal) -> u32 {
        let fresh = self.names.len() as u32;
        let number = *self.numbers.entry(name).or_insert(fresh);
        if number == fresh {
            self.names.push(name);
        }
        number
    }

    fn group(&mut self, tables: &Tables, block: BlockId) -> Vec<Production> {
        let item = self.number(Nonterminal::Item(block));
        let quantifier = tables.block(block).quantifier;
        let mut found = Vec::new();
        if quantifier.min == 0 {
            found.push(made_of([]));
        }
        match quantifier.max {
            Some(1) => found.push(made_of([ProductionPart::All(item)])),
            // An empty iteration where one is needed; all others have something.
            _ => {
                let more = self.number(Nonterminal::More(block));
                let first =
                    if quantifier.min == 0 { ProductionPart::Some(item) } else { ProductionPart::All(item) };
                found.push(made_of([first, ProductionPart::All(more)]));
            }
        }
        found
    }

    fn rule(&mut self, tables: &Tables, rule: RuleId, precedence: u32, before: u32) -> Vec<Production> {
        self.alternatives(tables, tables.bodies[rule.index()], precedence, before)
    }

    fn alternatives(
        &mut self,
        tables: &Tables,
        block: BlockId,
        precedence: u32,
        before: u32,
    ) -> Vec<Production> {
        let mut found = Vec::new();
        for alt in tables.block(block).alternatives.clone() {
            let operator = tables.operators[alt as usize];
            let fits = operator.is_none_or(|operator| {
                (!operator.is_left_recursive || operator.precedence >= precedence)
                    && (before == NONE || operator.trailing.is_none_or(|trailing| trailing > before))
            });
            if tables.weights[alt as usize] == 0 || !fits {
                continue;
            }
            let parts = tables.steps(alt as usize).iter().map(|step| match step.kind {
                StepKind::Token(TokenType::EOF) => ProductionPart::End,
                StepKind::Token(_) => ProductionPart::Token(1),
                StepKind::TokenSet(choice) => {
                    ProductionPart::Token(tables.token_sets[choice as usize].len() as u32)
                }
                StepKind::Group(block) => ProductionPart::All(self.number(Nonterminal::Group(block))),
                StepKind::Call(rule, operand) => ProductionPart::All(self.number(match operand {
                    Operand::Free => Nonterminal::Rule(rule, 0, NONE),
                    Operand::Left(operator) => Nonterminal::Rule(rule, precedence, operator),
                    Operand::Trailing(least) => Nonterminal::Rule(rule, least, before),
                })),
            });
            found.push(Production { alt: Some(alt), parts: parts.collect() });
        }
        found
    }
}

fn made_of(parts: impl IntoIterator<Item = ProductionPart>) -> Production {
    Production { alt: None, parts: parts.into_iter().collect() }
}
