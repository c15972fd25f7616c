//! Goals of a small grammar, numbered and marked.

use super::*;
use crate::{Alt, Builder};

/// `s : a* | b ; a : X b? ; b : Y | ;`
fn grammar() -> Grammar {
    let mut b = Builder::new("T");
    let (x, y) = (b.token("X"), b.token("Y"));
    let (s, a, r) = (b.rule("s"), b.rule("a"), b.rule("b"));
    let many = b.block(Quantifier::STAR, [Alt::of([a.into()])]);
    b.body(s, [Alt::of([many.into()]), Alt::of([r.into()])]);
    let maybe = b.block(Quantifier::OPTIONAL, [Alt::of([r.into()])]);
    b.body(a, [Alt::of([x.into(), maybe.into()])]);
    b.body(r, [Alt::of([y.into()]), Alt::of([])]);
    b.finish()
}

fn shown(k: usize, open: &dyn Fn(AltId) -> bool) -> Vec<String> {
    let grammar = grammar();
    let goals = Goals::new(&grammar, RuleId::new(0), k, open).unwrap();
    goals.all().map(|goal| goals.show(&grammar, goal)).collect()
}

#[test]
fn everything_has_a_name() {
    let expected = [
        "`s`, alternative 1",
        "`s`, alternative 2",
        "`s`, group a*, alternative 1",
        "`a`, alternative 1",
        "`a`, group b?, alternative 1",
        "`b`, alternative 1",
        "`b`, alternative 2",
        "`s`, group a* not at all",
        "`s`, group a* once",
        "`s`, group a* more than once",
        "`a`, group b? not at all",
        "`a`, group b? once",
        "s > a > b",
        "s > a > X",
        "s > b > Y",
        "a > b > Y",
    ];
    assert_eq!(shown(3, &|_| true), expected);
}

#[test]
fn a_closed_alternative_takes_its_paths_with_it() {
    let through_b = shown(2, &|alt| alt.index() != 1);
    assert!(
        through_b.contains(&"a > b".to_owned()) && !through_b.contains(&"s > b".to_owned()),
        "{through_b:?}"
    );
}

#[test]
fn longer_paths_than_the_grammar_has_are_none() {
    assert!(shown(5, &|_| true).iter().all(|goal| !goal.contains('>')));
    assert_eq!(shown(4, &|_| true).last().unwrap(), "s > a > b > Y");
}
