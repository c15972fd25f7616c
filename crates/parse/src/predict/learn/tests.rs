//! Walks with merging find what walks in ANTLR's order find.

use super::*;
use crate::Parser;
use crate::predict::Callers;
use polysmith_antlr::read_str;

struct Nobody;

impl Callers for Nobody {
    fn depth(&self) -> usize {
        0
    }

    fn follow(&self, _: usize) -> u32 {
        unreachable!("there is no call")
    }
}

/// A rule with many callers, so that walks out of it are long. It can end without a token in two ways, one of them past
/// an action, after which predicates do not count: of the two, the first to come to the predicate decides.
fn many_callers() -> Parser {
    let calls: String = (0..SHORT_WALK + 100).map(|at| format!(" | a '{at}'")).collect();
    let grammar = format!("grammar T; s : a {{p()}}? 'b'{calls} ; a : ({{f();}} | ) | 'x' ;");
    Parser::new(read_str("T", &grammar).grammar).expect("the grammar compiles")
}

/// What is reachable from a decision, and the number of steps taken.
fn found(parser: &Parser, decision: u32, order: VisitOrder) -> (Vec<Config>, u64) {
    let mut predictor = parser.learned.predictor.clone();
    predictor.set_limit(u64::MAX);
    let question = Question { decision, types: &[0], at: 0, callers: &Nobody, precedence: 0, answers: 0 };
    predictor.start_closure(&parser.compiled.network, question, EMPTY, Bottom::Wildcard, order);
    (predictor.out.list, predictor.closure.steps)
}

#[test]
fn where_the_order_matters_a_long_walk_is_taken_again() {
    let parser = many_callers();
    let of_a = |decision: &u32| {
        let (rule, group) = parser.decisions().location(*decision as usize);
        parser.grammar().rule(rule).name == "a" && group.is_none()
    };
    let decision = (0..parser.decisions().count() as u32).find(of_a).expect("`a` decides");
    let (merged, steps) = found(&parser, decision, VisitOrder::Merged);
    let (in_order, steps_in_order) = found(&parser, decision, VisitOrder::DepthFirst);
    assert!(steps > SHORT_WALK + steps_in_order, "{steps} steps are not those of three walks");
    assert!(in_order.iter().any(|config| config.condition == NONE && config.alt == 1));
    assert!(merged == in_order, "what is found differs");
}
