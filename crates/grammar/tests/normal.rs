//! The normal form: the paper's figure, grammars on which the printed algorithm fails, and the same words before and
//! after on random grammars.

mod support;

use expect_test::{Expect, expect};
use polysmith_grammar::normal::normal_form;
use polysmith_grammar::*;
use proptest::prelude::*;
use support::words;

/// A grammar from lines such as `a : b 'x' | c ; `, with `?`, `*`, `+` behind single symbols. Quoted and upper-case
/// words are tokens.
fn grammar(text: &str) -> Grammar {
    let mut b = Builder::new("G");
    let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.trim().split_once(" : ")).collect();
    let rules: Vec<(&str, RuleId)> = lines.iter().map(|(name, _)| (*name, b.rule(*name))).collect();
    for ((_, body), (_, rule)) in lines.iter().zip(&rules) {
        let mut alternatives = Vec::new();
        for alternative in body.trim_end_matches(';').split('|') {
            let mut parts: Vec<Part> = Vec::new();
            for word in alternative.split_whitespace() {
                let (word, quantifier) = match word.chars().last().filter(|_| word.len() > 1) {
                    Some('?') => (&word[..word.len() - 1], Quantifier::OPTIONAL),
                    Some('*') => (&word[..word.len() - 1], Quantifier::STAR),
                    Some('+') => (&word[..word.len() - 1], Quantifier::PLUS),
                    _ => (word, Quantifier::ONE),
                };
                let part: Part = match rules.iter().find(|(name, _)| *name == word) {
                    Some((_, rule)) => (*rule).into(),
                    None => match b.tokens_mut().named(word) {
                        Some(token) => token.into(),
                        None => b.token(word).into(),
                    },
                };
                parts.push(match quantifier.is_one() {
                    true => part,
                    false => b.block(quantifier, [Alt::of([part])]).into(),
                });
            }
            alternatives.push(Alt::of(parts));
        }
        b.body(*rule, alternatives);
    }
    b.finish()
}

fn check(text: &str, expected: Expect) {
    let original = grammar(text);
    let start = original.start().expect("a start rule");
    let form = normal_form(&original, start);
    expected.assert_eq(&form.grammar.to_string());
    assert_same_words(&original, &form.grammar, 6);
}

fn assert_same_words(original: &Grammar, normal: &Grammar, longest: usize) {
    let before = words(original, longest);
    let after = words(normal, longest);
    assert_eq!(
        before[original.start().expect("a start rule").index()],
        after[normal.start().expect("a start rule").index()]
    );
}

/// Figure 4: `a_or_nothing` is the paper's S, `b_part` its G, `b_plus`… stand for E and F.
#[test]
fn figure_4a_becomes_4d() {
    check(
        "a : b c | d | ;
         b : a d | c d ;
         c : C ;
         d : D ;",
        expect![[r#"
            a_or_nothing : a |  ;
            a : b c | d ;
            b : d d_opt b_star | b_part+ ;
            c : C ;
            d : D ;
            b_part : c d ;
            d_opt : d? ;
            b_star : b_part* ;
        "#]],
    );
}

/// The printed algorithm loops on this one.
#[test]
fn direct_recursion_of_a_lower_nonterminal() {
    check(
        "n1 : n1 X | n2 Y | A ;
         n2 : n1 Z | B ;",
        expect![[r#"
            n1 : n2 Y n1_star | A n1_star ;
            n2 : A n1_star Z n2_star | B n2_star ;
            n2_part : Y n1_star Z ;
            n1_star : X* ;
            n2_star : n2_part* ;
        "#]],
    );
}

#[test]
fn operators_become_a_list() {
    check(
        "e : e TIMES e | e PLUS e | MINUS e | ID ;",
        expect![[r#"
        e : MINUS e e_star | ID e_star ;
        e_part : TIMES e | PLUS e ;
        e_star : e_part* ;
    "#]],
    );
}

#[test]
fn combs_and_optional_parts_become_quantifiers() {
    check(
        "block : OPEN stmts CLOSE ;
         stmts : stmt stmts | ;
         stmt : IF ID stmt | IF ID stmt ELSE stmt | ID SEMI | block ;",
        expect![[r#"
            block : OPEN stmts_opt CLOSE ;
            stmts : stmt+ ;
            stmt : IF ID stmt stmt_opt | ID SEMI | block ;
            stmt_part : ELSE stmt ;
            stmts_opt : stmts? ;
            stmt_opt : stmt_part? ;
        "#]],
    );
}

#[test]
fn unit_cycles_and_rules_that_are_only_empty() {
    check(
        "s : s | a nothing? | b ;
         a : b | A ;
         b : a | nothing B | nothing ;
         nothing : ;",
        expect![[r#"
            s_or_nothing : s |  ;
            s : a | b ;
            a : b | A ;
            b : A | B ;
        "#]],
    );
}

/// Each rule can begin with each other: substitution would double with every rule.
#[test]
fn mutual_recursion_stays_small() {
    let n = 14;
    let rule = |at: usize| {
        let others: Vec<String> = (0..n).filter(|o| *o != at).map(|o| format!("r{o} T{at} r{o}")).collect();
        format!("r{at} : {} | X{at} ;\n", others.join(" | "))
    };
    let original = grammar(&(0..n).map(rule).collect::<String>());
    let form = normal_form(&original, original.start().unwrap());
    assert_eq!(form.kept.len(), n);
    assert!(form.grammar.n_elements() <= 2 * original.n_elements());
    assert_same_words(&original, &form.grammar, 3);
}

#[test]
fn a_grammar_without_texts_is_returned_as_it_is() {
    let original = grammar("a : X a ;");
    assert_eq!(normal_form(&original, original.start().unwrap()).grammar, original);
}

/// The form itself: one symbol with a quantifier alone, or a plain sequence; nothing but a start rule is empty.
fn is_normal(grammar: &Grammar) -> bool {
    grammar.parser_rules().all(|rule| {
        grammar.alternatives(grammar.rule(rule).body()).all(|alt| {
            let elements = grammar.elements(alt);
            let quantified = elements.iter().any(|element| matches!(element.kind, ElementKind::Block(_)));
            match elements.len() {
                0 => Some(rule) == grammar.start(),
                1 => true,
                _ => !quantified,
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 80, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// All words of up to four tokens: those that are in the language, and those that are not.
    #[test]
    fn the_language_stays_the_same(original in support::grammars()) {
        let start = original.start().unwrap();
        let form = normal_form(&original, start);
        let before = words(&original, 4);
        let after = words(&form.grammar, 4);
        let new_start = form.grammar.start().unwrap();
        prop_assert_eq!(&before[start.index()], &after[new_start.index()], "{}\n{}", original, form.grammar);
        if !before[start.index()].is_empty() {
            prop_assert!(is_normal(&form.grammar), "{}", form.grammar);
        }
    }
}
