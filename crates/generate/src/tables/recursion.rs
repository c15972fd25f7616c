//! Left-recursive rules at the right end of alternatives.
//!
//! If every text of an operand ends with a call of another left-recursive rule, that rule may consume the operator
//! that is meant to follow. [`crate::decisions::statistics`] counts when this happens; this module finds where it can.

use super::{BlockInfo, Operand, StepKind, Tables};
use polysmith_grammar::analysis::BitMatrix;
use polysmith_grammar::{BlockId, Grammar, RuleId};

/// Numbers the left-recursive rules from 0. Indexed by [`RuleId`].
pub(super) fn number_rules(grammar: &Grammar) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut number = |rule: RuleId| {
        grammar.rule(rule).recursion.as_ref().map(|_| {
            next += 1;
            next - 1
        })
    };
    grammar.rules().map(&mut number).collect()
}

impl Tables {
    /// The number of left-recursive rules.
    pub(crate) fn n_recursive(&self) -> usize {
        self.recursive.iter().flatten().count()
    }

    /// Finds the alternatives whose every text ends with a left-recursive rule.
    ///
    /// Row: [`polysmith_grammar::AltId`]; column: number of a left-recursive rule. An entry says that every text of the
    /// alternative ends with a call of the rule that accepts any precedence, if the alternatives in `closed` are never
    /// taken. This is the greatest solution: the search starts with all entries and removes those that do not hold.
    pub(crate) fn must_end_without(&self, closed: &[usize]) -> BitMatrix {
        let n = self.n_recursive();
        let mut ends = BitMatrix::new(self.alternatives.len(), n);
        if n == 0 {
            return ends;
        }
        for alt in 0..self.alternatives.len() {
            ends.insert_range(alt, 0..n);
        }
        let is_open = |alt: &u32| self.weights[*alt as usize] > 0 && !closed.contains(&(*alt as usize));
        let all_of = |ends: &BitMatrix, block: BlockId, column: usize| {
            let mut open = self.block(block).alternatives.clone().filter(is_open);
            open.all(|alt| ends.contains(alt as usize, column))
        };
        let mut changed = true;
        while changed {
            changed = false;
            for alt in 0..self.alternatives.len() {
                for column in 0..n {
                    if ends.contains(alt, column)
                        && !self.ends_with(alt, column, &|block| all_of(&ends, block, column))
                    {
                        ends.remove(alt, column);
                        changed = true;
                    }
                }
            }
        }
        ends
    }

    /// Returns whether every text of an alternative ends with the left-recursive rule of this number. `all_of` answers
    /// the same question for all alternatives of a group or body.
    fn ends_with(&self, alt: usize, number: usize, all_of: &dyn Fn(BlockId) -> bool) -> bool {
        for step in self.steps(alt).iter().rev() {
            match step.kind {
                // If the group may be empty, the step before it may be the end.
                StepKind::Group(block) if all_of(block) => {
                    if self.block(block).quantifier.min > 0 {
                        return true;
                    }
                }
                StepKind::Call(rule, operand) => {
                    let is_it = self.recursive[rule.index()] == Some(number as u32);
                    let is_bound = is_it && matches!(operand, Operand::Trailing(_));
                    return !is_bound && (is_it || all_of(self.bodies[rule.index()]));
                }
                _ => return false,
            }
        }
        false
    }

    /// The alternatives of an operator's rule that do not begin with an operand. Each left operand of the operator
    /// begins with one of them.
    pub(crate) fn primaries_beside(&self, operator: usize) -> impl Iterator<Item = usize> {
        let has_operator = |block: &&BlockInfo| block.alternatives.contains(&(operator as u32));
        let block = self.blocks.iter().find(has_operator);
        let alternatives = block.map_or(0..0, |block| block.alternatives.clone());
        let is_primary = |alt: &usize| {
            self.weights[*alt] > 0 && self.operators[*alt].is_none_or(|operator| !operator.is_left_recursive)
        };
        alternatives.map(|alt| alt as usize).filter(is_primary)
    }
}
