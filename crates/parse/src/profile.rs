//! What decisions cost, for the author of a grammar.

use crate::predict::Cost;

/// What one decision did over all inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecisionProfile {
    /// How often it was asked.
    pub asked: u64,
    /// How often one token decided by a table.
    pub by_table: u64,
    /// Tokens looked at, over all questions.
    pub lookahead: u64,
    /// The most tokens looked at for one question.
    pub max_lookahead: u64,
    /// How often the callers had to be looked at.
    pub full_context: u64,
    /// How often several alternatives fitted to the end.
    pub ambiguous: u64,
}

/// An ambiguity: where, and which decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ambiguity {
    /// The decision's number.
    pub decision: usize,
    /// The token at which it was taken, by its place among the tokens that the parser sees.
    pub token: usize,
    /// The last token that prediction looked at.
    pub until: usize,
}

/// Counts by decision. Filled by [`crate::Parser::parse_with`].
#[derive(Debug, Clone, Default)]
pub struct Profile {
    decisions: Vec<DecisionProfile>,
    ambiguities: Vec<Ambiguity>,
}

impl Profile {
    /// Counts by decision number; decisions that were never asked may be missing at the end.
    pub fn decisions(&self) -> &[DecisionProfile] {
        &self.decisions
    }

    /// The ambiguities of the input parsed last, in order.
    pub fn ambiguities(&self) -> &[Ambiguity] {
        &self.ambiguities
    }

    /// Adds the counts of another profile, as of a file parsed by another thread.
    pub fn add(&mut self, other: &Profile) {
        for (at, more) in other.decisions.iter().enumerate() {
            let entry = self.entry(at as u32);
            entry.asked += more.asked;
            entry.by_table += more.by_table;
            entry.lookahead += more.lookahead;
            entry.max_lookahead = entry.max_lookahead.max(more.max_lookahead);
            entry.full_context += more.full_context;
            entry.ambiguous += more.ambiguous;
        }
    }

    pub(crate) fn begin(&mut self) {
        self.ambiguities.clear();
    }

    fn entry(&mut self, decision: u32) -> &mut DecisionProfile {
        let at = decision as usize;
        if at >= self.decisions.len() {
            self.decisions.resize(at + 1, DecisionProfile::default());
        }
        &mut self.decisions[at]
    }

    pub(crate) fn by_table(&mut self, decision: u32) {
        let entry = self.entry(decision);
        entry.asked += 1;
        entry.by_table += 1;
        entry.lookahead += 1;
        entry.max_lookahead = entry.max_lookahead.max(1);
    }

    pub(crate) fn by_prediction(&mut self, decision: u32, at: usize, cost: Cost) {
        let entry = self.entry(decision);
        entry.asked += 1;
        entry.lookahead += cost.lookahead as u64;
        entry.max_lookahead = entry.max_lookahead.max(cost.lookahead as u64);
        entry.full_context += u64::from(cost.full_context);
        entry.ambiguous += u64::from(cost.ambiguous);
        if cost.ambiguous {
            let until = at + cost.lookahead - 1;
            self.ambiguities.push(Ambiguity { decision: decision as usize, token: at, until });
        }
    }
}
