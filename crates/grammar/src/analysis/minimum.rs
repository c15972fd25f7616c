//! The least height and the least size of everything that a grammar has.
//!
//! Both are least solutions of equations `rule = min over alternatives of (combination of the parts)` in which a
//! combination is never less than a part of it, so Knuth's generalization of Dijkstra's algorithm finds them: an
//! alternative whose last part has become known waits in a heap with its value, and the least value in the heap
//! is final. Each alternative, group and rule passes the heap once: O(n log n) for a grammar of n elements.
//!
//! **Height** counts rule calls: a rule whose text needs no further rule has height 1, and `height(rule) = 1 +
//! the least height of its alternatives`, where the height of an alternative is the greatest of its parts', a
//! token or character has height 0, and a group that may be left out has height 0. A group does not count as a
//! level. So a generator that has `h` levels left can finish a rule if `h >= height(rule)`, can take exactly the
//! alternatives with `h - 1 >= height(alternative)`, and can enter a group once more if `h - 1 >=
//! iteration(group)`: a choice within these limits never leads to a dead end.
//!
//! **Size** counts tokens in parser rules and characters in token rules; the end of the input counts nothing.
//! Sizes can double from rule to rule, so they stop growing at [`Minima::CEILING`].

use super::uses::Uses;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};
use crate::tokens::TokenType;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is minimized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Nested rule calls.
    Height,
    /// Tokens, or characters in token rules.
    Size,
    /// Nothing: 0 for whatever derives the empty sequence, no value for the rest.
    Empty,
    /// Nothing: 0 for whatever derives a finite text, no value for the rest.
    Finite,
}

impl Measure {
    /// The value of a part that is neither a rule nor a group.
    fn leaf(self, grammar: &Grammar, kind: ElementKind) -> Option<u32> {
        let size = match kind {
            ElementKind::Code(code) => return (!grammar.code(code).is_never()).then_some(0),
            ElementKind::Text(text) if grammar.text(text).is_empty() => return Some(0),
            ElementKind::Text(text) => grammar.text(text).chars().count().try_into().unwrap_or(CEILING),
            ElementKind::Chars(set) if grammar.chars(set).is_empty() => return None,
            ElementKind::Token(TokenType::EOF) => 0,
            _ => 1,
        };
        match self {
            Measure::Height | Measure::Finite => Some(0),
            Measure::Size => Some(size.min(CEILING)),
            Measure::Empty => None,
        }
    }

    fn sequence(self, a: u32, b: u32) -> u32 {
        match self {
            Measure::Size => a.saturating_add(b).min(CEILING),
            _ => a.max(b),
        }
    }

    fn repeat(self, value: u32, times: u32) -> u32 {
        match self {
            Measure::Size => value.saturating_mul(times).min(CEILING),
            _ => value,
        }
    }

    fn call(self, value: u32) -> u32 {
        match self {
            Measure::Height => value.saturating_add(1).min(CEILING),
            _ => value,
        }
    }
}

/// The least values of one measure, for every rule, alternative and group. `None` where there is no finite text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minima {
    measure: Measure,
    rules: Vec<u32>,
    alternatives: Vec<u32>,
    /// Of one iteration, so the least alternative.
    blocks: Vec<u32>,
}

const NONE: u32 = u32::MAX;
const CEILING: u32 = u32::MAX - 1;

impl Minima {
    /// Values that would be larger stand here.
    pub const CEILING: u32 = CEILING;

    /// Least heights.
    pub fn heights(grammar: &Grammar, uses: &Uses) -> Minima {
        Minima::of(grammar, uses, Measure::Height)
    }

    /// Least sizes.
    pub fn sizes(grammar: &Grammar, uses: &Uses) -> Minima {
        Minima::of(grammar, uses, Measure::Size)
    }

    /// The least values of a measure.
    pub fn of(grammar: &Grammar, uses: &Uses, measure: Measure) -> Minima {
        let mut solver = Solver::new(grammar, uses, measure);
        solver.run();
        solver.found
    }

    /// The least value of a rule.
    pub fn rule(&self, rule: RuleId) -> Option<u32> {
        known(self.rules[rule.index()])
    }

    /// The least value of an alternative.
    pub fn alternative(&self, alternative: AltId) -> Option<u32> {
        known(self.alternatives[alternative.index()])
    }

    /// The least value of one iteration of a group, whatever its quantifier: of its least alternative.
    pub fn iteration(&self, block: BlockId) -> Option<u32> {
        known(self.blocks[block.index()])
    }

    /// The least value of a group with its quantifier: as few iterations as it allows.
    pub fn block(&self, grammar: &Grammar, block: BlockId) -> Option<u32> {
        match grammar.block(block).quantifier.min {
            0 => Some(0),
            min => self.iteration(block).map(|value| self.measure.repeat(value, min)),
        }
    }

    /// The least value of one part of an alternative.
    pub fn element(&self, grammar: &Grammar, kind: ElementKind) -> Option<u32> {
        match kind {
            ElementKind::Rule(rule) => self.rule(rule),
            ElementKind::Block(block) => self.block(grammar, block),
            leaf => self.measure.leaf(grammar, leaf),
        }
    }
}

fn known(value: u32) -> Option<u32> {
    (value != NONE).then_some(value)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Alternative(AltId),
    Block(BlockId),
    Rule(RuleId),
}

struct Solver<'a> {
    grammar: &'a Grammar,
    uses: &'a Uses,
    found: Minima,
    /// By alternative: parts that are not known yet, and the value of those that are.
    missing: Vec<u32>,
    so_far: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, Node)>>,
}

impl<'a> Solver<'a> {
    fn new(grammar: &'a Grammar, uses: &'a Uses, measure: Measure) -> Solver<'a> {
        let found = Minima {
            measure,
            rules: vec![NONE; grammar.rules.len()],
            alternatives: vec![NONE; grammar.alternatives.len()],
            blocks: vec![NONE; grammar.blocks.len()],
        };
        let n = grammar.alternatives.len();
        let mut solver =
            Solver { grammar, uses, found, missing: vec![0; n], so_far: vec![0; n], heap: BinaryHeap::new() };
        for at in 0..n {
            let mut missing = 0;
            let mut value = 0;
            for element in grammar.elements(AltId::new(at)) {
                match solver.found.element(grammar, element.kind) {
                    Some(part) => value = measure.sequence(value, part),
                    None => missing += 1,
                }
            }
            (solver.missing[at], solver.so_far[at]) = (missing, value);
            if missing == 0 {
                solver.heap.push(Reverse((value, Node::Alternative(AltId::new(at)))));
            }
        }
        solver
    }

    fn run(&mut self) {
        let measure = self.found.measure;
        while let Some(Reverse((value, node))) = self.heap.pop() {
            match node {
                Node::Alternative(alt) => {
                    self.found.alternatives[alt.index()] = value;
                    let block = self.grammar.alternative(alt).block;
                    if self.found.blocks[block.index()] != NONE {
                        continue;
                    }
                    self.found.blocks[block.index()] = value;
                    match (self.uses.place(block), self.grammar.block(block)) {
                        (None, body) => self.wait(measure.call(value), Node::Rule(body.rule)),
                        // A group that may be left out was known from the beginning.
                        (Some(_), group) if group.quantifier.min == 0 => {}
                        (Some(_), group) => {
                            self.wait(measure.repeat(value, group.quantifier.min), Node::Block(block));
                        }
                    }
                }
                Node::Block(block) => {
                    let place = self.uses.place(block).expect("only groups wait as blocks");
                    self.know(place, value);
                }
                Node::Rule(rule) => {
                    self.found.rules[rule.index()] = value;
                    for place in self.uses.calls(rule) {
                        self.know(*place, value);
                    }
                }
            }
        }
    }

    fn wait(&mut self, value: u32, node: Node) {
        self.heap.push(Reverse((value, node)));
    }

    /// One more part of an alternative has its value.
    fn know(&mut self, place: crate::ids::ElementId, value: u32) {
        let alt = self.uses.alternative(place);
        let at = alt.index();
        self.so_far[at] = self.found.measure.sequence(self.so_far[at], value);
        self.missing[at] -= 1;
        if self.missing[at] == 0 {
            self.heap.push(Reverse((self.so_far[at], Node::Alternative(alt))));
        }
    }
}
