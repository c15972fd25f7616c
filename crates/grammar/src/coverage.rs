//! What of a grammar a set of trees can cover, numbered flat: alternatives, repetition counts, k-paths.
//!
//! A *goal* is one such thing. Alternatives have the numbers of their ids; behind them each block has three for
//! "not at all", "once" and "more than once" (only those that its quantifier has are goals); behind those come
//! the k-paths of [`Paths`]. So what is covered is a bit per number, whoever counts. Only what the start rule
//! leads to through open alternatives is a goal.

mod paths;

pub use paths::{NOWHERE, Paths};

use crate::analysis::Symbol;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar, Quantifier};

/// How often a group was repeated, as far as coverage cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Times {
    /// Not at all.
    Never,
    /// Once.
    Once,
    /// More often.
    Many,
}

impl Times {
    /// All of them.
    pub const ALL: [Times; 3] = [Times::Never, Times::Once, Times::Many];

    /// Of a number.
    pub fn of(count: usize) -> Times {
        match count {
            0 => Times::Never,
            1 => Times::Once,
            _ => Times::Many,
        }
    }

    /// Whether a quantifier has it. Without a quantifier there is nothing to cover.
    pub fn possible(self, quantifier: Quantifier) -> bool {
        let at_least = |n| quantifier.max.is_none_or(|max| max >= n);
        match self {
            _ if quantifier.is_one() => false,
            Times::Never => quantifier.min == 0,
            Times::Once => quantifier.min <= 1 && at_least(1),
            Times::Many => at_least(2),
        }
    }
}

/// A thing to cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// An alternative of a rule or group.
    Alternative(AltId),
    /// A number of repetitions of a group.
    Count(BlockId, Times),
    /// So many symbols down a tree, each a child of the one before.
    Path(Vec<Symbol>),
}

/// The kinds of goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GoalKind {
    /// [`Goal::Alternative`].
    Alternative,
    /// [`Goal::Count`].
    Count,
    /// [`Goal::Path`].
    Path,
}

/// All goals of a grammar.
#[derive(Debug, Clone)]
pub struct Goals {
    n_alternatives: usize,
    n_blocks: usize,
    paths: Paths,
    /// By number below the paths: whether it is a goal.
    is_goal: Vec<bool>,
}

impl Goals {
    /// The goals of what a rule leads to, with paths of `k` symbols; `None` if there are more than
    /// [`Paths::MOST`] of them. Closed alternatives, and what only they lead to, are no goals.
    pub fn new(grammar: &Grammar, start: RuleId, k: usize, open: &dyn Fn(AltId) -> bool) -> Option<Goals> {
        let paths = Paths::new(grammar, start, k, open)?;
        let (n_alternatives, n_blocks) = (grammar.n_alternatives(), grammar.n_blocks());
        let mut goals = Goals {
            n_alternatives,
            n_blocks,
            paths,
            is_goal: vec![false; n_alternatives + Times::ALL.len() * n_blocks],
        };
        let mut todo: Vec<BlockId> = goals.paths.rules().map(|rule| grammar.rule(rule).body()).collect();
        while let Some(block) = todo.pop() {
            for times in Times::ALL {
                let number = goals.count(block, times);
                goals.is_goal[number] = times.possible(grammar.block(block).quantifier);
            }
            for alt in grammar.alternatives(block).filter(|alt| open(*alt)) {
                goals.is_goal[alt.index()] = true;
                todo.extend(grammar.elements(alt).iter().filter_map(|element| match element.kind {
                    ElementKind::Block(inner) => Some(inner),
                    _ => None,
                }));
            }
        }
        Some(goals)
    }

    /// How many numbers there are. Not all of them are goals.
    pub fn len(&self) -> usize {
        self.is_goal.len() + self.paths.len()
    }

    /// Whether there are no numbers at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All goals, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|goal| self.contains(*goal))
    }

    /// Whether a number is a goal.
    pub fn contains(&self, goal: usize) -> bool {
        self.is_goal.get(goal).copied().unwrap_or_else(|| self.paths.is_path(goal - self.is_goal.len()))
    }

    /// The number of an alternative.
    pub fn alternative(&self, alt: AltId) -> usize {
        alt.index()
    }

    /// The number of a repetition count.
    #[inline]
    pub fn count(&self, block: BlockId, times: Times) -> usize {
        self.n_alternatives + Times::ALL.len() * block.index() + times as usize
    }

    /// The number of the first path.
    #[inline]
    pub fn first_path(&self) -> usize {
        self.is_goal.len()
    }

    /// The paths.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// What kind of goal a number is.
    pub fn kind(&self, goal: usize) -> GoalKind {
        match goal {
            _ if goal < self.n_alternatives => GoalKind::Alternative,
            _ if goal < self.is_goal.len() => GoalKind::Count,
            _ => GoalKind::Path,
        }
    }

    /// What a number stands for.
    pub fn goal(&self, goal: usize) -> Goal {
        match self.kind(goal) {
            GoalKind::Alternative => Goal::Alternative(AltId::new(goal)),
            GoalKind::Count => {
                let at = goal - self.n_alternatives;
                Goal::Count(BlockId::new(at / Times::ALL.len()), Times::ALL[at % Times::ALL.len()])
            }
            GoalKind::Path => Goal::Path(self.paths.symbols(goal - self.is_goal.len())),
        }
    }

    /// A goal for people: the rule, and what of it.
    pub fn show(&self, grammar: &Grammar, goal: usize) -> String {
        let place = |block: BlockId| {
            let rule = &grammar.rule(grammar.block(block).rule).name;
            match grammar.block_number(block) {
                Some(_) => format!("`{rule}`, group {}", grammar.show_block(block)),
                None => format!("`{rule}`"),
            }
        };
        match self.goal(goal) {
            Goal::Alternative(alt) => {
                let block = grammar.alternative(alt).block;
                format!("{}, alternative {}", place(block), grammar.alternative_number(alt))
            }
            Goal::Count(block, times) => {
                let times = match times {
                    Times::Never => "not at all",
                    Times::Once => "once",
                    Times::Many => "more than once",
                };
                format!("{} {times}", place(block))
            }
            Goal::Path(symbols) => {
                let names: Vec<String> = symbols
                    .iter()
                    .map(|symbol| match symbol {
                        Symbol::Rule(rule) => grammar.rule(*rule).name.clone(),
                        Symbol::Token(token) => grammar.tokens().display(*token),
                    })
                    .collect();
                names.join(" > ")
            }
        }
    }

    /// How many blocks the numbers were made for.
    pub fn n_blocks(&self) -> usize {
        self.n_blocks
    }
}

#[cfg(test)]
mod tests;
