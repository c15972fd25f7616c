//! The parser asked token by token, beside what it says of whole texts.

use super::*;
use crate::Parser;
use crate::network::NO_STATE;
use polysmith_grammar::{Alt, BlockId, Builder, Quantifier, TokenType};

/// `s : (A | A B) C? C? EOF ;`
fn parser() -> (Parser, Vec<TokenType>) {
    let mut b = Builder::new("T");
    let tokens: Vec<TokenType> = ["A", "B", "C"].map(|name| b.token(name)).to_vec();
    let s = b.rule("s");
    let choice = b
        .block(Quantifier::ONE, [Alt::of([tokens[0].into()]), Alt::of([tokens[0].into(), tokens[1].into()])]);
    let tail = b.block(Quantifier::OPTIONAL, [Alt::of([tokens[2].into()])]);
    let again = b.block(Quantifier::OPTIONAL, [Alt::of([tokens[2].into()])]);
    b.body(s, [Alt::of([choice.into(), tail.into(), again.into(), TokenType::EOF.into()])]);
    let mut parser = Parser::new(b.finish()).unwrap();
    parser.lookahead().set_start(s, &Limits::default());
    (parser, tokens)
}

struct Nobody;

impl Callers for Nobody {
    fn depth(&self) -> usize {
        0
    }

    fn follow(&self, _: usize) -> u32 {
        NO_STATE
    }
}

fn ask(parser: &mut Parser, (decision, meant): (u32, u16), types: &[u32]) -> Vec<Prediction> {
    let mut lookahead = parser.lookahead();
    lookahead.begin_text(&Limits::default());
    let mut pending = lookahead.predict(decision, 0, meant, 1);
    (1..=types.len())
        .map(|to| lookahead.next_token(&mut pending, &types[..to], &Nobody))
        .take_while(|seen| *seen != Prediction::Fails)
        .collect()
}

#[test]
fn answers_come_as_soon_as_the_tokens_settle_it() {
    let (mut parser, tokens) = parser();
    let [a, b, c] = [0, 1, 2].map(|at: usize| tokens[at].index() as u32);
    let decision = |parser: &Parser, block| parser.decisions().of_block(BlockId::new(block)).choice.unwrap();
    let (choice, tail) = (decision(&parser, 1), decision(&parser, 2));
    assert_eq!(ask(&mut parser, (choice, 2), &[a, b]), [Prediction::Open, Prediction::Takes(2)]);
    assert_eq!(ask(&mut parser, (choice, 2), &[a, c]), [Prediction::Open, Prediction::Takes(1)]);
    assert_eq!(ask(&mut parser, (choice, 2), &[a, 0]), [Prediction::Open, Prediction::Takes(1)]);
    // `C? C?` before one C: the first takes it, whatever the second could do, and only the end tells.
    assert_eq!(ask(&mut parser, (tail, 2), &[c, 0]), [Prediction::Open, Prediction::Takes(1)]);
    assert_eq!(ask(&mut parser, (tail, 2), &[0]), [Prediction::Takes(2)]);
}
