//! Which rules a start rule can lead to, and how deep one has to go for all of it.
//!
//! Reaching is a search over calls, linear. The depth at which every alternative occurs is found by bisection,
//! with one breadth-first search for each probe.

use super::minimum::Minima;
use super::uses::Uses;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar, RuleKind};
use std::collections::VecDeque;

/// The rules that some roots lead to, with the roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    reached: Vec<bool>,
}

impl Reach {
    /// Follows calls from these rules. A parser rule mentions tokens, not token rules: it leads to no token rule.
    pub fn from_rules(grammar: &Grammar, roots: impl IntoIterator<Item = RuleId>) -> Reach {
        let mut reached = vec![false; grammar.rules.len()];
        let mut open: Vec<RuleId> = Vec::new();
        for root in roots {
            if !std::mem::replace(&mut reached[root.index()], true) {
                open.push(root);
            }
        }
        while let Some(rule) = open.pop() {
            for callee in callees(grammar, rule) {
                if !std::mem::replace(&mut reached[callee.index()], true) {
                    open.push(callee);
                }
            }
        }
        Reach { reached }
    }

    /// Everything that is of use: what the start rule leads to, and the token rules with their fragments.
    pub fn in_use(grammar: &Grammar, start: Option<RuleId>) -> Reach {
        let tokens = grammar.rules().filter(|r| matches!(grammar.rule(*r).kind, RuleKind::Token { .. }));
        Reach::from_rules(grammar, start.into_iter().chain(tokens))
    }

    /// Whether a rule is reached.
    pub fn contains(&self, rule: RuleId) -> bool {
        self.reached[rule.index()]
    }
}

fn callees(grammar: &Grammar, rule: RuleId) -> impl Iterator<Item = RuleId> + '_ {
    BlockId::range(grammar.rule(rule).blocks.clone())
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt))
        .filter_map(|element| match element.kind {
            ElementKind::Rule(callee) => Some(callee),
            _ => None,
        })
}

/// The least height at which every alternative that occurs in some tree of the start rule occurs in a tree of
/// that height. `None` if the start rule has no finite tree.
///
/// A place at depth `d` fits below height `h` if everything that must stand beside it fits as well; the
/// shallowest way to each rule below `h` is found by breadth-first search, and more height never loses a place.
pub fn depth_of_all_alternatives(
    grammar: &Grammar,
    uses: &Uses,
    heights: &Minima,
    start: RuleId,
) -> Option<u32> {
    let least = heights.rule(start)?;
    let beside = heights_with_context(grammar, uses, heights);
    // With this much room no height is in the way.
    let most = (grammar.rules.len() as u32).saturating_mul(2).saturating_add(2).max(least);
    let all = usable(grammar, heights, &beside, start, most);
    let (mut low, mut high) = (least, most);
    while low < high {
        let middle = low + (high - low) / 2;
        if usable(grammar, heights, &beside, start, middle) == all {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// By alternative of any group: the least height of a rule's body that uses this alternative, so its own and
/// that of all that stands beside the groups around it. Outer groups have lower numbers: one pass.
fn heights_with_context(grammar: &Grammar, uses: &Uses, heights: &Minima) -> Vec<Option<u32>> {
    let mut found: Vec<Option<u32>> = vec![None; grammar.alternatives.len()];
    for block in (0..grammar.n_blocks()).map(BlockId::new) {
        let outside = match uses.place(block) {
            None => Some(0),
            Some(_) if grammar.block(block).quantifier.max == Some(0) => None,
            Some(place) => found[uses.alternative(place).index()],
        };
        for alt in grammar.alternatives(block) {
            found[alt.index()] = outside.zip(heights.alternative(alt)).map(|(a, b)| a.max(b));
        }
    }
    found
}

/// Which alternatives occur in trees of at most this height.
fn usable(
    grammar: &Grammar,
    heights: &Minima,
    beside: &[Option<u32>],
    start: RuleId,
    limit: u32,
) -> Vec<bool> {
    let mut used = vec![false; grammar.alternatives.len()];
    let mut depth: Vec<Option<u32>> = vec![None; grammar.rules.len()];
    depth[start.index()] = Some(1);
    let mut open = VecDeque::from([start]);
    while let Some(rule) = open.pop_front() {
        let here = depth[rule.index()].expect("only rules with a depth are open");
        let fits = |alt: AltId| beside[alt.index()].is_some_and(|height| here + height <= limit);
        for block in BlockId::range(grammar.rule(rule).blocks.clone()) {
            for alt in grammar.alternatives(block).filter(|alt| fits(*alt)) {
                used[alt.index()] = true;
                for element in grammar.elements(alt) {
                    let ElementKind::Rule(callee) = element.kind else { continue };
                    let room = heights.rule(callee).is_some_and(|height| here + height <= limit);
                    if room && depth[callee.index()].is_none() {
                        depth[callee.index()] = Some(here + 1);
                        open.push_back(callee);
                    }
                }
            }
        }
    }
    used
}
