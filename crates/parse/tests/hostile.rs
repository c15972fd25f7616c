//! Inputs that want to break the parser: depth, noise, limits, lexers that do not move.

use polysmith_antlr::read_str;
use polysmith_parse::{Limits, ParseError, Parser};

fn parser(text: &str) -> Parser {
    let read = read_str("T", text);
    Parser::new(read.grammar.clone()).expect("the grammar compiles")
}

fn parse(parser: &mut Parser, text: &str, limits: &Limits) -> Result<bool, ParseError> {
    let start = parser.grammar().start().expect("there is a parser rule");
    parser.parse(start, text, limits).map(|parsed| {
        assert_eq!(parsed.tree.to_bytes(), text.as_bytes(), "everything prints back");
        parsed.accepted()
    })
}

const PARENS: &str = "grammar T; s : e EOF ; e : '(' e ')' | ID ; ID : [a-z]+ ;";
const SUMS: &str = "grammar T; s : e EOF ; e : e '*' e | e '+' e | '(' e ')' | '-' e | ID ; ID : [a-z]+ ;";

#[test]
fn depth_costs_no_stack() {
    let n = 60_000;
    let nested = format!("{}x{}", "(".repeat(n), ")".repeat(n));
    for grammar in [PARENS, SUMS] {
        let mut parser = parser(grammar);
        assert_eq!(parse(&mut parser, &nested, &Limits::default()), Ok(true));
        assert_eq!(parse(&mut parser, &nested[..nested.len() - 1], &Limits::default()), Ok(false));
    }
    let chain = vec!["x"; 60_000].join("+");
    assert_eq!(parse(&mut parser(SUMS), &chain, &Limits::default()), Ok(true));
}

/// The start of the decision and what it reaches over the end of the input have the same configurations.
#[test]
fn alternatives_alike_at_the_end_of_the_input_are_settled() {
    for grammar in ["grammar T; s : t ; t : | ; A : 'a' ;", "grammar T; s : t* ; t : 'a' | 'a' | 'a' t ;"] {
        let mut parser = parser(grammar);
        for text in ["", "a", "aa"] {
            let accepted = text.is_empty() || grammar.contains("t*");
            assert_eq!(parse(&mut parser, text, &Limits::default()), Ok(accepted), "{grammar} on {text:?}");
        }
    }
}

#[test]
fn every_limit_says_its_name() {
    let mut parser = parser(PARENS);
    let text = "((((x))))";
    let base = Limits::default();
    for (limits, name) in [
        (Limits { max_bytes: 3, ..base.clone() }, "max-bytes"),
        (Limits { max_tokens: 3, ..base.clone() }, "max-tokens"),
        (Limits { max_depth: 3, ..base.clone() }, "max-depth"),
        (Limits { max_steps: 2, ..base.clone() }, "max-steps"),
    ] {
        let error = parse(&mut parser, text, &limits).expect_err(name);
        assert!(error.to_string().contains(name) && error.is_limit(), "{error}");
    }
    // What is learned is forgotten when there is too much of it; the answer stays.
    assert_eq!(parse(&mut parser, text, &Limits { max_memory: 1, ..base }), Ok(true));
}

#[test]
fn lexers_that_do_not_move_end_with_an_error() {
    let mut empty = parser("grammar T; s : A ; A : 'x'* ;");
    assert!(matches!(parse(&mut empty, "y", &Limits::default()), Err(ParseError::EmptyToken { .. })));
    let mut pops = parser("grammar T; s : A ; A : 'x' -> popMode ;");
    assert!(matches!(parse(&mut pops, "x", &Limits::default()), Err(ParseError::EmptyModeStack { .. })));
}

#[test]
fn noise_is_only_rejected() {
    let pieces = ["(", ")", "x", "+", "*", "-", " ", "é", "\n", "\u{0}", "日", "\u{10ffff}", "<", "a"];
    let mut state = 1u64;
    let mut parser = parser(SUMS);
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..state % 60 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(7);
        parse(&mut parser, &text, &Limits::default()).expect("no limit is near");
    }
}

/// The small version of `cargo xtask soak bytes`: any bytes, read as Latin-1, for our own languages.
#[test]
fn any_bytes_are_only_rejected() {
    let mut state = 1u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let limits = Limits { max_steps: 1_000_000, ..Limits::default() };
    for language in ["arithmetic/Arithmetic.g4", "csv/CSV.g4", "json/JSON.g4", "mc/MC.g4", "xml/XMLParser.g4"]
    {
        let path = format!("{}/../../languages/{language}", env!("CARGO_MANIFEST_DIR"));
        let read = polysmith_antlr::read(&polysmith_source::Disk, path.as_ref(), &Default::default());
        let mut parser = Parser::new(read.grammar.clone()).expect("a language of ours compiles");
        for _ in 0..200 {
            let text: String = (0..below(100)).map(|_| char::from(below(256) as u8)).collect();
            if let Err(error) = parse(&mut parser, &text, &limits) {
                assert!(error.is_limit(), "{language}: {error} on {text:?}");
            }
        }
    }
}

#[test]
fn rest_and_hidden_text_print_back() {
    let mut parser =
        parser("grammar T; s : ID ; ID : [a-z]+ ; W : ' '+ -> channel(HIDDEN) ; C : '#' .*? '\\n' -> skip ;");
    assert_eq!(parse(&mut parser, " #c\n a b c%%", &Limits::default()), Ok(false));
    assert_eq!(parse(&mut parser, "# only\n a #\n ", &Limits::default()), Ok(true));
}

#[test]
fn a_result_in_used_memory_is_the_same() {
    let texts = ["x+(x*x)+x", "x", "((x", "-x*x + é", ""];
    let mut parser = parser(SUMS);
    let start = parser.grammar().start().expect("there is a parser rule");
    for text in texts.iter().cycle().take(3 * texts.len()) {
        let limits = Limits::default();
        let reused = parser.parse(start, text, &limits).expect("it stays within all limits");
        let fresh = parser.clone().parse(start, text, &limits).expect("it stays within all limits");
        assert_eq!((&reused.tree, &reused.lexed), (&fresh.tree, &fresh.lexed), "{text}");
        parser.reuse(reused);
    }
}
