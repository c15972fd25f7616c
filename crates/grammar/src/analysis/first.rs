//! What a text can begin with: tokens for parser rules, characters for token rules.
//!
//! `first(A)` contains `first(B)` wherever B can stand at the front of A. Rules that contain each other this way
//! have equal sets, so the sets are solved component by component, callees first, with one union per edge.
//! Alternatives that derive no finite text contribute nothing: a token is in a set if and only if some text of
//! the rule begins with it.

use super::bits::{BitMatrix, Bits};
use super::components::{Components, Graph};
use super::nullable::{Nullable, Productive};
use crate::charset::CharSet;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};
use crate::tokens::TokenType;

/// The first tokens of every rule and group, as bits by [`TokenType::index`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct First {
    rules: BitMatrix,
    blocks: BitMatrix,
}

impl First {
    /// Solves for all parser rules. The sets of token rules are empty: see [`FirstChars`].
    pub fn of(grammar: &Grammar, nullable: &Nullable, productive: &Productive) -> First {
        let front = Front::of(grammar, nullable, productive);
        let components = Components::of(&front.calls);
        let mut rules = BitMatrix::new(grammar.rules.len(), grammar.tokens().len());
        for component in 0..components.len() {
            let mut members = components.nodes(component);
            let first = members.next().expect("a component has a node");
            for member in components.nodes(component) {
                front.leaves(member).iter().for_each(|kind| insert(grammar, *kind, &mut rules, first));
                for callee in front.calls.successors(member) {
                    rules.union_rows(first, *callee as usize);
                }
            }
            for other in members {
                rules.union_rows(other, first);
            }
        }
        let blocks = BitMatrix::new(grammar.n_blocks(), grammar.tokens().len());
        let mut found = First { rules, blocks };
        for block in (0..grammar.n_blocks()).rev().map(BlockId::new) {
            for alt in grammar.alternatives(block).filter(|alt| productive.alternative(*alt)) {
                for element in front_of(grammar, nullable, alt) {
                    found.add(grammar, element, block);
                }
            }
        }
        found
    }

    fn add(&mut self, grammar: &Grammar, kind: ElementKind, block: BlockId) {
        match kind {
            ElementKind::Rule(rule) => self.blocks.union_with(block.index(), self.rules.row(rule.index())),
            ElementKind::Block(inner) => self.blocks.union_rows(block.index(), inner.index()),
            leaf => insert(grammar, leaf, &mut self.blocks, block.index()),
        }
    }

    /// The first tokens of a rule.
    pub fn rule(&self, rule: RuleId) -> Bits<'_> {
        self.rules.row(rule.index())
    }

    /// The first tokens of one iteration of a group.
    pub fn block(&self, block: BlockId) -> Bits<'_> {
        self.blocks.row(block.index())
    }

    /// Adds the first tokens of an element to a row of another matrix of the same width.
    pub fn add_element(&self, grammar: &Grammar, kind: ElementKind, into: &mut BitMatrix, row: usize) {
        match kind {
            ElementKind::Rule(rule) => into.union_with(row, self.rule(rule)),
            ElementKind::Block(block) => into.union_with(row, self.block(block)),
            leaf => insert(grammar, leaf, into, row),
        }
    }

    /// Adds the first tokens of an alternative to a row of another matrix of the same width.
    pub fn add_alternative(
        &self,
        grammar: &Grammar,
        nullable: &Nullable,
        alternative: AltId,
        into: &mut BitMatrix,
        row: usize,
    ) {
        for kind in front_of(grammar, nullable, alternative) {
            self.add_element(grammar, kind, into, row);
        }
    }
}

/// The first characters of every token rule and fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstChars {
    rules: Vec<CharSet>,
}

impl FirstChars {
    /// Solves for all token rules. The sets of parser rules are empty.
    pub fn of(grammar: &Grammar, nullable: &Nullable, productive: &Productive) -> FirstChars {
        let front = Front::of(grammar, nullable, productive);
        let components = Components::of(&front.calls);
        let mut rules = vec![CharSet::default(); grammar.rules.len()];
        for component in 0..components.len() {
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            for member in components.nodes(component) {
                for leaf in front.leaves(member) {
                    match *leaf {
                        ElementKind::Chars(set) => ranges.extend(grammar.chars(set).ranges()),
                        ElementKind::Text(text) => {
                            ranges.extend(grammar.text(text).chars().next().map(|c| (c.into(), c.into())));
                        }
                        _ => {}
                    }
                }
                for callee in front.calls.successors(member) {
                    ranges.extend(rules[*callee as usize].ranges());
                }
            }
            let set = CharSet::from_ranges(ranges);
            for member in components.nodes(component) {
                rules[member] = set.clone();
            }
        }
        FirstChars { rules }
    }

    /// The first characters of a token rule.
    pub fn rule(&self, rule: RuleId) -> &CharSet {
        &self.rules[rule.index()]
    }
}

/// The parts of an alternative that can stand at its front: up to the first that is never empty.
fn front_of<'a>(
    grammar: &'a Grammar,
    nullable: &'a Nullable,
    alternative: AltId,
) -> impl Iterator<Item = ElementKind> + 'a {
    let mut ended = false;
    grammar.elements(alternative).iter().map(|element| element.kind).take_while(move |kind| {
        let before = !ended;
        ended |= !nullable.element(grammar, *kind);
        before
    })
}

fn insert(grammar: &Grammar, kind: ElementKind, into: &mut BitMatrix, row: usize) {
    match kind {
        ElementKind::Token(token) => into.insert(row, token.index()),
        ElementKind::AnyToken => into.insert_range(row, TokenType::EOF.index() + 1..into.columns()),
        ElementKind::NotTokens(set) => {
            let excluded = grammar.token_set(set);
            for token in grammar.tokens().types().filter(|token| excluded.binary_search(token).is_err()) {
                into.insert(row, token.index());
            }
        }
        _ => {}
    }
}

/// What stands at the front of each rule, seen through its groups.
struct Front {
    calls: Graph,
    leaves: Vec<ElementKind>,
    leaf_starts: Vec<u32>,
}

impl Front {
    fn of(grammar: &Grammar, nullable: &Nullable, productive: &Productive) -> Front {
        let mut at_front = vec![false; grammar.n_blocks()];
        let mut calls = Vec::new();
        let mut leaves = Vec::new();
        let mut leaf_starts = vec![0];
        for rule in grammar.rules() {
            at_front[grammar.rule(rule).body().index()] = true;
            for block in BlockId::range(grammar.rule(rule).blocks.clone()) {
                if !at_front[block.index()] {
                    continue;
                }
                for alt in grammar.alternatives(block).filter(|alt| productive.alternative(*alt)) {
                    for kind in front_of(grammar, nullable, alt) {
                        match kind {
                            ElementKind::Rule(callee) => {
                                calls.push((rule.index() as u32, callee.index() as u32));
                            }
                            ElementKind::Block(inner) => at_front[inner.index()] = true,
                            leaf => leaves.push(leaf),
                        }
                    }
                }
            }
            leaf_starts.push(leaves.len() as u32);
        }
        Front { calls: Graph::new(grammar.rules.len(), &calls), leaves, leaf_starts }
    }

    fn leaves(&self, rule: usize) -> &[ElementKind] {
        &self.leaves[self.leaf_starts[rule] as usize..self.leaf_starts[rule + 1] as usize]
    }
}
