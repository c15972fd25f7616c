//! Hooks of a parser, written in Rust: when they are asked, what they see, how they fail.

use polysmith_grammar::{CodeId, Grammar};
use polysmith_parse::hooks::{HookError, Hooks, ParserView};
use polysmith_parse::{Limits, ParseError, Parser};
use polysmith_value::Value;
use std::sync::Arc;

/// The state is a list of defined names.
#[derive(Debug)]
struct Names {
    grammar: Arc<Grammar>,
}

impl Names {
    fn call(&self, code: CodeId) -> &str {
        self.grammar.code(code).text.trim().trim_end_matches(';')
    }
}

impl Hooks for Names {
    fn covers(&self, code: CodeId) -> bool {
        self.call(code) != "other()"
    }

    fn start(&self) -> Result<Value, HookError> {
        Value::list(Vec::new()).map_err(|_| HookError { message: "too deep".into() })
    }

    fn predicate(&self, code: CodeId, state: &Value, view: &ParserView<'_>) -> Result<bool, HookError> {
        let text = |k| view.lt(k).map_or("", |token| token.text);
        match self.call(code) {
            "isType()" => Ok(state.as_list().unwrap_or_default().contains(&Value::string(text(1)))),
            "adjacent()" => {
                let index = |k| view.lt(k).map(|token| token.index);
                Ok(index(-1).zip(index(1)).is_some_and(|(last, next)| last + 1 == next))
            }
            "inBlock()" => Ok(view.rule(1).is_some_and(|rule| self.grammar.rule(rule).name == "block")),
            call => Err(HookError { message: format!("there is no function `{call}`") }),
        }
    }

    fn action(&self, _: CodeId, state: Value, view: &ParserView<'_>) -> Result<Value, HookError> {
        let mut names = state.as_list().unwrap_or_default().to_vec();
        names.push(Value::string(view.lt(-1).map_or("", |token| token.text)));
        Value::list(names).map_err(|_| HookError { message: "too deep".into() })
    }
}

const LEXER: &str = "ID : [a-z]+; WS : ' ' -> channel(HIDDEN);";

fn parser(rules: &str) -> Parser {
    let text = format!("grammar G; {rules} {LEXER}");
    let grammar = Arc::new(polysmith_antlr::read_str("G", &text).grammar);
    let hooks = Arc::new(Names { grammar: Arc::clone(&grammar) });
    Parser::with_hooks(grammar, hooks).expect("the grammar compiles")
}

/// The tree, or the first error with its place.
fn parse(parser: &mut Parser, text: &str) -> String {
    let grammar = Arc::clone(parser.grammar());
    let start = grammar.start().expect("there is a parser rule");
    let parsed = parser.parse(start, text, &Limits::default()).expect("no hook fails");
    match parsed.errors.first() {
        Some(error) => format!("{}: {}", error.start, error.message),
        None => polysmith_tree::show::sexpr(&parsed.tree, &grammar),
    }
}

#[test]
fn equal_tokens_are_predicted_by_the_state_before_them() {
    let mut parser = parser(
        "s : item* EOF; item : 'def' ID {define();} ';' | {isType()}? typed | plain; typed : ID ID ';'; \
         plain : ID ID ';';",
    );
    let expected = "(s (item (plain a b ;)) (item def a ;) (item (typed a b ;)) (item (plain b a ;)) <EOF>)";
    // The second time everything is learned; the state starts anew.
    for _ in 0..2 {
        assert_eq!(parse(&mut parser, "a b; def a; a b; b a;"), expected);
    }
}

#[test]
fn a_predicate_after_the_first_token_can_only_fail_when_it_is_passed() {
    let mut parser = parser("s : shift EOF; shift : ID '>' {adjacent()}? '>' ID | ID '>' '>' '>' ID;");
    assert_eq!(parse(&mut parser, "a >> b"), "(s (shift a > > b) <EOF>)");
    assert_eq!(parse(&mut parser, "a > > b"), "4: rule shift failed predicate: {adjacent()}?");
}

#[test]
fn a_predicate_that_is_false_leaves_no_alternative() {
    let mut parser = parser("s : item EOF; item : {isType()}? ID | {isType()}? ID ';';");
    // Predicates are asked at the first token of the decision, so ANTLR reports that one.
    assert_eq!(parse(&mut parser, "a;"), "0: no viable alternative at input 'a'");
}

#[test]
fn code_that_is_not_covered_is_true_and_does_nothing() {
    let mut parser = parser("s : {other()}? ID {other()} EOF;");
    assert_eq!(parse(&mut parser, "a"), "(s a <EOF>)");
}

#[test]
fn a_predicate_sees_the_callers_of_the_rule_that_asks() {
    let mut parser = parser("s : (item | block)* EOF; block : '{' item '}'; item : {inBlock()}? ID | ID ID;");
    assert_eq!(parse(&mut parser, "a b {c}"), "(s (item a b) (block { (item c) }) <EOF>)");
}

#[test]
fn a_hook_that_fails_ends_the_parse() {
    let mut parser = parser("s : ID {nothing()}? ID EOF;");
    let start = parser.grammar().start().expect("there is a parser rule");
    let failed = parser.parse(start, "a b", &Limits::default()).expect_err("the hook fails");
    let message = "there is no function `nothing()`".to_owned();
    assert_eq!(failed, ParseError::Hook { code: "nothing()".into(), message, line: 1, column: 3 });
    assert!(!failed.is_limit());
}
