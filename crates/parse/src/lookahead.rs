//! Predictions over tokens that are still being made.
//!
//! A generator knows which alternative it intends at each decision, and must find out whether the parser will take
//! it. It asks when it meets the decision and passes on the tokens one by one as it writes them; as soon as they
//! settle the decision, the parser answers. Nothing is parsed twice and no tree is built. The answers are those
//! that parsing the whole text would give, provided that the text can be read as intended.

use crate::coarse::{CoarsePrediction, CoarseQuestion};
use crate::compiled::Compiled;
use crate::error::Limits;
use crate::learned::Learned;
use crate::predict::{Answer, Callers, Partial, Progress, Question};
use polysmith_grammar::RuleId;

/// A prediction that waits for more tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingPrediction {
    decision: u32,
    precedence: u32,
    intended: u16,
    coarse: CoarsePrediction,
    /// The state of exact prediction, and the number of tokens it has seen.
    partial: Option<Partial>,
    seen: u32,
    /// The number of tokens at which exact prediction is asked next.
    next: u32,
}

impl PendingPrediction {
    /// The same prediction, but exact prediction is asked after `delay` tokens.
    #[must_use]
    pub fn with_delay(self, delay: u32) -> PendingPrediction {
        PendingPrediction { next: delay, ..self }
    }
}

/// What is known of a decision so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prediction {
    /// More tokens are needed.
    Open,
    /// The parser takes this alternative, from 1.
    Takes(u16),
    /// The parser takes none.
    Fails,
    /// [`Limits::max_steps`] is used up.
    TooHard,
}

/// The parser's decisions before the whole text exists: [`crate::Parser::lookahead`].
#[derive(Debug)]
pub struct Lookahead<'a> {
    pub(crate) compiled: &'a Compiled,
    pub(crate) learned: &'a mut Learned,
}

impl Lookahead<'_> {
    /// Begins a text: memory and steps are counted from here. All pending predictions become void.
    pub fn begin_text(&mut self, limits: &Limits) {
        let predictor = &mut self.learned.predictor;
        if predictor.memory() > limits.max_memory {
            predictor.forget(&self.compiled.network);
        }
        let before = predictor.steps();
        predictor.set_limit(before.saturating_add(limits.max_steps));
    }

    /// Sets the rule that texts begin with; nothing need follow after its end. Returns whether all pending
    /// predictions, of any text, became void.
    pub fn set_start(&mut self, start: RuleId, limits: &Limits) -> bool {
        let (network, coarse) = (&self.compiled.network, &mut self.learned.coarse);
        coarse.begin_text(network, start.index() as u32, limits.max_memory)
    }

    /// Asks a decision in an invocation of its rule with this precedence.
    ///
    /// The whole text must be one that can be read with the intended alternative: then only alternatives before it can
    /// win against it, and coarse prediction ([`crate::coarse`]) often proves soon that none of them can match. Where it does
    /// not within `delay` tokens, exact prediction is asked, again when there are twice as many, and at the end.
    pub fn predict(
        &mut self,
        decision: u32,
        precedence: u32,
        intended: u16,
        delay: u32,
    ) -> PendingPrediction {
        let question = CoarseQuestion { decision, intended, precedence };
        let coarse = self.learned.coarse.begin(&self.compiled.network, question);
        PendingPrediction { decision, precedence, intended, coarse, partial: None, seen: 0, next: delay }
    }

    /// One more token: the last of `types`, which holds all types since the decision (0 is the end of the input).
    /// `callers` are the calls that were open when it was asked.
    pub fn next_token(
        &mut self,
        pending: &mut PendingPrediction,
        types: &[u32],
        callers: &dyn Callers,
    ) -> Prediction {
        let PendingPrediction { decision, .. } = *pending;
        if let ([token], Some(table)) = (types, self.compiled.one_token_table(decision as usize))
            && let Some(alt) = table.get(*token as usize).filter(|alt| **alt > 0)
        {
            return Prediction::Takes(*alt);
        }
        let Some(token) = types.last().copied() else { return Prediction::Open };
        self.learned.coarse.advance(self.compiled.coarse_tables(), &mut pending.coarse, token);
        if pending.coarse.is_settled() {
            return Prediction::Takes(pending.intended);
        }
        let waits = pending.coarse.is_skipping() || (types.len() as u32) < pending.next;
        if waits && token != 0 {
            return Prediction::Open;
        }
        self.predict_exactly(pending, types, callers)
    }

    /// Passes all tokens that exact prediction has not seen yet to it.
    fn predict_exactly(
        &mut self,
        pending: &mut PendingPrediction,
        types: &[u32],
        callers: &dyn Callers,
    ) -> Prediction {
        let PendingPrediction { decision, precedence, .. } = *pending;
        let (network, predictor) = (&self.compiled.network, &mut self.learned.predictor);
        let question = Question { decision, types, at: 0, callers, precedence, answers: 0 };
        let mut partial = pending.partial.unwrap_or_else(|| predictor.begin(network, question));
        for n_types in pending.seen as usize + 1..=types.len() {
            let question = Question { types: &types[..n_types], ..question };
            match predictor.advance(network, partial, question) {
                Progress::Open(next) => partial = next,
                Progress::Answered(Answer::Alt(alt)) => return Prediction::Takes(alt),
                Progress::Answered(Answer::NoViable { .. }) => return Prediction::Fails,
                Progress::Answered(Answer::OutOfSteps) => return Prediction::TooHard,
            }
        }
        let age = types.len() as u32;
        (pending.partial, pending.seen, pending.next) = (Some(partial), age, 2 * age);
        Prediction::Open
    }
}

#[cfg(test)]
mod tests;
