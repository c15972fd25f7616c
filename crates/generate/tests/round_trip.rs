//! Every text parses back to the tree that it was printed from: small grammars, each with one difficulty.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use polysmith_antlr::read_str;
use polysmith_engine::{Engine, Test};
use polysmith_generate::{Charset, Generator, Options, SetupError, Style};
use polysmith_grammar::Grammar;
use polysmith_parse::{Limits, Parser};
use polysmith_random::Draw;
use polysmith_tree::show;
use std::collections::BTreeSet;

fn grammar(text: &str) -> Grammar {
    let read = read_str("T", &format!("grammar T; {text}"));
    assert!(!read.diagnostics.has_errors(), "{text}");
    read.grammar
}

/// Generates, parses back, compares; the distinct texts.
#[track_caller]
fn check(text: &str, options: &Options, n: u64) -> BTreeSet<String> {
    let grammar = grammar(text);
    let generator = Generator::new(grammar.clone(), options).unwrap();
    let mut worker = generator.worker();
    let mut parser = Parser::new(grammar.clone()).unwrap();
    let start = options.start.or(grammar.start()).unwrap();
    let mut texts = BTreeSet::new();
    for index in 0..n {
        let mut test = Test::default();
        worker.make(Draw::new(1, index), &mut test).unwrap();
        let text = String::from_utf8(test.text.clone()).unwrap();
        let parsed = parser.parse(start, &text, &Limits::default()).unwrap();
        assert!(parsed.accepted(), "{index} {text:?}: {:?}", parsed.errors);
        assert_eq!(
            show::sexpr(&test.tree, &grammar),
            show::sexpr(&parsed.tree, &grammar),
            "{index} {text:?}"
        );
        texts.insert(text);
    }
    texts
}

const LEXER: &str = "ID : [a-z]+ ; NUM : [0-9]+ ('.' [0-9]+)? ; WS : [ \\n]+ -> skip ;";

#[test]
fn keywords_are_no_identifiers() {
    check(&format!("s : ('if' ID | ID 'do')+ EOF ; {LEXER}"), &Options::default(), 200);
}

#[test]
fn neighbours_are_kept_apart_only_where_needed() {
    let texts = check(
        &format!("s : (NUM | '.' | ID | '+' | '++')+ EOF ; {LEXER}"),
        &Options { style: Style::Compact, ..Options::default() },
        200,
    );
    assert!(texts.iter().any(|text| text.contains("+ +") || text.contains("+ ++")));
    assert!(texts.iter().all(|text| !text.contains("  ")), "no blank too many");
}

#[test]
fn precedence_and_associativity() {
    let rule = "s : e EOF ; e : <assoc=right> e '^' e | '-' e | e '*' e | e '+' e | e '!' | e '?' e ':' e | '(' e ')' | f | NUM ;
                f : '\\\\' ID e ;";
    check(&format!("{rule} {LEXER}"), &Options::default(), 300);
}

/// Every operator of `u` is taken by `n`, which may need the whole text to be seen: this is learned, not tried each time.
#[test]
fn operators_that_another_rule_takes() {
    let operators =
        |rule: &str| ["'*'", "'+'", "'?' e ':'"].map(|sign| format!("{rule} {sign} e")).join(" | ");
    let text = format!(
        "s : e EOF ; e : u | n ; u : '-' e | {} | u 'in' ID ; n : '(' e ')' | {} | n 'in' ID | ID | NUM ; {LEXER}",
        operators("u"),
        operators("n")
    );
    check(&text, &Options::default(), 60);
    let generator = Generator::new(grammar(&text), &Options::default()).unwrap();
    let mut worker = generator.worker();
    let mut taken_back = 0;
    for index in 0..60 {
        let mut test = Test::default();
        worker.make(Draw::new(1, index), &mut test).unwrap();
        taken_back += test.measures[3];
    }
    assert!(taken_back < 30, "{taken_back} choices were taken back");
}

/// After `%` the list can only end, so half of the drafts have one token.
#[test]
fn tiny_texts_are_rare_where_large_ones_are_aimed_at() {
    let text = "s : ('%' | '$') (ID ',')* EOF ; ID : [a-z]+ ; LONG : '%' [a-z]+ ;";
    let texts = check(text, &Options::default(), 100);
    assert!(texts.len() > 80, "{} distinct texts", texts.len());
}

#[test]
fn dangling_else_and_greed() {
    check(&format!("s : i EOF ; i : 'if' ID i ('else' i)? | ID ; {LEXER}"), &Options::default(), 200);
    check(&format!("s : a b EOF ; a : ID? ; b : ID* ; {LEXER}"), &Options::default(), 100);
    check(&format!("s : (ID ',')* ID ','? ~('x' | ',')*? 'x' EOF ; {LEXER}"), &Options::default(), 200);
    check(&format!("s : (a | b) EOF ; a : ID ; b : ID | NUM ; {LEXER}"), &Options::default(), 100);
}

#[test]
fn modes_more_and_hidden_ways_between_them() {
    let files = polysmith_source::Memory::default()
        .with(
            "L.g4",
            "lexer grammar L; tokens { PI } TEXT : ~'<'+ ; OPEN : '<' -> pushMode(IN) ; PIS : '<?' -> more, pushMode(PIM) ;
             mode IN; NAME : [a-z]+ ; CLOSE : '>' -> popMode ; WS : ' ' -> skip ;
             mode PIM; END : '?>' -> type(PI), popMode ; ANY : . -> more ;",
        )
        .with("P.g4", "parser grammar P; options { tokenVocab = L; } s : (TEXT? (OPEN NAME+ CLOSE | PI))* TEXT? EOF ;");
    let read = polysmith_antlr::read(&files, "P.g4".as_ref(), &polysmith_antlr::ReadOptions::default());
    assert!(!read.diagnostics.has_errors());
    let generator = Generator::new(read.grammar.clone(), &Options::default()).unwrap();
    let mut parser = Parser::new(read.grammar.clone()).unwrap();
    let mut seen_pi = false;
    for index in 0..200 {
        let mut test = Test::default();
        generator.worker().make(Draw::new(2, index), &mut test).unwrap();
        let text = String::from_utf8(test.text.clone()).unwrap();
        seen_pi |= text.contains("<?");
        let parsed = parser.parse(read.grammar.start().unwrap(), &text, &Limits::default()).unwrap();
        assert!(parsed.accepted(), "{text:?} {:?}", parsed.errors);
        assert_eq!(show::sexpr(&test.tree, &read.grammar), show::sexpr(&parsed.tree, &read.grammar));
    }
    assert!(seen_pi);
}

#[test]
fn limits_hold_and_too_small_ones_name_what_works() {
    let rule = format!("s : '(' s ')' | 'x' s 'y' s | ID ID ID | t ; t : u ; u : '#' ; {LEXER}");
    let grammar = grammar(&rule);
    for (depth, tokens) in [(1, 3), (3, 1), (5, 40), (2, 9)] {
        let options = Options { max_depth: Some(depth), max_tokens: Some(tokens), ..Options::default() };
        let generator = Generator::new(grammar.clone(), &options).unwrap();
        for index in 0..100 {
            let mut test = Test::default();
            generator.worker().make(Draw::new(3, index), &mut test).unwrap();
            assert!(test.tree.n_tokens(polysmith_tree::NodeId::ROOT) <= tokens as usize);
        }
    }
    let error = |depth, tokens| {
        let options = Options { max_depth: Some(depth), max_tokens: Some(tokens), ..Options::default() };
        Generator::new(grammar.clone(), &options).unwrap_err()
    };
    assert_eq!(error(0, 9), SetupError::Depth { given: 0, least: 1 });
    assert_eq!(error(2, 2), SetupError::Tokens { given: 2, depth: 2, least: 3 });
}

#[test]
fn minimum_requirement_and_exclusion() {
    let text = format!("s : x* EOF ; x : a | b | c ; a : '[' x ']' ; b : ID ; c : NUM ';' ; {LEXER}");
    let grammar = grammar(&text);
    let rule = |name| grammar.rule_named(name).unwrap();
    for test in check(&text, &Options { min_tokens: 20, max_tokens: Some(50), ..Options::default() }, 50) {
        assert!(test.len() >= 10, "{test}");
    }
    for test in check(&text, &Options { require: Some(rule("c")), ..Options::default() }, 100) {
        assert!(test.contains(';'), "{test}");
    }
    for test in check(&text, &Options { without: vec![rule("c"), rule("a")], ..Options::default() }, 100) {
        assert!(!test.contains([';', '[']), "{test}");
    }
}

#[test]
fn odd_grammars() {
    let setup = |text: &str| {
        let read = read_str("T", &format!("grammar T; {text}"));
        Generator::new(read.grammar, &Options::default()).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        setup("s : 'x' s ;"),
        "`s` has no finite text: every way through it calls one of its rules again or has a predicate that is false"
    );
    assert_eq!(check("s : 'x' EOF ;", &Options::default(), 10).len(), 1);
    assert_eq!(check("s : EOF ;", &Options::default(), 10), BTreeSet::from([String::new()]));
    // B is always shadowed by A: what needs it is left out.
    let texts =
        check("s : (A | B 'x')+ EOF ; A : [a-z]+ ; B : 'b'+ ; W : ' ' -> skip ;", &Options::default(), 50);
    assert!(texts.iter().all(|text| !text.contains('x') || !text.contains("b x")));
    let error = setup("s : B ; A : [a-z]+ ; B : 'b'+ ;");
    assert!(error.contains("needs tokens that nothing makes (B)"), "{error}");
}

/// Statements of `n` kinds.
fn statements(n: usize) -> String {
    let kinds: Vec<String> = (0..n).map(|at| format!("k{at}")).collect();
    let rules: String = (0..n).map(|at| format!("k{at} : 'w{at}' ID? ';' ; ")).collect();
    format!("s : stmt+ EOF ; stmt : {} ; {rules} ID : [a-z]+ ; WS : ' ' -> skip ;", kinds.join(" | "))
}

/// Operators of `n` precedences, one rule each.
fn layers(n: usize) -> String {
    let rules: String = (1..n).map(|at| format!("r{at} : r{} ('o{at}' r{})* ; ", at + 1, at + 1)).collect();
    format!("r0 : r1 EOF ; {rules} r{n} : ID | '(' r1 ')' ; ID : [a-z] ; WS : ' ' -> skip ;")
}

/// An optional token after each of `n` calls: only the callers show whose it is.
fn tails(n: usize) -> String {
    let rules: String = (0..n).map(|at| format!("r{at} : r{} 'x'? ; ", at + 1)).collect();
    format!("{rules} r{n} : ID ; ID : [a-z] ;")
}

#[test]
fn many_rules_and_deep_nesting() {
    check(&statements(500), &Options::default(), 2);
    check(&layers(200), &Options::default(), 2);
    check(&tails(100), &Options::default(), 2);
    nested(10_000);
}

/// Nests a rule so deep.
fn nested(depth: u32) {
    let (max_depth, max_tokens) = (Some(depth), Some(2 * depth));
    let deep = Options { max_depth, max_tokens, min_tokens: 2 * depth - 100, ..Options::default() };
    let texts = check("s : '(' s ')' | 'x' ;", &deep, 1);
    assert!(texts.iter().all(|text| text.len() as u32 >= 2 * depth - 100));
}

/// Run with `cargo test --release`; see docs/claims.md for the time it takes.
#[cfg_attr(debug_assertions, ignore = "quick enough only when optimized")]
#[test]
fn five_thousand_rules() {
    check(&statements(5_000), &Options::default(), 2);
    check(&layers(5_000), &Options { max_depth: Some(10_100), ..Options::default() }, 2);
    check(&tails(1_000), &Options::default(), 2);
}

#[test]
fn a_token_rule_and_every_charset() {
    let text = "s : A ; A : '\"' ~[\"\\\\]* '\"' ;";
    for charset in [Charset::Ascii, Charset::Unicode, Charset::Edge] {
        check(text, &Options { charset, ..Options::default() }, 50);
    }
    let grammar = grammar(text);
    let options = Options { start: grammar.rule_named("A"), ..Options::default() };
    let generator = Generator::new(grammar, &options).unwrap();
    let mut test = Test::default();
    generator.worker().make(Draw::new(1, 0), &mut test).unwrap();
    assert!(test.text.starts_with(b"\"") && test.text.ends_with(b"\""));
}

#[test]
fn the_same_draw_gives_the_same_bytes_whatever_came_before() {
    let grammar = grammar(&format!("s : e EOF ; e : e '*' e | e '+' e | ID | NUM ; {LEXER}"));
    let generator = Generator::new(grammar, &Options::default()).unwrap();
    let mut busy = generator.worker();
    for index in 0..50 {
        let (mut a, mut b) = (Test::default(), Test::default());
        busy.make(Draw::new(9, index), &mut a).unwrap();
        generator.worker().make(Draw::new(9, index), &mut b).unwrap();
        assert_eq!(a.text, b.text);
    }
}

#[test]
fn every_style_gives_the_same_tokens() {
    let text = format!("s : ('{{' s '}}' | ID ';' | NUM '.')* ; {LEXER}");
    for style in [Style::Compact, Style::Spaced, Style::Lines, Style::Pretty] {
        check(&text, &Options { style, ..Options::default() }, 60);
    }
    let texts = check(&text, &Options { separator: Some("\n ".into()), ..Options::default() }, 30);
    assert!(texts.iter().any(|text| text.contains("\n ;")));
}
