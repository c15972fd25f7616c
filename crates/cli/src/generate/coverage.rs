//! Which rules, alternatives, repetition counts and k-paths of a grammar the trees of a run use.

use polysmith_grammar::coverage::{Goal, GoalKind, Goals, Times};
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, RuleId};
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

/// The coverage of one rule.
#[derive(Debug, Clone)]
pub(crate) struct RuleCoverage {
    pub(crate) name: String,
    /// Its alternatives, then its repetition counts, each with whether a tree covers it.
    pub(crate) goals: Vec<(String, bool)>,
}

impl RuleCoverage {
    pub(crate) fn share(&self) -> Share {
        let used = self.goals.iter().filter(|(_, covered)| *covered).count();
        Share { name: self.name.clone(), used, all: self.goals.len() }
    }
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
        shares.push(self.share(GoalKind::Path, self.paths_name()));
        shares.retain(|share| share.all > 0);
        shares
    }

    /// `3-paths`, with the length that was chosen.
    pub(crate) fn paths_name(&self) -> String {
        format!("{}-paths", self.goals.as_ref().map_or(0, |goals| goals.paths().k()))
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

    /// The names of the goals of a kind that no tree covers, in the order of the grammar. What another uncovered goal
    /// implies is left out: everything inside an uncovered alternative, and the alternative of a group that has only
    /// one, since its repetition counts say the same.
    pub(crate) fn uncovered(&self, kind: GoalKind) -> Vec<String> {
        let Some(goals) = &self.goals else { return Vec::new() };
        let enclosing = self.enclosing_alternatives();
        let is_implied = |goal: usize| {
            let block = match goals.goal(goal) {
                Goal::Alternative(alt) => self.grammar.alternative(alt).block,
                Goal::Count(block, _) => block,
                Goal::Path(_) => return false,
            };
            let Some(outer) = enclosing[block.index()] else { return false };
            let is_only = kind == GoalKind::Alternative && self.grammar.alternatives(block).len() == 1;
            is_only || !self.is_covered(goals.alternative(outer))
        };
        let uncovered = self.of_kind(kind).filter(|goal| !self.is_covered(*goal) && !is_implied(*goal));
        uncovered.map(|goal| self.goal_name(goals, goal)).collect()
    }

    /// By block: the alternative that contains it; none for the body of a rule.
    fn enclosing_alternatives(&self) -> Vec<Option<AltId>> {
        let mut enclosing = vec![None; self.grammar.n_blocks()];
        for alt in (0..self.grammar.n_alternatives()).map(AltId::new) {
            for element in self.grammar.elements(alt) {
                if let ElementKind::Block(block) = element.kind {
                    enclosing[block.index()] = Some(alt);
                }
            }
        }
        enclosing
    }

    /// A goal as an author recognizes it: `value: 'true'`, `object: (',' member)* once`, `json > value > STRING`.
    fn goal_name(&self, goals: &Goals, goal: usize) -> String {
        let rule = |block: BlockId| &self.grammar.rule(self.grammar.block(block).rule).name;
        match goals.goal(goal) {
            Goal::Alternative(alt) => {
                format!("{}: {}", rule(self.grammar.alternative(alt).block), self.alternative_text(alt))
            }
            Goal::Count(block, times) => format!("{}: {}", rule(block), self.count_text(block, times)),
            Goal::Path(_) => goals.show(self.grammar, goal),
        }
    }

    /// An alternative, with the group that it is in.
    fn alternative_text(&self, alt: AltId) -> String {
        let mut text = self.grammar.show_alternative(alt).to_string();
        if self.grammar.elements(alt).is_empty() {
            text = format!("(empty){text}");
        }
        let block = self.grammar.alternative(alt).block;
        match self.grammar.block_number(block) {
            Some(_) => format!("{text}  in {}", self.grammar.show_block(block)),
            None => text,
        }
    }

    fn count_text(&self, block: BlockId, times: Times) -> String {
        let times = match times {
            Times::Never => "not at all",
            Times::Once => "once",
            Times::Many => "more than once",
        };
        format!("{} {times}", self.grammar.show_block(block))
    }

    /// The parser rules that no tree uses.
    pub(crate) fn unused_rules(&self) -> Vec<String> {
        let rules = self.grammar.parser_rules();
        let unused = rules.filter(|rule| !self.rules[rule.index()].load(Ordering::Relaxed));
        unused.map(|rule| self.grammar.rule(rule).name.clone()).collect()
    }

    /// By parser rule: its alternatives and repetition counts, each with whether a tree covers it.
    pub(crate) fn by_rule(&self) -> Vec<RuleCoverage> {
        let Some(goals) = &self.goals else { return Vec::new() };
        let mut rules: Vec<RuleCoverage> = self
            .grammar
            .rules()
            .map(|rule| RuleCoverage { name: self.grammar.rule(rule).name.clone(), goals: Vec::new() })
            .collect();
        for goal in goals.all().take_while(|goal| goals.kind(*goal) != GoalKind::Path) {
            let (block, text) = match goals.goal(goal) {
                Goal::Alternative(alt) => (self.grammar.alternative(alt).block, self.alternative_text(alt)),
                Goal::Count(block, times) => (block, self.count_text(block, times)),
                Goal::Path(_) => continue,
            };
            rules[self.grammar.block(block).rule.index()].goals.push((text, self.is_covered(goal)));
        }
        rules.retain(|rule| !rule.goals.is_empty());
        rules
    }
}
