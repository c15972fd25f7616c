//! Small cases that `cargo xtask soak parse` found, with what ANTLR's generated parser answers.

use polysmith_antlr::read_str;
use polysmith_parse::{ErrorKind, Limits, Parser, Positions};
use polysmith_tree::show::sexpr;

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
];

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
