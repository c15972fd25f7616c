//! Rules that give each level of operators a rule of its own: levels are entered and left together once the parser is
//! warm. A parser that counts what decisions cost takes every step by itself; both must say the same of every text.

use polysmith_grammar::Grammar;
use polysmith_parse::{Limits, ParseError, ParseOptions, Parsed, Parser, Profile};

const LADDER: &str = r#"
    s : (statement ';')* EOF ;
    statement : assignment | 'return' assignment? | block ;
    block : '{' statement* '}' ;
    assignment : conditional | unary '=' assignment ;
    conditional : or ('?' assignment ':' conditional)? ;
    or : and ('|' and)* ;
    and : equal ('&' equal)* ;
    equal : sum ('==' sum)? ;
    sum : product (('+' | '-') product)* ;
    product : unary ('*' unary)* ;
    unary : postfix | '-' unary ;
    postfix : primary ('[' assignment ']' | '(' (assignment (',' assignment)*)? ')')* ;
    primary : 'a' | '(' assignment ')' ;
    WS : ' ' -> skip ;
"#;

const WORDS: &[&str] = &[
    "a", "a", "a", "a", ";", ";", "+", "-", "*", "=", "==", "&", "|", "?", ":", "(", ")", "[", "]", ",",
    "return", "{", "}", "a + a", "( a )", "a ;", "$",
];

fn ladder() -> Grammar {
    let read = polysmith_antlr::read_str("G", &format!("grammar G; {LADDER}"));
    assert!(!read.diagnostics.has_errors(), "the grammar is in order");
    read.grammar
}

/// Texts of up to 40 words, most of them with errors; the same ones every time.
fn texts(n: usize) -> impl Iterator<Item = String> {
    let mut state = 12u64;
    let mut below = move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    (0..n).map(move |_| {
        let words: Vec<&str> = (0..below(40)).map(|_| WORDS[below(WORDS.len())]).collect();
        words.join(" ")
    })
}

fn shown(parsed: &Parsed) -> (String, String) {
    (format!("{:?}", parsed.tree), format!("{:?}", parsed.errors))
}

#[test]
fn a_warm_parser_says_what_single_steps_say() {
    let grammar = ladder();
    let start = grammar.rule_named("s").expect("it has one");
    let limits = Limits::default();
    let mut warm = Parser::new(grammar.clone()).expect("it compiles");
    let mut n_rejected = 0;
    for text in texts(500) {
        let mut single = Parser::new(grammar.clone()).expect("it compiles");
        let counted = single.parse_with(
            start,
            &text,
            &limits,
            ParseOptions { profile: Some(&mut Profile::default()), ..ParseOptions::default() },
        );
        let counted = counted.expect("it is short");
        for _ in 0..2 {
            let parsed = warm.parse(start, &text, &limits).expect("it is short");
            assert_eq!(shown(&parsed), shown(&counted), "`{text}`");
            assert_eq!(parsed.looked, counted.looked, "`{text}`");
        }
        n_rejected += usize::from(!counted.accepted());
    }
    assert!((200..500).contains(&n_rejected), "{n_rejected} of the texts have errors");
}

#[test]
fn limits_are_reached_at_the_same_depth_and_step() {
    let grammar = ladder();
    let start = grammar.rule_named("s").expect("it has one");
    let mut parser = Parser::new(grammar.clone()).expect("it compiles");
    let text = "a + ( a ) ;";
    // `s`, `statement`, and twice the way from `assignment` to `primary`.
    let depth = 2 + 2 * 10;
    for max_depth in 1..depth + 3 {
        let parsed = parser.parse(start, text, &Limits { max_depth, ..Limits::default() });
        match parsed {
            Err(ParseError::Depth { limit, .. }) => assert!(limit == max_depth && max_depth < depth),
            parsed => assert!(parsed.is_ok() && max_depth >= depth, "a limit of {max_depth}"),
        }
    }
    let needed = (1..).find(|max_steps| {
        parser.parse(start, text, &Limits { max_steps: *max_steps, ..Limits::default() }).is_ok()
    });
    assert_eq!(needed, Some(2 + 10 + 4 + 10), "one for each rule that is entered");
}
