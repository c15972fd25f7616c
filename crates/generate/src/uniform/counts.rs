//! How many trees of each size, and one of them at random.
//!
//! The recursive method: sizes from 0 up, each production by the sums over how its first part and the rest share the
//! size. Inside one size a nonterminal may need another one of the same size (everything beside it is empty); they
//! are done in an order in which that is known already. Such needs can only run in a circle through an operator
//! that adds nothing; the circle is cut, for no parser goes around it.
//!
//! Cost: parts × size² operations once, size × parts of the tree for a draw.

use super::number::Big;
use super::productions::{Nonterminal, PlainGrammar, ProductionPart};
use polysmith_random::Stream;

/// The numbers of trees up to a size.
#[derive(Debug)]
pub(super) struct Counts {
    size: usize,
    plain: PlainGrammar,
    /// By nonterminal: the number of its trees by size.
    trees: Vec<Vec<Big>>,
    /// By nonterminal, production, part: ways for this part and all after it, by size.
    rests: Vec<Vec<Vec<Vec<Big>>>>,
}

/// One decision of a tree, in the order in which a walk from the top makes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// This alternative.
    Alternative(u32),
    /// The number of iterations of a group.
    Count(u32),
    /// The token with this number in a set.
    Token(u32),
}

impl Counts {
    /// Counts up to a size that trees will be drawn of, and some sizes beyond.
    pub(super) fn new(plain: PlainGrammar, size: usize, beyond: usize) -> Counts {
        let order = order(&plain);
        let nothing = vec![Big::ZERO; size + beyond + 1];
        let mut counts = Counts {
            size,
            trees: vec![nothing.clone(); plain.names.len()],
            rests: plain
                .productions
                .iter()
                .map(|all| all.iter().map(|one| vec![nothing.clone(); one.parts.len()]).collect())
                .collect(),
            plain,
        };
        for n in 0..=size + beyond {
            for nonterminal in &order {
                counts.count(*nonterminal as usize, n);
            }
            for nonterminal in &order {
                counts.count_rests(*nonterminal as usize, n);
            }
        }
        counts
    }

    /// Whether there are trees of a size.
    pub(super) fn has_any(&self, size: usize) -> bool {
        !self.trees[0][size].is_zero()
    }

    fn count(&mut self, nonterminal: usize, n: usize) {
        let mut total = Big::ZERO;
        for production in 0..self.plain.productions[nonterminal].len() {
            let n_parts = self.plain.productions[nonterminal][production].parts.len();
            for at in (0..n_parts).rev() {
                let ways = self.ways(nonterminal, production, at, n);
                self.rests[nonterminal][production][at][n] = ways;
            }
            total = total.plus(self.rest(nonterminal, production, 0, n));
        }
        self.trees[nonterminal][n] = total;
    }

    /// The rests after something that is not empty may need any nonterminal of this size: they come last.
    fn count_rests(&mut self, nonterminal: usize, n: usize) {
        for production in 0..self.plain.productions[nonterminal].len() {
            let n_parts = self.plain.productions[nonterminal][production].parts.len();
            for at in (1..n_parts).rev() {
                self.rests[nonterminal][production][at][n] = self.ways(nonterminal, production, at, n);
            }
        }
    }

    /// Ways for the parts of a production from a place on.
    fn rest(&self, nonterminal: usize, production: usize, at: usize, n: usize) -> Big {
        match self.rests[nonterminal][production].get(at) {
            Some(rest) => rest[n],
            None if n == 0 => Big::ONE,
            None => Big::ZERO,
        }
    }

    fn part(&self, part: ProductionPart, n: usize) -> Big {
        match (part, n) {
            (ProductionPart::Token(choices), 1) => Big::of(choices as usize),
            (ProductionPart::End, 0) => Big::ONE,
            (ProductionPart::All(inner), _) => self.trees[inner as usize][n],
            (ProductionPart::Some(inner), 1..) => self.trees[inner as usize][n],
            _ => Big::ZERO,
        }
    }

    fn ways(&self, nonterminal: usize, production: usize, at: usize, n: usize) -> Big {
        let part = self.plain.productions[nonterminal][production].parts[at];
        let mut total = Big::ZERO;
        for own in sizes(part, n) {
            let first = self.part(part, own);
            if !first.is_zero() {
                total = total.plus(first.times(self.rest(nonterminal, production, at + 1, n - own)));
            }
        }
        total
    }

    /// Draws a tree of a size, every one as likely, as the decisions that make it.
    pub(super) fn draw(&self, stream: &mut Stream, decisions: &mut Vec<Decision>) {
        enum Task {
            Part(ProductionPart, usize),
            /// A nonterminal of this size; the decision that counts its iterations, for what is left of a loop.
            Tree(u32, usize, Option<usize>),
        }
        decisions.clear();
        let mut tasks = vec![Task::Tree(0, self.size, None)];
        while let Some(task) = tasks.pop() {
            let (nonterminal, n, counter) = match task {
                Task::Part(ProductionPart::Token(1) | ProductionPart::End, _) => continue,
                Task::Part(ProductionPart::Token(choices), _) => {
                    decisions.push(Decision::Token(stream.below(choices.into()) as u32));
                    continue;
                }
                Task::Part(ProductionPart::All(inner) | ProductionPart::Some(inner), n) => (inner, n, None),
                Task::Tree(inner, n, counter) => (inner, n, counter),
            };
            let production = self.pick(stream, nonterminal as usize, n);
            let chosen = &self.plain.productions[nonterminal as usize][production];
            decisions.extend(chosen.alt.map(Decision::Alternative));
            let mut counter = counter;
            if matches!(self.plain.names[nonterminal as usize], Nonterminal::Group(_)) {
                counter = Some(decisions.len());
                decisions.push(Decision::Count(0));
            }
            let is_loop = matches!(
                self.plain.names[nonterminal as usize],
                Nonterminal::Group(_) | Nonterminal::More(_)
            );
            if let (true, Some(Decision::Count(count))) =
                (is_loop && !chosen.parts.is_empty(), counter.and_then(|at| decisions.get_mut(at)))
            {
                *count += 1;
            }
            let first = tasks.len();
            let mut left = n;
            for (at, part) in chosen.parts.iter().enumerate() {
                let own = self.split(stream, nonterminal as usize, production, at, left);
                left -= own;
                tasks.push(match part {
                    ProductionPart::All(inner)
                        if matches!(self.plain.names[*inner as usize], Nonterminal::More(_)) =>
                    {
                        Task::Tree(*inner, own, counter)
                    }
                    part => Task::Part(*part, own),
                });
            }
            tasks[first..].reverse();
        }
    }

    fn pick(&self, stream: &mut Stream, nonterminal: usize, n: usize) -> usize {
        let all = self.plain.productions[nonterminal].len();
        let ways = |production| self.rest(nonterminal, production, 0, n);
        choose(stream, self.trees[nonterminal][n], (0..all).map(|production| (production, ways(production))))
    }

    fn split(
        &self,
        stream: &mut Stream,
        nonterminal: usize,
        production: usize,
        at: usize,
        n: usize,
    ) -> usize {
        let part = self.plain.productions[nonterminal][production].parts[at];
        let ways = |own| self.part(part, own).times(self.rest(nonterminal, production, at + 1, n - own));
        let whole = self.rest(nonterminal, production, at, n);
        choose(stream, whole, sizes(part, n).map(|own| (own, ways(own))))
    }
}

/// One of several, by its share of the whole.
fn choose(stream: &mut Stream, whole: Big, of: impl Iterator<Item = (usize, Big)>) -> usize {
    // 53 bits, as many as a float has.
    let mut drawn = stream.below(1 << 53) as f64 / (1_u64 << 53) as f64;
    let mut last = 0;
    for (value, ways) in of {
        if ways.is_zero() {
            continue;
        }
        last = value;
        drawn -= ways.share_of(whole);
        if drawn < 0.0 {
            return value;
        }
    }
    last
}

/// The sizes that a part can have.
fn sizes(part: ProductionPart, most: usize) -> std::ops::RangeInclusive<usize> {
    match part {
        ProductionPart::Token(_) => 1..=most.min(1),
        ProductionPart::End => 0..=0,
        ProductionPart::All(_) => 0..=most,
        ProductionPart::Some(_) => 1..=most,
    }
}

/// An order in which a nonterminal comes after what it may need of its own size.
fn order(plain: &PlainGrammar) -> Vec<u32> {
    let nullable = nullable(plain);
    let needs = |nonterminal: usize| -> Vec<u32> {
        let mut found = Vec::new();
        for production in &plain.productions[nonterminal] {
            for (at, part) in production.parts.iter().enumerate() {
                let others = production.parts.iter().enumerate().filter(|(other, _)| *other != at);
                let alone = others.into_iter().all(|(_, part)| is_nullable(&nullable, *part));
                if let (true, ProductionPart::All(inner) | ProductionPart::Some(inner)) = (alone, *part) {
                    found.push(inner);
                }
            }
        }
        found
    };
    let mut order = Vec::new();
    let mut seen = vec![false; plain.names.len()];
    for root in 0..plain.names.len() {
        let mut stack = vec![(root as u32, None::<Vec<u32>>)];
        while let Some((nonterminal, todo)) = stack.pop() {
            let mut todo = match todo {
                None if std::mem::replace(&mut seen[nonterminal as usize], true) => continue,
                None => needs(nonterminal as usize),
                Some(todo) => todo,
            };
            match todo.pop() {
                Some(next) => {
                    stack.push((nonterminal, Some(todo)));
                    stack.push((next, None));
                }
                None => order.push(nonterminal),
            }
        }
    }
    order
}

fn is_nullable(nullable: &[bool], part: ProductionPart) -> bool {
    match part {
        ProductionPart::End => true,
        ProductionPart::All(inner) => nullable[inner as usize],
        ProductionPart::Token(_) | ProductionPart::Some(_) => false,
    }
}

fn nullable(plain: &PlainGrammar) -> Vec<bool> {
    let mut nullable = vec![false; plain.names.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, productions) in plain.productions.iter().enumerate() {
            let empty =
                productions.iter().any(|one| one.parts.iter().all(|part| is_nullable(&nullable, *part)));
            if empty && !nullable[at] {
                nullable[at] = true;
                changed = true;
            }
        }
    }
    nullable
}
