//! Which goals of a grammar a tree covers.

use crate::node::Kind;
use crate::tree::Tree;
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::{Goals, NOWHERE, Times};
use polysmith_grammar::{BlockId, Grammar, TokenType};

/// What a walk is inside of.
struct Open {
    end: usize,
    /// The group, and its iterations so far.
    list: Option<(BlockId, usize)>,
    place: u32,
}

impl Tree {
    /// Calls `covered` with the number of each goal that the tree covers, as often as it does. What is no goal
    /// (below a closed alternative, in a rule that the start rule does not lead to) may be told too.
    pub fn cover(&self, grammar: &Grammar, goals: &Goals, mut covered: impl FnMut(usize)) {
        let paths = goals.paths();
        let mut stack: Vec<Open> = Vec::new();
        let mut close = |open: Open| {
            if let Some((block, count)) = open.list {
                covered(goals.count(block, Times::of(count)));
            }
        };
        let mut alternatives: Vec<usize> = Vec::new();
        let mut slots: Vec<u32> = Vec::new();
        for (at, node) in self.nodes().iter().enumerate() {
            while stack.last().is_some_and(|open| open.end <= at) {
                stack.pop().into_iter().for_each(&mut close);
            }
            let place = stack.last().map_or(NOWHERE, |open| open.place);
            let end = at + node.size();
            match node.kind() {
                Kind::Rule { rule, alt } => {
                    let slot = paths.slot(place, Symbol::Rule(rule));
                    slots.extend(slot.filter(|_| paths.is_whole(place)));
                    let inside = match slot {
                        Some(slot) => paths.next(slot),
                        None if at == 0 && paths.n_places() > 0 && paths.rule(0) == rule => 0,
                        None => NOWHERE,
                    };
                    alternatives.extend(numbered(grammar, grammar.rule(rule).body(), alt));
                    stack.push(Open { end, list: None, place: inside });
                }
                Kind::List { block } => stack.push(Open { end, list: Some((block, 0)), place }),
                Kind::Item { alt } => {
                    if let Some(Open { list: Some((block, count)), .. }) = stack.last_mut() {
                        *count += 1;
                        alternatives.extend(numbered(grammar, *block, alt));
                    }
                    stack.push(Open { end, list: None, place });
                }
                Kind::Token(token) if token != TokenType::EOF => {
                    let slot = paths.slot(place, Symbol::Token(token));
                    slots.extend(slot.filter(|_| paths.is_whole(place)));
                }
                _ => {}
            }
        }
        stack.into_iter().rev().for_each(&mut close);
        alternatives.into_iter().for_each(&mut covered);
        slots.into_iter().for_each(|slot| covered(goals.first_path() + slot as usize));
    }
}

/// The alternative of a block with a number from 1; 0 is none of them.
fn numbered(grammar: &Grammar, block: BlockId, alt: u32) -> Option<usize> {
    let range = &grammar.block(block).alternatives;
    let number = range.start.index() + (alt as usize).checked_sub(1)?;
    (number < range.end.index()).then_some(number)
}

#[cfg(test)]
mod tests {
    use crate::TreeBuilder;
    use polysmith_grammar::coverage::Goals;
    use polysmith_grammar::{Alt, Builder, Quantifier};

    /// `s : a* ; a : X | Y ;` with `a a`, both X.
    #[test]
    fn a_small_tree() {
        let mut b = Builder::new("T");
        let (x, y) = (b.token("X"), b.token("Y"));
        let (s, a) = (b.rule("s"), b.rule("a"));
        let many = b.block(Quantifier::STAR, [Alt::of([a.into()])]);
        b.body(s, [Alt::of([many.into()])]);
        b.body(a, [Alt::of([x.into()]), Alt::of([y.into()])]);
        let grammar = b.finish();
        let mut tree = TreeBuilder::new();
        tree.open_rule(s, 1);
        tree.open_list(grammar.block_numbered(s, 0).unwrap());
        for _ in 0..2 {
            tree.open_item(1);
            tree.open_rule(a, 1);
            tree.token(x, b"x");
            tree.close();
            tree.close();
        }
        tree.close();
        tree.close();
        let goals = Goals::new(&grammar, s, 2, &|_| true).unwrap();
        let mut seen = Vec::new();
        tree.finish().cover(&grammar, &goals, |goal| seen.push(goals.show(&grammar, goal)));
        seen.sort();
        seen.dedup();
        let expected = [
            "`a`, alternative 1",
            "`s`, alternative 1",
            "`s`, group a* more than once",
            "`s`, group a*, alternative 1",
            "a > X",
            "s > a",
        ];
        assert_eq!(seen, expected);
    }
}
