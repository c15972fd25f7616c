//! `Parser::forget` and `Parser::learned_bytes` cover everything that a parser learns or keeps.

use polysmith_antlr::read_str;
use polysmith_grammar::{ModeId, RuleId};
use polysmith_parse::{Callers, Limits, Parser};
use std::sync::Arc;

struct Nobody;

impl Callers for Nobody {
    fn depth(&self) -> usize {
        0
    }

    fn follow(&self, _: usize) -> u32 {
        unreachable!("nobody called")
    }
}

const GRAMMAR: &str = "grammar T; s : e B EOF | e C EOF ; e : A | '(' e ')' ; A : 'a' ; B : 'b' ; C : 'c' ;";

fn parser() -> (Parser, RuleId) {
    let parser = Parser::new(read_str("T", GRAMMAR).grammar).expect("the grammar compiles");
    let start = parser.grammar().rule_named("s").expect("there is `s`");
    (parser, start)
}

/// Lets every part of a parser learn something.
fn teach(parser: &mut Parser, start: RuleId) {
    let limits = Limits::default();
    let parsed = parser.parse(start, "((a))c", &limits).expect("no limit is near");
    assert!(parsed.accepted());
    parser.reuse(parsed);
    parser.lexer().start(ModeId::new(0));
    let body = parser.grammar().rule(start).body();
    let choice = parser.decisions().of_block(body).choice.expect("`s` decides");
    let mut lookahead = parser.lookahead();
    lookahead.begin_text(&limits);
    lookahead.set_start(start, &limits);
    let mut pending = lookahead.predict(choice, 0, 2, u32::MAX);
    let _ = lookahead.next_token(&mut pending, &[1], &Nobody);
}

#[test]
fn a_parser_that_forgets_is_as_small_as_a_new_one() {
    let (mut parser, start) = parser();
    let fresh = parser.learned_bytes();
    teach(&mut parser, start);
    let learned = parser.learned_bytes();
    assert!(learned > fresh);
    let steps = parser.prediction_cost().steps;
    parser.forget();
    assert_eq!(parser.learned_bytes(), fresh);
    assert_eq!(parser.prediction_cost().states, 0);
    assert_eq!(parser.prediction_cost().steps, steps);
    teach(&mut parser, start);
    assert_eq!(parser.learned_bytes(), learned);
}

#[test]
fn coarse_prediction_and_kept_results_are_counted() {
    let (mut parser, start) = parser();
    let limits = Limits::default();
    let parsed = parser.parse(start, "((a))c", &limits).expect("no limit is near");
    let before = parser.learned_bytes();
    parser.reuse(parsed);
    let with_result = parser.learned_bytes();
    assert!(with_result > before, "the memory of a result counts");
    let choice =
        parser.decisions().of_block(parser.grammar().rule(start).body()).choice.expect("`s` decides");
    let mut lookahead = parser.lookahead();
    lookahead.set_start(start, &limits);
    let mut pending = lookahead.predict(choice, 0, 2, u32::MAX);
    let _ = lookahead.next_token(&mut pending, &[1], &Nobody);
    assert!(parser.learned_bytes() > with_result, "coarse prediction counts");
}

#[test]
fn parsers_share_the_grammar_that_they_are_given() {
    let grammar = Arc::new(read_str("T", GRAMMAR).grammar);
    let parser = Parser::new(Arc::clone(&grammar)).expect("the grammar compiles");
    assert!(Arc::ptr_eq(&grammar, parser.clone().grammar()));
}
