//! Small grammars with small scripts: what scripts can ask and do, and what is said about wrong ones.

use expect_test::{Expect, expect};
use polysmith_grammar::Grammar;
use polysmith_hooks::Script;
use polysmith_parse::{Limits, Parser};
use polysmith_source::{Diagnostics, SourceMap};
use std::sync::Arc;

const LEXER: &str = "ID : [a-z]+; INT : [0-9]+; WS : [ \\n]+ -> channel(HIDDEN);";

fn grammar(rules: &str) -> Arc<Grammar> {
    let read = polysmith_antlr::read_str("G", &format!("grammar G; {rules} {LEXER}"));
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    Arc::new(read.grammar)
}

/// The tree of a text, or the first error.
fn parse(rules: &str, script: &str, text: &str) -> String {
    let grammar = grammar(rules);
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let script = Script::read(&grammar, ("G.hooks", script), &mut sources, &mut found);
    let Some(script) = script else { panic!("the script has errors: {found:?}") };
    let mut parser =
        Parser::with_hooks(Arc::clone(&grammar), Arc::new(script)).expect("the grammar compiles");
    let start = grammar.start().expect("there is a parser rule");
    match parser.parse(start, text, &Limits::default()) {
        Ok(parsed) => match parsed.errors.first() {
            Some(error) => format!("{}: {}", error.start, error.message),
            None => polysmith_tree::show::sexpr(&parsed.tree, &grammar),
        },
        Err(error) => error.to_string(),
    }
}

/// The problems of a script, each with its line.
fn problems(rules: &str, script: &str, expected: &Expect) {
    let grammar = grammar(rules);
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let read = Script::read(&grammar, ("G.hooks", script), &mut sources, &mut found);
    assert!(read.is_none(), "the script is wrong");
    let shown: Vec<String> = found
        .iter()
        .map(|found| {
            let line = found.location.span().map_or(0, |span| sources.line_col(span).line);
            format!("{line}: {} {}\n", found.code, found.message)
        })
        .collect();
    expected.assert_eq(&shown.concat());
}

#[test]
fn arguments_come_from_the_grammar() {
    let rules = "s : (pair | ID | INT)* EOF; pair : {this.n(\"let\") && !self.next(2, \"INT\")}? ID ID;";
    let script = "fn n(s, text : String) : Bool = (Parser:text 1) == text;
                  fn next(s, k : Int, type : String) : Bool = (Parser:type k) == type;";
    assert_eq!(parse(rules, script, "let x let 1"), "(s (pair let x) let 1 <EOF>)");
}

#[test]
fn an_action_changes_the_state_that_predicates_see() {
    let rules = "s : (def | use | ID)* EOF; def : 'def' ID {add();}; use : {known()}? ID;";
    let script = "type State = { names : Set(String) };
                  fn start : State = { names = (Set:empty) };
                  fn add(s : State) : State = s with { names = (Set:add s.names (Parser:text -1)) };
                  fn known(s : State) : Bool = (Set:contains s.names (Parser:text 1));";
    assert_eq!(parse(rules, script, "a def a a b"), "(s a (def def a) (use a) b <EOF>)");
}

#[test]
fn a_predicate_can_change_the_state_after_it_was_passed() {
    let rules = "s : ID {push();} ID {push();} (ID {same()}?)* EOF;";
    let script = "fn start : List(String) = [];
                  fn push(s : List(String)) : List(String) = (List:push s (Parser:text -1));
                  fn same(s : List(String)) : Bool = (List:last s) == (Parser:text -1);
                  fn after_same(s : List(String)) : List(String) = (List:slice s 0 ((List:size s) - 1));";
    assert_eq!(parse(rules, script, "a b b a"), "(s a b b a <EOF>)");
    assert_eq!(parse(rules, script, "a b a b"), "6: rule s failed predicate: {same()}?");
}

#[test]
fn a_lexer_counts_braces_and_changes_modes() {
    let rules = "s : .*? EOF; OPEN : '{' {open();}; CLOSE : '}' {inside()}? {close();}; LOST : '}';";
    let script = "fn open(s : Int) : Int = s + 1;
                  fn inside(s : Int) : Bool = s > 0;
                  fn close(s : Int) : Int = (Lexer:set_type (s - 1) \"ID\");";
    assert_eq!(parse(rules, script, "{}}"), "(s { } } <EOF>)");
}

#[test]
fn the_stream_inserts_tokens() {
    let rules = "tokens { END } s : (ID+ END)* EOF;";
    let script = "fn stream(s : Int) : Int =
                    if ((Stream:type 0) == \"EOF\" or (String:contains (Stream:text -1) \"\\n\"))
                       and (Stream:previous 1) == \"ID\"
                    then (Lexer:before s \"END\" 0 0) else s;";
    assert_eq!(parse(rules, script, "a b\nc"), "(s a b <END> c <END> <EOF>)");
}

#[test]
fn a_failure_names_the_line_of_the_script() {
    let fails = |script: &str| parse("s : {f()}? ID EOF;", script, "a");
    assert_eq!(
        fails("\nfn f(s) : Bool = 1 / 0 == 1;"),
        "line 1, column 1: the hook for `f()` failed: G.hooks, line 2: division by zero, in `f`"
    );
    assert_eq!(
        fails("fn f(s : Int) : Bool = (f s);"),
        "line 1, column 1: the hook for `f()` failed: G.hooks, line 1: the evaluation took more than 2000000 steps \
         (limit `steps`), in `f`"
    );
    assert_eq!(
        fails("fn f(s : Int) : Bool = (Lexer:text) == \"\";"),
        "line 1, column 1: the hook for `f()` failed: G.hooks, line 1: `Lexer` answers in predicates and actions of \
         token rules and in `token`, in `f`"
    );
}

#[test]
fn wrong_scripts_are_reported_with_their_lines() {
    problems(
        "s : {f()}? ID EOF;",
        "fn f(s) = (g s);",
        &expect![[r#"
        1: PS-V001 `g` is not defined
    "#]],
    );
    problems(
        "s : {f()}? ID EOF;",
        "\nfn f(s : Int) : Int = s;",
        &expect![[r#"
            2: PS-V006 expected `Bool` for a predicate, found `Int`
        "#]],
    );
    problems(
        "s : {f(\"a\")}? ID EOF;",
        "fn f(s) : Bool = true;",
        &expect![[r#"
        1: PS-V007 `f` takes 1 argument, not 2
    "#]],
    );
    problems(
        "s : ID {f();} EOF;",
        "fn start : String = \"\";\nfn f(s : String) : Bool = true;",
        &expect![[r#"
            2: PS-V006 expected `String` as the next state after an action, found `Bool`
        "#]],
    );
    problems(
        "s : ID EOF;",
        "fn f(s = 1;",
        &expect![[r#"
        1: PS-L001 expected `)` at the end, or `,` before the next, found `=`
    "#]],
    );
}
