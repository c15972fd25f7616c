//! The map that a steered draft walks on: places, what leads to them, and what is below each alternative.

use crate::tables::{StepKind, Tables};
use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::coverage::{Goal, Goals, NOWHERE, Paths};
use polysmith_grammar::{AltId, BlockId, Grammar};

/// Lists of numbers in one array.
#[derive(Debug, Default)]
pub(super) struct Rows {
    first: Vec<u32>,
    values: Vec<u32>,
}

impl Rows {
    fn of(rows: impl IntoIterator<Item = Vec<u32>>) -> Rows {
        let mut found = Rows { first: vec![0], values: Vec::new() };
        for row in rows {
            found.values.extend(row);
            found.first.push(found.values.len() as u32);
        }
        found
    }

    #[inline]
    pub(super) fn row(&self, at: usize) -> &[u32] {
        &self.values[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

/// The map of one stage.
#[derive(Debug)]
pub(super) struct Map {
    pub(super) goals: Goals,
    /// Whether paths are the goals, else alternatives and counts.
    pub(super) for_paths: bool,
    /// By rule: one of its places; its only one where a place is a rule.
    of_rule: Vec<u32>,
    /// By place: the places that lead to it.
    pub(super) callers: Rows,
    /// By alternative: the symbols below it in its rule, groups included, by their number in the rule.
    pub(super) symbols: Rows,
    /// By alternative: the groups below it.
    pub(super) groups: Rows,
}

impl Map {
    pub(super) fn new(grammar: &Grammar, tables: &Tables, goals: Goals, for_paths: bool) -> Map {
        let paths = goals.paths();
        let mut of_rule = vec![NOWHERE; grammar.rules().len()];
        let mut callers = vec![Vec::new(); paths.n_places()];
        for place in 0..paths.n_places() as u32 {
            of_rule[paths.rule(place).index()] = place;
            for next in paths.slots(place).map(|slot| paths.next(slot)).filter(|next| *next != NOWHERE) {
                callers[next as usize].push(place);
            }
        }
        let mut symbols = vec![Vec::new(); grammar.n_alternatives()];
        let mut groups = vec![Vec::new(); grammar.n_alternatives()];
        // Inner groups have higher numbers than outer ones, so this is from the inside out.
        for block in (0..grammar.n_blocks()).rev().map(BlockId::new) {
            for alt in grammar.alternatives(block).filter(|alt| tables.weights[alt.index()] > 0) {
                let (own, inner) = below(grammar, tables, paths, alt, &symbols, &groups);
                (symbols[alt.index()], groups[alt.index()]) = (own, inner);
            }
        }
        Map {
            for_paths,
            of_rule,
            callers: Rows::of(callers),
            symbols: Rows::of(symbols),
            groups: Rows::of(groups),
            goals,
        }
    }

    pub(super) fn paths(&self) -> &Paths {
        self.goals.paths()
    }

    /// Where a goal is met.
    pub(super) fn place_of(&self, grammar: &Grammar, goal: usize) -> u32 {
        let of_block = |block: BlockId| self.of_rule[grammar.block(block).rule.index()];
        match self.goals.goal(goal) {
            Goal::Alternative(alt) => of_block(grammar.alternative(alt).block),
            Goal::Count(block, _) => of_block(block),
            Goal::Path(_) => self.paths().place((goal - self.goals.first_path()) as u32),
        }
    }

    /// Whether a number is a goal of this stage.
    pub(super) fn is_goal(&self, goal: usize) -> bool {
        (goal >= self.goals.first_path()) == self.for_paths && self.goals.contains(goal)
    }
}

fn below(
    grammar: &Grammar,
    tables: &Tables,
    paths: &Paths,
    alt: AltId,
    all_symbols: &[Vec<u32>],
    all_groups: &[Vec<u32>],
) -> (Vec<u32>, Vec<u32>) {
    let known = paths.symbols_of(grammar.block(grammar.alternative(alt).block).rule);
    let (mut symbols, mut groups) = (Vec::new(), Vec::new());
    for step in tables.steps(alt.index()) {
        let symbol = match step.kind {
            StepKind::Call(rule, _) => Symbol::Rule(rule),
            StepKind::Token(token) => Symbol::Token(token),
            StepKind::TokenSet(_) => continue,
            StepKind::Group(inner) => {
                groups.push(inner.index() as u32);
                for alt in tables.block(inner).alternatives.clone() {
                    symbols.extend(&all_symbols[alt as usize]);
                    groups.extend(&all_groups[alt as usize]);
                }
                continue;
            }
        };
        symbols.extend(known.binary_search(&symbol).ok().map(|at| at as u32));
    }
    symbols.sort_unstable();
    symbols.dedup();
    (symbols, groups)
}
