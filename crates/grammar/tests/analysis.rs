//! The analyses against twins that are as slow as they are obvious.

mod support;

use polysmith_grammar::analysis::*;
use polysmith_grammar::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use support::*;

struct All {
    nullable: Nullable,
    productive: Productive,
}

fn basics(grammar: &Grammar) -> All {
    let uses = Uses::of(grammar);
    let (nullable, productive) = (Nullable::of(grammar, &uses), Productive::of(grammar, &uses));
    All { nullable, productive }
}

/// Heights and sizes by iterating the equations from "unknown" until nothing changes.
struct Slow<'a> {
    grammar: &'a Grammar,
    size: bool,
    rules: Vec<Option<u32>>,
}

impl<'a> Slow<'a> {
    fn solve(grammar: &'a Grammar, size: bool) -> Slow<'a> {
        let mut slow = Slow { grammar, size, rules: vec![None; grammar.rules().len()] };
        loop {
            let next: Vec<_> = grammar
                .rules()
                .map(|rule| slow.block(grammar.rule(rule).body()).map(|value| value + u32::from(!size)))
                .collect();
            if next == slow.rules {
                return slow;
            }
            slow.rules = next;
        }
    }

    fn block(&self, block: BlockId) -> Option<u32> {
        self.grammar.alternatives(block).filter_map(|alt| self.alternative(alt)).min()
    }

    fn alternative(&self, alt: AltId) -> Option<u32> {
        let parts = self.grammar.elements(alt).iter().map(|element| match element.kind {
            ElementKind::Rule(rule) => self.rules[rule.index()],
            ElementKind::Block(block) => match self.grammar.block(block).quantifier.min {
                0 => Some(0),
                min => self.block(block).map(|value| if self.size { value * min } else { value }),
            },
            ElementKind::Code(code) => (!self.grammar.code(code).is_never()).then_some(0),
            _ => Some(u32::from(self.size)),
        });
        let parts: Option<Vec<u32>> = parts.collect();
        Some(parts?.into_iter().fold(0, |a, b| if self.size { a + b } else { a.max(b) }))
    }
}

fn blocks(grammar: &Grammar) -> impl Iterator<Item = BlockId> {
    (0..grammar.n_blocks()).map(BlockId::new)
}

fn alternatives(grammar: &Grammar) -> impl Iterator<Item = AltId> {
    (0..grammar.n_alternatives()).map(AltId::new)
}

/// Rules reached by a chain of places, one step at a time.
fn slow_calls(grammar: &Grammar, rule: RuleId) -> BTreeSet<RuleId> {
    BlockId::range(grammar.rule(rule).blocks.clone())
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt))
        .filter_map(|element| if let ElementKind::Rule(callee) = element.kind { Some(callee) } else { None })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn heights_and_sizes_solve_their_equations(grammar in grammars()) {
        let uses = Uses::of(&grammar);
        for (size, minima) in [(false, Minima::heights(&grammar, &uses)), (true, Minima::sizes(&grammar, &uses))] {
            let slow = Slow::solve(&grammar, size);
            for rule in grammar.rules() {
                prop_assert_eq!(minima.rule(rule), slow.rules[rule.index()]);
            }
            for block in blocks(&grammar) {
                prop_assert_eq!(minima.iteration(block), slow.block(block));
            }
            for alt in alternatives(&grammar) {
                prop_assert_eq!(minima.alternative(alt), slow.alternative(alt));
            }
        }
    }

    #[test]
    fn nullable_and_productive_say_what_words_there_are(grammar in grammars()) {
        let all = basics(&grammar);
        let known = words(&grammar, 2);
        let sizes = Slow::solve(&grammar, true);
        for alt in alternatives(&grammar) {
            let empty = of_alternative(&grammar, &known, alt, 2).contains(&Vec::new());
            prop_assert_eq!(all.nullable.alternative(alt), empty);
            prop_assert_eq!(all.productive.alternative(alt), sizes.alternative(alt).is_some());
        }
        for rule in grammar.rules() {
            prop_assert_eq!(all.nullable.rule(rule), known[rule.index()].contains(&Vec::new()));
        }
    }

    #[test]
    fn first_tokens_begin_some_word(grammar in grammars()) {
        let all = basics(&grammar);
        let first = First::of(&grammar, &all.nullable, &all.productive);
        // Twin: a set per rule, filled by walking every alternative again until nothing is added.
        let mut slow = vec![BTreeSet::new(); grammar.rules().len()];
        loop {
            let next: Vec<_> = grammar.rules().map(|rule| {
                let mut set = BTreeSet::new();
                slow_first_block(&grammar, &all, &slow, grammar.rule(rule).body(), &mut set);
                set
            }).collect();
            if next == slow { break }
            slow = next;
        }
        let known = words(&grammar, 3);
        for rule in grammar.rules() {
            let set: BTreeSet<usize> = first.rule(rule).iter().collect();
            prop_assert_eq!(&set, &slow[rule.index()]);
            for word in &known[rule.index()] {
                prop_assert!(word.first().is_none_or(|token| set.contains(&token.index())));
            }
        }
        for block in blocks(&grammar) {
            let mut set = BTreeSet::new();
            slow_first_block(&grammar, &all, &slow, block, &mut set);
            prop_assert_eq!(first.block(block).iter().collect::<BTreeSet<_>>(), set);
        }
    }

    #[test]
    fn follow_is_what_stands_behind(grammar in grammars()) {
        let all = basics(&grammar);
        let first = First::of(&grammar, &all.nullable, &all.productive);
        let start = grammar.start();
        let follow = Follow::of(&grammar, &all.nullable, &all.productive, &first, start);
        let mut slow = vec![BTreeSet::new(); grammar.n_blocks()];
        loop {
            let mut next = slow.clone();
            next[grammar.rule(start.unwrap()).body().index()].insert(0);
            for around in blocks(&grammar) {
                if grammar.block(around).quantifier.max != Some(1) {
                    next[around.index()].extend(first.block(around).iter());
                }
                for alt in grammar.alternatives(around).filter(|alt| all.productive.alternative(*alt)) {
                    let elements = grammar.elements(alt);
                    for (at, element) in elements.iter().enumerate() {
                        let inner = match element.kind {
                            ElementKind::Rule(rule) => grammar.rule(rule).body(),
                            ElementKind::Block(block) => block,
                            _ => continue,
                        };
                        let mut all_empty = true;
                        for behind in &elements[at + 1..] {
                            let mut row = BitMatrix::new(1, grammar.tokens().len());
                            first.add_element(&grammar, behind.kind, &mut row, 0);
                            next[inner.index()].extend(row.row(0).iter());
                            if !all.nullable.element(&grammar, behind.kind) {
                                all_empty = false;
                                break;
                            }
                        }
                        if all_empty {
                            let more = next[around.index()].clone();
                            next[inner.index()].extend(more);
                        }
                    }
                }
            }
            if next == slow { break }
            slow = next;
        }
        for block in blocks(&grammar) {
            prop_assert_eq!(follow.block(block).iter().collect::<BTreeSet<_>>(), slow[block.index()].clone());
        }
    }

    #[test]
    fn components_are_mutual_reach(grammar in grammars()) {
        let uses = Uses::of(&grammar);
        let components = Components::of_calls(&grammar, &uses);
        let reach: Vec<Reach> = grammar.rules()
            .map(|rule| Reach::from_rules(&grammar, slow_calls(&grammar, rule)))
            .collect();
        for a in grammar.rules() {
            prop_assert_eq!(components.is_recursive(&grammar, a), reach[a.index()].contains(a));
            for b in grammar.rules().filter(|b| *b != a) {
                let mutual = reach[a.index()].contains(b) && reach[b.index()].contains(a);
                prop_assert_eq!(components.component(a.index()) == components.component(b.index()), mutual);
                if reach[a.index()].contains(b) {
                    prop_assert!(components.component(b.index()) <= components.component(a.index()));
                }
            }
        }
    }

    #[test]
    fn reach_is_the_least_closed_set(grammar in grammars()) {
        let start = grammar.start().unwrap();
        let reach = Reach::from_rules(&grammar, [start]);
        let mut slow = BTreeSet::from([start]);
        while let Some(new) = slow.iter().flat_map(|r| slow_calls(&grammar, *r)).find(|r| !slow.contains(r)) {
            slow.insert(new);
        }
        for rule in grammar.rules() {
            prop_assert_eq!(reach.contains(rule), slow.contains(&rule));
        }
    }

    /// What the relation accepts really is in the language: if b <: A, every short word of b is one of A.
    #[test]
    fn subsumed_words_are_words(grammar in grammars()) {
        let all = basics(&grammar);
        let subsume = Subsume::of(&grammar, &all.nullable);
        let known = words(&grammar, 3);
        for a in grammar.rules() {
            for b in grammar.rules() {
                if subsume.accepts(Symbol::Rule(a), Symbol::Rule(b)) {
                    prop_assert!(known[b.index()].is_subset(&known[a.index()]));
                }
            }
            for token in grammar.tokens().types() {
                let word = known[a.index()].contains(&vec![token]);
                prop_assert_eq!(subsume.accepts(Symbol::Rule(a), Symbol::Token(token)), word);
            }
        }
    }

    /// The least height for all alternatives: twin that draws trees level by level.
    #[test]
    fn every_alternative_occurs_at_the_stated_depth(grammar in grammars()) {
        let uses = Uses::of(&grammar);
        let heights = Minima::heights(&grammar, &uses);
        let start = grammar.start().unwrap();
        let found = depth_of_all_alternatives(&grammar, &uses, &heights, start);
        prop_assert_eq!(found.is_some(), heights.rule(start).is_some());
        let most = 3 * grammar.rules().len() + 3;
        let at: Vec<BTreeSet<AltId>> = (0..=most).map(|h| slow_alternatives(&grammar, start, h)).collect();
        let slow = (0..=most).find(|h| !at[*h].is_empty() && at[*h] == at[most]);
        if let Some(found) = found {
            // A start rule that derives only the empty text from no alternative at all cannot be.
            prop_assert_eq!(Some(found as usize), slow);
        }
    }
}

fn slow_first_block(
    grammar: &Grammar,
    all: &All,
    known: &[BTreeSet<usize>],
    block: BlockId,
    into: &mut BTreeSet<usize>,
) {
    for alt in grammar.alternatives(block).filter(|alt| all.productive.alternative(*alt)) {
        for element in grammar.elements(alt) {
            match element.kind {
                ElementKind::Rule(rule) => into.extend(&known[rule.index()]),
                ElementKind::Block(inner) => slow_first_block(grammar, all, known, inner, into),
                ElementKind::Token(token) => drop(into.insert(token.index())),
                ElementKind::AnyToken => into.extend(grammar.tokens().types().map(TokenType::index)),
                ElementKind::NotTokens(set) => into.extend(
                    grammar
                        .tokens()
                        .types()
                        .filter(|t| !grammar.token_set(set).contains(t))
                        .map(TokenType::index),
                ),
                _ => {}
            }
            if !all.nullable.element(grammar, element.kind) {
                break;
            }
        }
    }
}

/// All alternatives that occur in some tree of at most this height, by the definition: what a block of a rule
/// can contain with `height - 1` levels below it.
fn slow_alternatives(grammar: &Grammar, start: RuleId, height: usize) -> BTreeSet<AltId> {
    let n = grammar.rules().len();
    // ends[h][rule]: has a tree of height at most h.
    let mut ends = vec![vec![false; n]];
    for h in 0..height {
        let row = grammar
            .rules()
            .map(|rule| can_end(grammar, &ends[h], grammar.rule(rule).body()))
            .collect::<Vec<_>>();
        ends.push(row);
    }
    let mut used = BTreeSet::new();
    let mut open = vec![(start, height)];
    let mut seen = BTreeSet::new();
    while let Some((rule, h)) = open.pop() {
        if !ends[h][rule.index()] || !seen.insert((rule, h)) {
            continue;
        }
        let mut inside = vec![grammar.rule(rule).body()];
        while let Some(block) = inside.pop() {
            for alt in grammar.alternatives(block) {
                let fits =
                    grammar.elements(alt).iter().all(|e| element_can_end(grammar, &ends[h - 1], e.kind));
                if !fits {
                    continue;
                }
                used.insert(alt);
                for element in grammar.elements(alt) {
                    match element.kind {
                        ElementKind::Rule(callee) => open.push((callee, h - 1)),
                        ElementKind::Block(inner) => inside.push(inner),
                        _ => {}
                    }
                }
            }
        }
    }
    used
}

fn can_end(grammar: &Grammar, ends: &[bool], block: BlockId) -> bool {
    grammar
        .alternatives(block)
        .any(|alt| grammar.elements(alt).iter().all(|e| element_can_end(grammar, ends, e.kind)))
}

fn element_can_end(grammar: &Grammar, ends: &[bool], kind: ElementKind) -> bool {
    match kind {
        ElementKind::Rule(rule) => ends[rule.index()],
        ElementKind::Block(block) => {
            grammar.block(block).quantifier.min == 0 || can_end(grammar, ends, block)
        }
        ElementKind::Code(code) => !grammar.code(code).is_never(),
        _ => true,
    }
}
