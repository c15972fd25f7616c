//! `--uniform` against brute force: all trees of a size, by the obvious recursion, kept if the parser builds them;
//! then many draws, and chi-square.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use polysmith_antlr::read_str;
use polysmith_engine::{Engine, Test};
use polysmith_generate::{Generator, Options, Uniform};
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, TokenType};
use polysmith_parse::{Limits, Parser};
use polysmith_random::Draw;
use polysmith_tree::show;
use std::collections::BTreeMap;

/// A sequence of token types, and its tree in a form of its own.
type Made = (Vec<TokenType>, String);

/// All trees of a block's alternatives with exactly `n` tokens. Repetitions are never empty.
fn block(grammar: &Grammar, block: BlockId, n: usize) -> Vec<Made> {
    let alternatives: Vec<AltId> = grammar.alternatives(block).collect();
    let mut all = Vec::new();
    for alt in alternatives {
        let kinds: Vec<ElementKind> = grammar.elements(alt).iter().map(|element| element.kind).collect();
        all.extend(sequence(grammar, &kinds, n));
    }
    all
}

fn sequence(grammar: &Grammar, kinds: &[ElementKind], n: usize) -> Vec<Made> {
    let Some((first, rest)) = kinds.split_first() else {
        return if n == 0 { vec![(Vec::new(), String::new())] } else { Vec::new() };
    };
    let mut all = Vec::new();
    for own in 0..=n {
        // Left recursion must leave something for the operator.
        if own == n
            && matches!(first, ElementKind::Rule(_))
            && rest.iter().any(|kind| matches!(kind, ElementKind::Token(token) if *token != TokenType::EOF))
        {
            continue;
        }
        for (tokens, tree) in element(grammar, *first, own) {
            for (more, trees) in sequence(grammar, rest, n - own) {
                all.push(([tokens.clone(), more].concat(), format!("{tree}{trees}")));
            }
        }
    }
    all
}

fn element(grammar: &Grammar, kind: ElementKind, n: usize) -> Vec<Made> {
    match kind {
        ElementKind::Token(TokenType::EOF) => {
            if n == 0 {
                vec![(vec![], String::new())]
            } else {
                vec![]
            }
        }
        ElementKind::Token(token) => {
            if n == 1 {
                vec![(vec![token], format!(" {}", grammar.tokens().display(token)))]
            } else {
                vec![]
            }
        }
        ElementKind::Rule(rule) => {
            let name = &grammar.rule(rule).name;
            let body = block(grammar, grammar.rule(rule).body(), n);
            body.into_iter().map(|(tokens, tree)| (tokens, format!(" ({name}{tree})"))).collect()
        }
        ElementKind::Block(inner) => {
            let quantifier = grammar.block(inner).quantifier;
            let mut all = if quantifier.min == 0 && n == 0 { vec![(vec![], String::new())] } else { vec![] };
            if quantifier.max == Some(1) {
                all.extend(block(grammar, inner, n));
            } else {
                for own in 1..=n {
                    for (tokens, tree) in block(grammar, inner, own) {
                        for (more, trees) in element_or_nothing(grammar, kind, n - own) {
                            all.push(([tokens.clone(), more].concat(), format!("{tree}{trees}")));
                        }
                    }
                }
            }
            all
        }
        _ => vec![],
    }
}

fn element_or_nothing(grammar: &Grammar, kind: ElementKind, n: usize) -> Vec<Made> {
    if n == 0 { vec![(vec![], String::new())] } else { element(grammar, kind, n) }
}

/// All trees of a size that the parser builds, as it prints them.
fn by_force(grammar: &Grammar, n: usize) -> Vec<String> {
    let start = grammar.start().unwrap();
    let mut parser = Parser::new(grammar.clone()).unwrap();
    let mut found = Vec::new();
    for (tokens, drawn) in element(grammar, ElementKind::Rule(start), n) {
        let Some(tree) = parser.parse_types(start, &tokens, &Limits::default()).unwrap() else { continue };
        let mut shape = String::new();
        outline(grammar, &tree, &mut shape);
        if shape == drawn {
            found.push(drawn);
        }
    }
    let all = found.len();
    found.sort();
    found.dedup();
    assert_eq!(all, found.len(), "brute force makes each tree once");
    found
}

/// A tree in the form of `element`.
fn outline(grammar: &Grammar, tree: &polysmith_tree::Tree, out: &mut String) {
    use polysmith_tree::Kind;
    let mut ends: Vec<usize> = Vec::new();
    for (at, node) in tree.nodes().iter().enumerate() {
        while ends.last().is_some_and(|end| *end <= at) {
            ends.pop();
            out.push(')');
        }
        match node.kind() {
            Kind::Rule { rule, .. } => {
                out.push_str(&format!(" ({}", grammar.rule(rule).name));
                ends.push(at + node.size());
            }
            Kind::Token(token) if token != TokenType::EOF => {
                out.push_str(&format!(" {}", grammar.tokens().display(token)));
            }
            _ => {}
        }
    }
    ends.iter().for_each(|_| out.push(')'));
}

#[track_caller]
fn check(grammar: &str, size: u32, n_trees: usize) {
    let read = read_str("T", grammar);
    let all = by_force(&read.grammar, size as usize);
    assert_eq!(all.len(), n_trees, "trees of {size} tokens");
    let generator = Generator::new(read.grammar.clone(), &Options::default()).unwrap();
    let uniform = Uniform::new(generator, size).unwrap();
    let mut worker = uniform.worker();
    let mut seen: BTreeMap<String, u64> = all.into_iter().map(|tree| (tree, 0)).collect();
    let draws = 60 * n_trees as u64;
    let mut test = Test::default();
    for index in 0..draws {
        worker.make(Draw::new(5, index), &mut test).unwrap();
        let mut shape = String::new();
        outline(&read.grammar, &test.tree, &mut shape);
        let text = show::sexpr(&test.tree, &read.grammar);
        *seen.get_mut(&shape).unwrap_or_else(|| panic!("not found by force: {shape} {text}")) += 1;
    }
    let expected = draws as f64 / n_trees as f64;
    let chi_square: f64 = seen.values().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
    // Four standard deviations above the mean of the distribution.
    let freedom = n_trees as f64 - 1.0;
    let limit = freedom + 4.0 * (2.0 * freedom).sqrt();
    assert!(chi_square < limit, "chi-square {chi_square:.1}, limit {limit:.1}, {n_trees} trees");
}

#[test]
fn nested_lists() {
    check("grammar T; s : l EOF ; l : '(' (l (',' l)*)? ')' | 'x' ;", 11, 72);
}

#[test]
fn operators_of_two_precedences() {
    check("grammar T; s : e EOF ; e : e '*' e | <assoc=right> e '^' e | e '+' e | '-' e | 'n' ;", 7, 97);
}

#[test]
fn a_dangling_else() {
    let grammar =
        "grammar T; s : t* EOF ; t : 'if' t ('else' t)? | '{' t* '}' | ';' | u ; u : 'p' | 'q'? ';' 'r' ;";
    check(grammar, 5, 534);
}

#[test]
fn a_size_without_trees_names_the_next() {
    let read = read_str("T", "grammar T; s : ('a' 'b' 'c')+ EOF ;");
    let generator = Generator::new(read.grammar, &Options::default()).unwrap();
    let error = Uniform::new(generator, 7).unwrap_err();
    assert_eq!(error.to_string(), "size 7: no text of `s` has so many tokens; 6 or 9 would do");
}
