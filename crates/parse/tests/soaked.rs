//! Small cases that random comparisons found, with what ANTLR's generated parser answers.

use polysmith_antlr::read_str;
use polysmith_parse::{ErrorKind, Limits, Parser, Positions};
use polysmith_tree::show::sexpr;
use std::fmt::Write as _;

/// Grammar, input, ANTLR's tree, ANTLR's errors.
const CASES: &[(&str, &str, &str, &str)] = &[
    // The states after one and after several `+` differ only in which walks have left `t`: they are one to ANTLR.
    (
        "grammar T; s : t EOF ; t : ('+' | TEXT '<')* | ('+' t | '+')+ NAME ; TEXT : [a-z]+ ; NAME : [A-Z]+ ;",
        "+++mm",
        "(s t + + + mm)",
        "1:0 mismatched input '+' expecting <EOF>\n",
    ),
    // The end of the input has the text of an unfinished token, and an error node does not show it.
    (
        "grammar T; s : t EOF ; t : 'b' t t | 'c' ; A : 'a' -> more ;",
        "bbcaa",
        "(s (t b (t b (t c) t) (t <EOF>)) aa)",
        "1:3 mismatched input 'aa' expecting {'b', 'c'}\n",
    ),
    // Two states after `-` differ only in which walks have left `l`. The marks of the one met first decide which alternative
    // is taken at the end of the input: here it was met before the last walk ...
    (
        LISTS,
        "c + x; + x; - x; end c - x; - x",
        "(s (c c (l (n + x ;) (n + x ;) (m - x ;)) end) (c c (l (m - x ;) (m - x)) <missing 'end'>) <EOF>)",
        "1:31 mismatched input '<EOF>' expecting ';'\n",
    ),
    // ... and here on it.
    (LISTS, "c - x; - x", "(s (c c (l (m - x ;)) - x) <EOF>)", "1:7 mismatched input '-' expecting 'end'\n"),
];

const LISTS: &str = "grammar T; s : (c | p)* EOF ; c : 'c' l 'end' ; p : 'p' l+ 'end' ; l : (m | n)+ ; \
    m : '-' ID ';' ; n : '+' ID ';' ; ID : [a-z] ; W : [ \\n] -> skip ;";

#[test]
fn trees_and_errors_are_those_of_antlr() {
    for (grammar, text, tree, errors) in CASES {
        let mut parser = Parser::new(read_str("T", grammar).grammar).expect("the grammar compiles");
        let start = parser.grammar().start().expect("there is a parser rule");
        let parsed = parser.parse(start, text, &Limits::default()).expect("within the limits");
        let positions = Positions::new(text);
        let parser_errors = parsed.reported().filter(|error| error.kind == ErrorKind::Parser);
        let said: String = parser_errors.fold(String::new(), |said, error| {
            let (line, column) = positions.antlr(error.start);
            format!("{said}{line}:{column} {}\n", error.message)
        });
        assert_eq!(sexpr(&parsed.tree, parser.grammar()), *tree, "{grammar}");
        assert_eq!(said, *errors, "{grammar}");
        assert_eq!(parsed.tree.to_bytes(), text.as_bytes(), "everything prints back");
    }
}

/// States that are one to ANTLR are found to be one also if a long walk finds their configurations in another order. The walk
/// through `u` is long, so that walks after it are taken with merging.
#[test]
fn states_are_compared_in_any_order() {
    let mut grammar =
        "grammar L; s : (c | p)* EOF ; c : 'c' l 'end' ; p : 'p' l+ 'end' ; l : m+ ;".to_owned();
    let choice = |name: char, n: usize| (0..n).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(" | ");
    write!(grammar, "m : '-' t ID u? ';' ; t : {} ; u : {} ;", choice('q', 12), choice('z', 150)).unwrap();
    for i in 0..12 {
        write!(grammar, "q{i} : r{i} 'y{i}' | 'x{i}' ; r{i} : 'w{i}'? ;").unwrap();
    }
    for i in 0..150 {
        write!(grammar, "z{i} : v{i} 'd{i}' ; v{i} : 'e{i}'? ;").unwrap();
    }
    grammar.push_str("ID : [A-Z] ; W : ' ' -> skip ;");
    let mut parser = Parser::new(read_str("L", &grammar).grammar).expect("the grammar compiles");
    let start = parser.grammar().start().expect("there is a parser rule");
    let parsed =
        parser.parse(start, "c - x3 A; - x3 A; - x3 A", &Limits::default()).expect("within the limits");
    let tree = sexpr(&parsed.tree, parser.grammar());
    assert_eq!(
        tree, "(s (c c (l (m - (t (q3 x3)) A ;)) - x3 A ; - x3 A) <EOF>)",
        "as ANTLR's generated parser"
    );
}
