//! Which rules, alternatives, repetition counts and k-paths of a grammar the trees of a run use.

use polysmith_grammar::coverage::{Goal, GoalKind, Goals};
use polysmith_grammar::{AltId, Grammar, RuleId};
use polysmith_tree::{Kind, Tree};
use std::sync::atomic::{AtomicBool, Ordering};

/// A mark per rule and per goal. Set by many threads; marks are never taken back, so the order in which trees
/// are seen does not matter.
pub(crate) struct Coverage<'a> {
    grammar: &'a Grammar,
    rules: Vec<AtomicBool>,
    goals: Option<Goals>,
    covered: Vec<AtomicBool>,
}

/// How much of something is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) name: String,
    pub(crate) used: usize,
    pub(crate) all: usize,
}

impl<'a> Coverage<'a> {
    /// Of what a rule leads to, with paths of `k` symbols (of 2, if there are too many).
    pub(crate) fn new(grammar: &'a Grammar, start: Option<RuleId>, k: usize) -> Coverage<'a> {
        let marks = |n: usize| (0..n).map(|_| AtomicBool::new(false)).collect();
        let goals = start.and_then(|start| {
            let goals = |k| Goals::new(grammar, start, k, &|_| true);
            goals(k).or_else(|| goals(2))
        });
        Coverage {
            grammar,
            rules: marks(grammar.rules().len()),
            covered: marks(goals.as_ref().map_or(0, Goals::len)),
            goals,
        }
    }

    /// Marks what a tree uses.
    pub(crate) fn see(&self, tree: &Tree) {
        for node in tree.nodes() {
            if let Kind::Rule { rule, .. } = node.kind() {
                self.rules[rule.index()].store(true, Ordering::Relaxed);
            }
        }
        if let Some(goals) = &self.goals {
            tree.cover(self.grammar, goals, |goal| self.covered[goal].store(true, Ordering::Relaxed));
        }
    }

    /// Used and all parser rules.
    pub(crate) fn rules(&self) -> Share {
        let is_used = |rule: &RuleId| self.rules[rule.index()].load(Ordering::Relaxed);
        let rules = self.grammar.parser_rules();
        Share { name: "rules".to_owned(), used: rules.clone().filter(is_used).count(), all: rules.count() }
    }

    /// Used and all alternatives, groups included.
    pub(crate) fn alternatives(&self) -> Share {
        self.share(GoalKind::Alternative, "alternatives".to_owned())
    }

    /// Used and all rules, alternatives, repetition counts and paths; what the grammar has none of is left out.
    pub(crate) fn shares(&self) -> Vec<Share> {
        let mut shares = vec![self.rules(), self.alternatives()];
        shares.push(self.share(GoalKind::Count, "quantifiers".to_owned()));
        let k = self.goals.as_ref().map_or(0, |goals| goals.paths().k());
        shares.push(self.share(GoalKind::Path, format!("{k}-paths")));
        shares.retain(|share| share.all > 0);
        shares
    }

    fn share(&self, kind: GoalKind, name: String) -> Share {
        let (mut used, mut all) = (0, 0);
        for goal in self.of_kind(kind) {
            all += 1;
            used += usize::from(self.is_covered(goal));
        }
        Share { name, used, all }
    }

    fn of_kind(&self, kind: GoalKind) -> impl Iterator<Item = usize> + '_ {
        let goals = self.goals.iter();
        goals.flat_map(move |goals| goals.all().filter(move |goal| goals.kind(*goal) == kind))
    }

    fn is_covered(&self, goal: usize) -> bool {
        self.covered[goal].load(Ordering::Relaxed)
    }

    /// The alternatives that no tree used, in the order of the grammar.
    pub(crate) fn unused(&self) -> Vec<AltId> {
        let unused = self.of_kind(GoalKind::Alternative).filter(|goal| !self.is_covered(*goal));
        unused.map(AltId::new).collect()
    }

    /// By parser rule with a name: its used and all alternatives, repetition counts included.
    pub(crate) fn by_rule(&self) -> Vec<Share> {
        let Some(goals) = &self.goals else { return Vec::new() };
        let mut shares: Vec<Share> = self
            .grammar
            .rules()
            .map(|rule| Share { name: self.grammar.rule(rule).name.clone(), used: 0, all: 0 })
            .collect();
        for goal in goals.all().take_while(|goal| goals.kind(*goal) != GoalKind::Path) {
            let block = match goals.goal(goal) {
                Goal::Alternative(alt) => self.grammar.alternative(alt).block,
                Goal::Count(block, _) => block,
                Goal::Path(_) => continue,
            };
            let share = &mut shares[self.grammar.block(block).rule.index()];
            share.all += 1;
            share.used += usize::from(self.is_covered(goal));
        }
        shares.retain(|share| share.all > 0);
        shares
    }
}
