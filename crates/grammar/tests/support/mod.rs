//! Random small grammars, and the languages of small grammars by brute force.
//!
//! `words` is the obvious twin of everything that says something about texts: the set of all words up to a
//! length, computed by iterating the definition until nothing is added.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use polysmith_grammar::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A part of a random grammar. Numbers name tokens and rules, modulo how many there are.
#[derive(Debug, Clone)]
pub enum Plan {
    Token(usize),
    Rule(usize),
    Any,
    Not(usize),
    Never,
    Group(Quantifier, Vec<Vec<Plan>>),
}

/// How many token types random grammars have.
pub const TOKENS: usize = 3;

fn quantifiers() -> impl Strategy<Value = Quantifier> {
    prop_oneof![
        Just(Quantifier::ONE),
        Just(Quantifier::OPTIONAL),
        Just(Quantifier::STAR),
        Just(Quantifier::PLUS),
        Just(Quantifier { min: 2, max: Some(3), greedy: true }),
    ]
}

fn parts(rare: bool) -> impl Strategy<Value = Plan> {
    let rarely = u32::from(rare);
    let leaf = prop_oneof![
        8 => (0..TOKENS).prop_map(Plan::Token),
        8 => (0..8usize).prop_map(Plan::Rule),
        rarely => Just(Plan::Any),
        rarely => (0..TOKENS).prop_map(Plan::Not),
        rarely => Just(Plan::Never),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let alternatives = prop::collection::vec(prop::collection::vec(inner, 0..3), 1..3);
        (quantifiers(), alternatives).prop_map(|(q, alternatives)| Plan::Group(q, alternatives))
    })
}

/// Grammars of one to five rules.
pub fn grammars() -> impl Strategy<Value = Grammar> {
    grammars_with(true)
}

/// The same; `rare` adds `.`, `~` and predicates that are false.
pub fn grammars_with(rare: bool) -> impl Strategy<Value = Grammar> {
    let rule = prop::collection::vec(prop::collection::vec(parts(rare), 0..4), 1..4);
    prop::collection::vec(rule, 1..6).prop_map(|rules| build(&rules))
}

/// The grammar of a plan.
pub fn build(rules: &[Vec<Vec<Plan>>]) -> Grammar {
    let mut b = Builder::new("Random");
    let tokens: Vec<TokenType> =
        (0..TOKENS).map(|t| b.literal(format!("'{}'", letter(t)), letter(t).to_string())).collect();
    let ids: Vec<RuleId> = (0..rules.len()).map(|r| b.rule(format!("r{r}"))).collect();
    for (rule, alternatives) in rules.iter().enumerate() {
        let alternatives =
            alternatives.iter().map(|parts| alt(&mut b, parts, &tokens, &ids)).collect::<Vec<_>>();
        b.body(ids[rule], alternatives);
    }
    b.finish()
}

fn letter(token: usize) -> char {
    char::from(b'a' + token as u8)
}

fn alt(b: &mut Builder, parts: &[Plan], tokens: &[TokenType], rules: &[RuleId]) -> Alt {
    Alt::of(
        parts
            .iter()
            .map(|part| match part {
                Plan::Token(t) => tokens[t % tokens.len()].into(),
                Plan::Rule(r) => rules[r % rules.len()].into(),
                Plan::Any => Part::new(ElementKind::AnyToken),
                Plan::Not(t) => b.not_tokens([tokens[t % tokens.len()]]),
                Plan::Never => b
                    .code(Code {
                        text: "false".into(),
                        kind: CodeKind::Predicate {
                            meaning: Meaning::Constant(false),
                            reads_context: false,
                            fail: None,
                        },
                    })
                    .into(),
                Plan::Group(quantifier, alternatives) => {
                    let inner: Vec<Alt> =
                        alternatives.iter().map(|parts| alt(b, parts, tokens, rules)).collect();
                    b.block(*quantifier, inner).into()
                }
            })
            .collect::<Vec<Part>>(),
    )
}

/// A word over token types.
pub type Word = Vec<TokenType>;
type Words = BTreeSet<Word>;

/// By rule: all words of at most `longest` tokens.
pub fn words(grammar: &Grammar, longest: usize) -> Vec<Words> {
    let mut known: Vec<Words> = vec![Words::new(); grammar.rules().len()];
    loop {
        let next: Vec<Words> = grammar
            .rules()
            .map(|rule| of_block(grammar, &known, grammar.rule(rule).body(), longest))
            .collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

/// All words of one iteration of a block, given words of the rules.
pub fn of_block(grammar: &Grammar, known: &[Words], block: BlockId, longest: usize) -> Words {
    grammar.alternatives(block).flat_map(|alt| of_alternative(grammar, known, alt, longest)).collect()
}

/// All words of an alternative, given words of the rules.
pub fn of_alternative(grammar: &Grammar, known: &[Words], alt: AltId, longest: usize) -> Words {
    let mut so_far = Words::from([Word::new()]);
    for element in grammar.elements(alt) {
        so_far = concat(&so_far, &of_element(grammar, known, element.kind, longest), longest);
    }
    so_far
}

fn of_element(grammar: &Grammar, known: &[Words], kind: ElementKind, longest: usize) -> Words {
    match kind {
        ElementKind::Token(token) => Words::from([vec![token]]),
        ElementKind::AnyToken => grammar.tokens().types().map(|token| vec![token]).collect(),
        ElementKind::NotTokens(set) => {
            let not = grammar.token_set(set);
            grammar.tokens().types().filter(|t| !not.contains(t)).map(|token| vec![token]).collect()
        }
        ElementKind::Rule(rule) => known[rule.index()].clone(),
        ElementKind::Block(block) => {
            let once = of_block(grammar, known, block, longest);
            let quantifier = grammar.block(block).quantifier;
            let mut exactly = Words::from([Word::new()]);
            for _ in 0..quantifier.min {
                exactly = concat(&exactly, &once, longest);
            }
            let mut all = exactly.clone();
            for _ in quantifier.min..quantifier.max.unwrap_or(quantifier.min + longest as u32) {
                exactly = concat(&exactly, &once, longest);
                all.extend(exactly.iter().cloned());
            }
            all
        }
        ElementKind::Code(code) if grammar.code(code).is_never() => Words::new(),
        _ => Words::from([Word::new()]),
    }
}

fn concat(a: &Words, b: &Words, longest: usize) -> Words {
    let mut all = Words::new();
    for x in a {
        for y in b.iter().filter(|y| x.len() + y.len() <= longest) {
            all.insert([x.as_slice(), y.as_slice()].concat());
        }
    }
    all
}
