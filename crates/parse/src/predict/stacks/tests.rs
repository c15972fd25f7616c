//! Merging, apart and together, and that the order of merging does not matter.

use super::*;

/// Stacks over ten states of rule 0, of which `looping` return into its loop.
fn stacks(bottom: Bottom, looping: &[usize]) -> Stacks {
    let mut loops = vec![NO_RULE; 10];
    for state in looping {
        loops[*state] = 0;
    }
    let facts = NetworkFacts {
        ranks: vec![0; 10],
        rules: vec![0; 10],
        loops,
        nullable: vec![false],
        own_conditions: vec![false],
        free_predicates: false,
        contextual: Vec::new(),
    };
    Stacks::new(Arc::new(facts), bottom)
}

#[test]
fn equal_sets_have_equal_numbers() {
    let mut s = stacks(Bottom::Real, &[]);
    let (a, b) = (s.push(EMPTY, 5), s.push(EMPTY, 3));
    let (ax, bx) = (s.push(a, 9), s.push(b, 9));
    let one = s.merge(ax, bx);
    let ab = s.merge(b, a);
    assert_eq!(one, s.push(ab, 9));
    assert_eq!(s.entries(ab), [(3, EMPTY), (5, EMPTY)]);
}

#[test]
fn the_bottom_swallows_or_stays() {
    let mut s = stacks(Bottom::Wildcard, &[]);
    let a = s.push(EMPTY, 5);
    assert_eq!(s.merge(a, EMPTY), EMPTY);
    let mut s = stacks(Bottom::Real, &[]);
    let a = s.push(EMPTY, 5);
    let both = s.merge(a, EMPTY);
    assert!(s.has_empty(both));
    assert_eq!(s.entries(both).len(), 2);
}

#[test]
fn what_returns_into_a_loop_is_kept_apart_below_too() {
    let mut s = stacks(Bottom::Real, &[1, 2]);
    let [one, two, other] = [1, 2, 3].map(|state| s.push(EMPTY, state));
    let [one, two, other] = [one, two, other].map(|below| s.push(below, 9));
    let looping = s.merge_apart(one, two);
    assert_eq!(s.entries(looping).len(), 1, "both return into the loop");
    let all = s.merge_apart(looping, other);
    assert_eq!(s.entries(all).len(), 2);
    let above = s.push(all, 8);
    let together = s.merge(one, two);
    let together = s.merge(together, other);
    assert_eq!(s.plain(all), together);
    assert_eq!(s.plain(above), s.push(together, 8));
}

#[test]
fn the_order_of_merging_does_not_matter() {
    let mut s = stacks(Bottom::Wildcard, &[1, 2]);
    let mut made = vec![EMPTY];
    for at in 0..40 {
        let below = made[at * 7 % made.len()];
        made.push(s.push(below, (at * 5 % 7) as StateId));
    }
    let forth = made[1..].iter().copied().reduce(|a, b| s.merge_apart(a, b));
    let back = made[1..].iter().rev().copied().reduce(|a, b| s.merge_apart(a, b));
    assert_eq!(forth, back);
    let plain = made[1..].iter().copied().reduce(|a, b| s.merge(a, b));
    assert_eq!(forth.map(|id| s.plain(id)), plain);
}

#[test]
fn deep_stacks_merge_without_recursion() {
    let mut s = stacks(Bottom::Real, &[]);
    let (mut a, mut b) = (s.push(EMPTY, 1), s.push(EMPTY, 2));
    for _ in 0..200_000 {
        (a, b) = (s.push(a, 7), s.push(b, 7));
    }
    assert_ne!(s.merge(a, b), a);
}

#[test]
fn merges_are_counted_once() {
    let mut s = stacks(Bottom::Real, &[]);
    let (a, b) = (s.push(EMPTY, 5), s.push(EMPTY, 3));
    let (ax, bx) = (s.push(a, 9), s.push(b, 9));
    s.merge(ax, bx);
    assert_eq!(s.merges_since(), 2, "on both levels");
    s.merge(bx, ax);
    assert_eq!(s.merges_since(), 0, "that is known");
}
