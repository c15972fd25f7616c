//! Which symbols may stand where another is expected.
//!
//! `b <: A` if A derives b alone: by a chain of alternatives in which everything beside the one part may be
//! empty. So `stmt : if_stmt | block` accepts an `if_stmt` and a `block` wherever a `stmt` is expected, `list : x
//! (',' x)*` accepts an `x`, `file : list EOF` accepts a `list`, and `e : e '+' e | ID` accepts an `ID`. Reduction puts subtrees where the relation
//! allows it, and the result is in the language.
//!
//! A row of bits per block (a rule's is its body's, so places that are groups are covered too), a column per
//! rule and per token; closed over unit steps component by component.

use super::bits::BitMatrix;
use super::components::Graph;
use super::follow::close;
use super::nullable::Nullable;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};
use crate::tokens::TokenType;

/// What a tree node can be an instance of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A rule.
    Rule(RuleId),
    /// A token.
    Token(TokenType),
}

/// The relation, for a whole grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subsume {
    blocks: BitMatrix,
    bodies: Vec<BlockId>,
}

impl Subsume {
    /// Closes the unit steps of a grammar.
    pub fn of(grammar: &Grammar, nullable: &Nullable) -> Subsume {
        let columns = grammar.rules.len() + grammar.tokens().len();
        let mut blocks = BitMatrix::new(grammar.n_blocks(), columns);
        let mut steps = Vec::new();
        for rule in grammar.rules() {
            blocks.insert(grammar.rule(rule).body().index(), rule.index());
        }
        for block in (0..grammar.n_blocks()).map(BlockId::new) {
            for alt in grammar.alternatives(block) {
                for kind in alone(grammar, nullable, alt) {
                    match kind {
                        ElementKind::Rule(rule) => steps.push((block, grammar.rule(rule).body())),
                        ElementKind::Block(inner) if once_is_enough(grammar, nullable, inner) => {
                            steps.push((block, inner));
                        }
                        leaf => insert(grammar, leaf, &mut blocks, block),
                    }
                }
            }
        }
        let steps: Vec<(u32, u32)> =
            steps.into_iter().map(|(from, to)| (from.index() as u32, to.index() as u32)).collect();
        close(&mut blocks, &Graph::new(grammar.n_blocks(), &steps));
        Subsume { blocks, bodies: grammar.rules().map(|rule| grammar.rule(rule).body()).collect() }
    }

    /// Whether a `found` may stand where an `expected` is expected.
    pub fn accepts(&self, expected: Symbol, found: Symbol) -> bool {
        match expected {
            Symbol::Rule(rule) => self.block_accepts(self.bodies[rule.index()], found),
            Symbol::Token(_) => expected == found,
        }
    }

    /// Whether a `found` alone may be one iteration of a group.
    pub fn block_accepts(&self, block: BlockId, found: Symbol) -> bool {
        self.blocks.contains(block.index(), self.column(found))
    }

    fn column(&self, symbol: Symbol) -> usize {
        match symbol {
            Symbol::Rule(rule) => rule.index(),
            Symbol::Token(token) => self.bodies.len() + token.index(),
        }
    }
}

/// The parts of an alternative that may be all of it: any if all may be empty, else the only one that may not.
fn alone<'a>(
    grammar: &'a Grammar,
    nullable: &'a Nullable,
    alternative: AltId,
) -> impl Iterator<Item = ElementKind> + 'a {
    // The end of the input takes no text, so it never stands in the way.
    let may_be_empty = move |kind: ElementKind| {
        kind == ElementKind::Token(TokenType::EOF) || nullable.element(grammar, kind)
    };
    let elements = grammar.elements(alternative);
    let full = elements.iter().filter(|element| !may_be_empty(element.kind)).count();
    elements
        .iter()
        .map(|element| element.kind)
        .filter(move |kind| full == 0 || (full == 1 && !may_be_empty(*kind)))
}

fn once_is_enough(grammar: &Grammar, nullable: &Nullable, block: BlockId) -> bool {
    let quantifier = grammar.block(block).quantifier;
    quantifier.max != Some(0) && (quantifier.min <= 1 || nullable.iteration(block))
}

fn insert(grammar: &Grammar, kind: ElementKind, into: &mut BitMatrix, block: BlockId) {
    let tokens = grammar.rules.len();
    match kind {
        ElementKind::Token(token) => into.insert(block.index(), tokens + token.index()),
        ElementKind::AnyToken => into.insert_range(block.index(), tokens + 1..into.columns()),
        ElementKind::NotTokens(set) => {
            let excluded = grammar.token_set(set);
            for token in grammar.tokens().types().filter(|token| excluded.binary_search(token).is_err()) {
                into.insert(block.index(), tokens + token.index());
            }
        }
        _ => {}
    }
}
