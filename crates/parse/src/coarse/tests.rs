//! Coarse prediction against exact prediction.

use crate::{Callers, Limits, Parser, Prediction};
use polysmith_grammar::{Alt, Builder, Quantifier, RuleId, TokenType};

struct Nobody;

impl Callers for Nobody {
    fn depth(&self) -> usize {
        0
    }

    fn follow(&self, _: usize) -> u32 {
        unreachable!("nobody called")
    }
}

/// `s : e B | e C ;  e : A | '(' e? ')' ;`, with tokens `(`, `)`, A, B, C. If `open`, also `e : '('`, so nothing balances.
fn parser(open: bool) -> (Parser, RuleId, [u32; 5]) {
    let mut b = Builder::new("T");
    let tokens: [TokenType; 5] = ["L", "R", "A", "B", "C"].map(|name| b.token(name));
    let [left, right, a, following, other] = tokens;
    let (s, e) = (b.rule("s"), b.rule("e"));
    let inner = b.block(Quantifier::OPTIONAL, [Alt::of([e.into()])]);
    b.body(s, [Alt::of([e.into(), following.into()]), Alt::of([e.into(), other.into()])]);
    let mut alternatives = vec![Alt::of([a.into()]), Alt::of([left.into(), inner.into(), right.into()])];
    if open {
        alternatives.push(Alt::of([left.into()]));
    }
    b.body(e, alternatives);
    let mut parser = Parser::new(b.finish()).unwrap();
    parser.lookahead().set_start(s, &Limits::default());
    (parser, s, tokens.map(|token| token.index() as u32))
}

/// What is known of the second alternative of `s` after each token, if exact prediction is not asked before the end.
fn ask(parser: &mut Parser, s: RuleId, types: &[u32]) -> Vec<Prediction> {
    parser.lookahead().begin_text(&Limits::default());
    let body = parser.grammar().rule(s).body();
    let decision = parser.decisions().of_block(body).choice.unwrap();
    let mut lookahead = parser.lookahead();
    let mut pending = lookahead.predict(decision, 0, 2, u32::MAX);
    (1..=types.len()).map(|to| lookahead.next_token(&mut pending, &types[..to], &Nobody)).collect()
}

#[test]
fn brackets_are_skipped_however_deep_they_nest() {
    for depth in 1..40 {
        let (mut parser, s, [left, right, a, following, other]) = parser(false);
        let mut types = vec![left; depth];
        types.push(a);
        types.resize(2 * depth + 1, right);
        types.push(other);
        let told = ask(&mut parser, s, &types);
        assert_eq!(told.last(), Some(&Prediction::Takes(2)));
        assert!(told[..types.len() - 1].iter().all(|told| *told == Prediction::Open));
        // Where the first alternative goes on, coarse prediction proves nothing, and exact prediction decides.
        *types.last_mut().unwrap() = following;
        types.push(0);
        let told = ask(&mut parser, s, &types);
        assert_eq!(told[types.len() - 2], Prediction::Open);
        assert_eq!(told[types.len() - 1], Prediction::Takes(1));
    }
}

#[test]
fn what_does_not_balance_is_followed() {
    let (mut parser, s, [left, right, a, _, other]) = parser(true);
    for types in [vec![left, other], vec![left, left, right, other], vec![left, a, right, other]] {
        let told = ask(&mut parser, s, &types);
        assert_eq!(told.last(), Some(&Prediction::Takes(2)), "{types:?}");
        assert!(told[..types.len() - 1].iter().all(|told| *told == Prediction::Open), "{types:?}");
    }
}
