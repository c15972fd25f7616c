//! Every minimizer against a naive reading of what it promises, on all small lists.

use super::*;

/// Runs a minimizer on 0..n; the question is whether all `needed` are there. Gives what is left and the questions.
fn run(minimizer: &dyn Minimizer, n: usize, holds: &dyn Fn(&[usize]) -> bool) -> (Vec<usize>, usize) {
    let mut list: Vec<usize> = (0..n).collect();
    let shape = |list: &[usize]| Shape::new(list.iter().map(|element| 1 + *element as u32 % 7));
    let mut cursor = minimizer.begin(&shape(&list));
    let mut questions = 0;
    while let Some(choice) = minimizer.next(&shape(&list), &mut cursor) {
        let candidate: Vec<usize> = match &choice {
            Choice::Delete(range) => [&list[..range.start], &list[range.end..]].concat(),
            Choice::Keep(range) => list[range.clone()].to_vec(),
        };
        assert!(candidate.len() < list.len(), "{} chose nothing", minimizer.name());
        questions += 1;
        if holds(&candidate) {
            list = candidate;
            cursor = minimizer.accepted(&shape(&list), cursor, &choice);
        }
        assert!(questions < 10 * (n + 1) * (n + 1), "{} does not end", minimizer.name());
    }
    (list, questions)
}

#[test]
fn what_is_needed_stays_and_the_rest_goes() {
    for n in 0..9 {
        for mask in 0..1u32 << n {
            let needed: Vec<usize> = (0..n).filter(|element| mask >> element & 1 == 1).collect();
            let holds = |list: &[usize]| needed.iter().all(|element| list.contains(element));
            for minimizer in MINIMIZERS {
                let (left, _) = run(*minimizer, n, &holds);
                assert_eq!(left, needed, "{} on {n} elements", minimizer.name());
            }
        }
    }
}

#[test]
fn ddmin_and_one_by_one_are_1_minimal_even_when_elements_depend_on_each_other() {
    for n in 1..8 {
        for seed in 0..400u64 {
            // An arbitrary, not monotone question that accepts the whole list.
            let holds = |list: &[usize]| {
                let code =
                    list.iter().fold(seed, |code, e| code.wrapping_mul(31).wrapping_add(*e as u64 + 1));
                list.len() == n || code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 == 0
            };
            for minimizer in [&Ddmin as &dyn Minimizer, &OneByOne] {
                let (left, _) = run(minimizer, n, &holds);
                for at in 0..left.len() {
                    let mut fewer = left.clone();
                    fewer.remove(at);
                    // The empty list is asked for once at the start and counts as seen.
                    assert!(fewer.is_empty() || !holds(&fewer), "{}: {left:?}", minimizer.name());
                }
            }
        }
    }
}

#[test]
fn deleting_everything_is_one_question() {
    for minimizer in MINIMIZERS {
        assert_eq!(run(*minimizer, 1000, &|_| true), (Vec::new(), 1), "{}", minimizer.name());
    }
}

#[test]
fn few_needed_elements_cost_few_questions() {
    let holds = |list: &[usize]| [700, 701, 1500].iter().all(|element| list.contains(element));
    assert!(run(&Halving, 2000, &holds).1 < 120);
    assert!(run(&Weighted, 2000, &holds).1 < 120);
}

#[test]
fn windows_cross_every_border() {
    let pairs_go_together = |list: &[usize]| list.contains(&1) == list.contains(&2) && list.contains(&0);
    assert_eq!(run(&Windows(2), 4, &pairs_go_together).0, [0, 3]);
}
