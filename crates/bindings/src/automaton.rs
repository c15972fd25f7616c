//! All paths at once: an automaton over the nodes from the root to a node.
//!
//! A state of a node follows from the state of its parent and its own symbol, so finding all matches of all paths costs
//! one table lookup per node. States are sets of path positions (the subset construction).

use crate::path::{Path, Step, Symbol};
use polysmith_grammar::{Grammar, RuleId, TokenType};
use rustc_hash::FxHashMap;

/// More states mean that paths with `..` multiply each other; real languages need fewer than a hundred.
pub(crate) const MAX_STATES: usize = 10_000;

/// A state; 0 is the one outside of the root.
pub(crate) type State = u32;

/// A position in a path: the number of steps that matched, and whether nodes of a `..` have followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Position {
    path: u16,
    matched: u16,
    is_below: bool,
}

#[derive(Debug)]
pub(crate) struct Automaton {
    /// The class of a rule and alternative, at the rule's first entry plus the alternative's number.
    rule_classes: Vec<u32>,
    first_class: Vec<u32>,
    token_classes: Vec<u32>,
    n_classes: usize,
    /// The next state, by state and class.
    next: Vec<State>,
    /// The paths that match, by state.
    matches: Vec<Vec<u16>>,
}

impl Automaton {
    /// Builds the automaton; `None` if it would have too many states.
    pub(crate) fn new(grammar: &Grammar, paths: &[Path]) -> Option<Automaton> {
        let mut symbols: Vec<&Symbol> = Vec::new();
        for step in paths.iter().flat_map(|path| &path.steps) {
            if !symbols.contains(&&step.symbol) {
                symbols.push(&step.symbol);
            }
        }
        // Nodes that the same symbols match are one class.
        let mut classes: FxHashMap<Vec<usize>, u32> = FxHashMap::default();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut class_of = |matches: &dyn Fn(&Symbol) -> bool| {
            let matching: Vec<usize> = (0..symbols.len()).filter(|at| matches(symbols[*at])).collect();
            *classes.entry(matching).or_insert_with_key(|matching| {
                members.push(matching.clone());
                members.len() as u32 - 1
            })
        };
        let (mut rule_classes, mut first_class) = (Vec::new(), Vec::new());
        for rule in grammar.rules() {
            first_class.push(rule_classes.len() as u32);
            let count = grammar.alternatives(grammar.rule(rule).body()).len();
            for alt in 0..=count as u32 {
                rule_classes.push(class_of(&|symbol| match symbol {
                    Symbol::Rule(wanted) => *wanted == rule,
                    Symbol::Alternatives(all) => all.contains(&(rule, alt)),
                    Symbol::Token(_) => false,
                }));
            }
        }
        let tokens = (0..grammar.tokens().len()).map(TokenType::new);
        let token_classes = tokens
            .map(|token| class_of(&|symbol| matches!(symbol, Symbol::Token(wanted) if *wanted == token)))
            .collect();
        let class_has =
            |class: usize, step: &Step| members[class].iter().any(|at| *symbols[*at] == step.symbol);
        let (next, matches) = determinize(paths, members.len(), &class_has)?;
        Some(Automaton { rule_classes, first_class, token_classes, n_classes: members.len(), next, matches })
    }

    #[inline]
    pub(crate) fn enter_rule(&self, state: State, rule: RuleId, alt: u32) -> State {
        let class = self.rule_classes[self.first_class[rule.index()] as usize + alt as usize];
        self.next[state as usize * self.n_classes + class as usize]
    }

    #[inline]
    pub(crate) fn enter_token(&self, state: State, token: TokenType) -> State {
        let class = self.token_classes[token.index()];
        self.next[state as usize * self.n_classes + class as usize]
    }

    /// The paths that match in each state, by number.
    pub(crate) fn matches(&self) -> &[Vec<u16>] {
        &self.matches
    }
}

/// The subset construction: a table of next states, and the paths that match in each state.
fn determinize(
    paths: &[Path],
    n_classes: usize,
    class_has: &dyn Fn(usize, &Step) -> bool,
) -> Option<(Vec<State>, Vec<Vec<u16>>)> {
    let mut numbers: FxHashMap<Vec<Position>, State> = FxHashMap::default();
    let mut sets: Vec<Vec<Position>> = vec![Vec::new()];
    numbers.insert(Vec::new(), 0);
    let (mut table, mut matches) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < sets.len() {
        let set = sets[at].clone();
        let is_match =
            |position: &&Position| position.matched as usize == paths[position.path as usize].steps.len();
        matches.push(set.iter().filter(is_match).map(|position| position.path).collect());
        for class in 0..n_classes {
            let following = follow(paths, &set, &|step| class_has(class, step));
            let state = match numbers.get(&following) {
                Some(state) => *state,
                None if sets.len() == MAX_STATES => return None,
                None => {
                    let state = sets.len() as State;
                    numbers.insert(following.clone(), state);
                    sets.push(following);
                    state
                }
            };
            table.push(state);
        }
        at += 1;
    }
    Some((table, matches))
}

/// The positions of a child, sorted, from those of its parent. Every path may begin at every node.
fn follow(paths: &[Path], set: &[Position], has: &dyn Fn(&Step) -> bool) -> Vec<Position> {
    let mut out = Vec::new();
    let begin = (0..paths.len()).map(|path| Position { path: path as u16, matched: 0, is_below: false });
    for position in begin.chain(set.iter().copied()) {
        let steps = &paths[position.path as usize].steps;
        let matched = position.matched as usize;
        if let Some(step) = steps.get(matched) {
            if has(step) && (step.is_descendant || !position.is_below) {
                out.push(Position { matched: position.matched + 1, is_below: false, ..position });
            }
            if step.is_descendant {
                out.push(Position { is_below: true, ..position });
            }
        }
        if matched > 0 && !position.is_below && steps[matched - 1].is_repeated && has(&steps[matched - 1]) {
            out.push(position);
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
