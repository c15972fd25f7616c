//! Agrees on acceptance with a naive backtracking recognizer, on random grammars without left recursion.

use polysmith_grammar::{Alt, BlockId, Builder, ElementKind, Grammar, Part, Quantifier, RuleId, TokenType};
use polysmith_parse::{Limits, Parser};
use std::collections::{BTreeMap, BTreeSet};

/// The smallest generator that does: a linear congruence, so that the cases never change.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

const RULES: usize = 4;
const TOKENS: usize = 3;

/// `s : r0 EOF ;` and a few rules. A rule refers to an earlier one (or itself) only behind a token, so nothing is
/// left-recursive; loop bodies begin with a token, so no loop is empty.
fn random_grammar(dice: &mut Dice) -> (Grammar, RuleId) {
    let mut b = Builder::new("R");
    let tokens: Vec<TokenType> = (0..TOKENS).map(|n| b.token(format!("T{n}"))).collect();
    let start = b.rule("s");
    let rules: Vec<RuleId> = (0..RULES).map(|n| b.rule(format!("r{n}"))).collect();
    b.body(start, [Alt::of([rules[0].into(), TokenType::EOF.into()])]);
    for at in 0..RULES {
        let n = 1 + dice.below(3);
        let alternatives: Vec<Alt> =
            (0..n).map(|_| sequence(dice, &mut b, &tokens, &rules, at, false, 2)).collect();
        b.body(rules[at], alternatives);
    }
    (b.finish(), start)
}

fn sequence(
    dice: &mut Dice,
    b: &mut Builder,
    tokens: &[TokenType],
    rules: &[RuleId],
    at: usize,
    mut consumed: bool,
    depth: u64,
) -> Alt {
    let mut parts: Vec<Part> = Vec::new();
    for _ in 0..dice.below(4) {
        match dice.below(6) {
            0 | 1 => {
                parts.push(tokens[dice.below(TOKENS as u64) as usize].into());
                consumed = true;
            }
            2 | 3 if consumed => parts.push(rules[dice.below(RULES as u64) as usize].into()),
            2 | 3 if at + 1 < RULES => parts.push(rules[at + 1].into()),
            4 if depth > 0 => {
                let loops = [Quantifier::STAR, Quantifier::PLUS, Quantifier::STAR.lazy()];
                let quantifier = loops[dice.below(3) as usize];
                let first: Part = tokens[dice.below(TOKENS as u64) as usize].into();
                let second: Part = rules[dice.below(RULES as u64) as usize].into();
                parts.push(b.block(quantifier, [Alt::of([first, second])]).into());
            }
            5 if depth > 0 => {
                let kinds = [Quantifier::ONE, Quantifier::OPTIONAL, Quantifier::OPTIONAL.lazy()];
                let quantifier = kinds[dice.below(3) as usize];
                let inner: Vec<Alt> = (0..1 + dice.below(2))
                    .map(|_| sequence(dice, b, tokens, rules, at, consumed, depth - 1))
                    .collect();
                parts.push(b.block(quantifier, inner).into());
            }
            _ => {}
        }
    }
    Alt::of(parts)
}

/// Where matches can end. Nothing is left-recursive and every round of a loop consumes, so this ends; what was
/// found for a block and a place is kept.
struct Naive<'a> {
    grammar: &'a Grammar,
    text: &'a [TokenType],
    known: BTreeMap<(usize, usize), BTreeSet<usize>>,
}

impl Naive<'_> {
    fn block(&mut self, block: BlockId, from: usize) -> BTreeSet<usize> {
        if let Some(ends) = self.known.get(&(block.index(), from)) {
            return ends.clone();
        }
        let Quantifier { min, max, .. } = self.grammar.block(block).quantifier;
        let mut ends = BTreeSet::new();
        let mut places = BTreeSet::from([from]);
        if min == 0 {
            ends.insert(from);
        }
        for _ in 0..max.map_or(self.text.len() + 2, |max| max as usize) {
            places = places.iter().flat_map(|place| self.once(block, *place)).collect();
            ends.extend(&places);
        }
        self.known.insert((block.index(), from), ends.clone());
        ends
    }

    fn once(&mut self, block: BlockId, from: usize) -> BTreeSet<usize> {
        let grammar = self.grammar;
        let mut ends = BTreeSet::new();
        for alt in grammar.alternatives(block) {
            let mut places = BTreeSet::from([from]);
            for element in grammar.elements(alt) {
                places = places.iter().flat_map(|place| self.element(element.kind, *place)).collect();
            }
            ends.extend(places);
        }
        ends
    }

    fn element(&mut self, kind: ElementKind, at: usize) -> BTreeSet<usize> {
        match kind {
            ElementKind::Token(TokenType::EOF) => (at == self.text.len()).then_some(at).into_iter().collect(),
            ElementKind::Token(token) => {
                (self.text.get(at) == Some(&token)).then_some(at + 1).into_iter().collect()
            }
            ElementKind::Rule(rule) => self.block(self.grammar.rule(rule).body(), at),
            ElementKind::Block(block) => self.block(block, at),
            other => panic!("not made here: {other:?}"),
        }
    }
}

#[test]
fn acceptance_is_that_of_a_backtracking_recognizer() {
    let mut dice = Dice(11);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..150 {
        let (grammar, start) = random_grammar(&mut dice);
        let Ok(mut parser) = Parser::new(grammar.clone()) else { continue };
        for _ in 0..8 {
            let text: Vec<TokenType> =
                (0..dice.below(6)).map(|_| TokenType::new(1 + dice.below(TOKENS as u64) as usize)).collect();
            let mut naive = Naive { grammar: &grammar, text: &text, known: BTreeMap::new() };
            let fits = !naive.block(grammar.rule(start).body(), 0).is_empty();
            let tree = parser.parse_types(start, &text, &Limits::default()).expect("no limit is near");
            assert_eq!(tree.is_some(), fits, "{grammar}\n{text:?}");
            if fits { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(accepted > 100 && rejected > 100, "{accepted} accepted, {rejected} rejected");
}
