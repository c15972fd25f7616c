//! For people who embed: definitions and uses made to agree by a transformer alone, a model that always takes the
//! last alternative, one that chooses characters, one without an opinion, a listener that counts.

use polysmith_antlr::read_str;
use polysmith_engine::{Engine, Test, Worker};
use polysmith_generate::{Generator, Listener, Model, Options, Transformer};
use polysmith_grammar::{BlockId, CharSet, Grammar, RuleId};
use polysmith_random::Draw;
use polysmith_tree::{Kind, Tree, TreeBuilder};
use std::sync::atomic::{AtomicU32, Ordering};

const LANGUAGE: &str = "grammar V; s : (define | use)* EOF ; define : 'let' ID ';' ; use : 'use' ID ';' ;
    ID : [a-z]+ ; WS : ' ' -> skip ;";

/// Each use names the variable that was defined last; a use before any definition defines nothing new: it is `x`.
struct Agree;

impl Transformer for Agree {
    fn transform(&self, grammar: &Grammar, tree: &Tree) -> Option<Tree> {
        let (define, id) = (grammar.rule_named("define")?, grammar.tokens().named("ID")?);
        let mut out = TreeBuilder::new();
        let mut ends: Vec<(usize, Option<RuleId>)> = Vec::new();
        let mut last = b"x".to_vec();
        for (at, node) in tree.nodes().iter().enumerate() {
            while ends.last().is_some_and(|(end, _)| *end <= at) {
                ends.pop();
                out.close();
            }
            let text = tree.leaf_text(polysmith_tree::NodeId::new(at));
            match node.kind() {
                Kind::Token(token) if token == id => {
                    if ends.last().is_some_and(|(_, rule)| *rule == Some(define)) {
                        last = text.to_vec();
                    }
                    out.token(token, &last);
                }
                kind if kind.is_leaf() => out.leaf(kind, text),
                kind => {
                    let rule = if let Kind::Rule { rule, .. } = kind { Some(rule) } else { None };
                    ends.push((at + node.size(), rule));
                    out.open(kind);
                }
            }
        }
        ends.iter().for_each(|_| out.close());
        Some(out.finish())
    }
}

#[test]
fn uses_name_what_was_defined() {
    let generator =
        Generator::new(read_str("V", LANGUAGE).grammar, &Options::default()).unwrap().with_transformer(Agree);
    for index in 0..50 {
        let mut test = Test::default();
        generator.worker().make(Draw::new(1, index), &mut test).unwrap();
        let text = String::from_utf8(test.text).unwrap();
        let mut defined = "x".to_owned();
        for statement in text.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            let (word, name) = statement.split_once(' ').unwrap();
            match word {
                "let" => defined = name.to_owned(),
                _ => assert_eq!(name, defined, "{text}"),
            }
        }
    }
}

struct Last;

impl Model for Last {
    fn alternative(&mut self, _: BlockId, weights: &[u64]) -> Option<usize> {
        weights.iter().rposition(|weight| *weight > 0)
    }
}

struct Count<'a>(&'a AtomicU32);

impl Listener for Count<'_> {
    fn enter_rule(&mut self, _: RuleId, _: u32) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_model_chooses_and_a_listener_hears() {
    let generator = Generator::new(read_str("V", LANGUAGE).grammar, &Options::default()).unwrap();
    let entered = AtomicU32::new(0);
    let mut worker = generator.new_worker().with_model(Last).with_listener(Count(&entered));
    let mut test = Test::default();
    worker.make(Draw::new(1, 3), &mut test).unwrap();
    let text = String::from_utf8(test.text).unwrap();
    assert!(text.contains("use") && !text.contains("let"), "{text}");
    assert_eq!(entered.load(Ordering::Relaxed) as usize, 1 + text.matches("use ").count());
}

/// Names consist of `q` and, where the suggestion is late in the alphabet, of `?`, which is not in the set.
struct Quaint;

impl Model for Quaint {
    fn wants_characters(&self) -> bool {
        true
    }

    fn character(&mut self, _: RuleId, set: &CharSet, suggested: char) -> char {
        assert!(set.contains(u32::from(suggested)));
        if suggested < 'm' { 'q' } else { '?' }
    }
}

#[test]
fn a_model_chooses_characters_within_their_set() {
    let generator = Generator::new(read_str("V", LANGUAGE).grammar, &Options::default()).unwrap();
    let mut worker = generator.new_worker().with_model(Quaint);
    let mut names = 0;
    for index in 0..20 {
        let mut test = Test::default();
        worker.make(Draw::new(1, index), &mut test).unwrap();
        let text = String::from_utf8(test.text).unwrap();
        for name in text.split([' ', ';']).filter(|word| !["", "let", "use"].contains(word)) {
            assert!(name.chars().all(|c| c == 'q' || c >= 'm'), "{text}");
            names += usize::from(name.contains('q'));
        }
    }
    assert!(names > 20, "{names}");
}

/// Leaves everything to chance.
struct Chance;

impl Model for Chance {}

/// With a model each choice is weighed with care; without one most are drawn by sums known beforehand.
#[test]
fn a_model_without_an_opinion_changes_nothing() {
    let operators = "grammar O; s : (e ';')+ EOF ; e : e '*' e | e '+' e | '-' e | '(' e ')' | f ; f : ID ('(' (e (',' e)*)? ')')? | NUM ;
        ID : [a-z]+ ; NUM : [0-9]+ ; WS : [ \n]+ -> skip ;";
    let optional = "grammar P; s : a* ; a : 'if' a ('else' a)? | '{' a* '}' | b? c ';' | 'x' 'y'? ; b : 'p' | 'q' 'q' | 'r' b ; c : ID | 'z' ;
        ID : [a-w]+ ; WS : ' ' -> skip ;";
    for language in [LANGUAGE, operators, optional] {
        let generator = Generator::new(read_str("T", language).grammar, &Options::default()).unwrap();
        let (mut alone, mut asked) = (generator.new_worker(), generator.new_worker().with_model(Chance));
        for index in 0..300 {
            let (mut a, mut b) = (Test::default(), Test::default());
            alone.make(Draw::new(4, index), &mut a).unwrap();
            asked.make(Draw::new(4, index), &mut b).unwrap();
            assert_eq!(String::from_utf8(a.text), String::from_utf8(b.text));
        }
    }
}
