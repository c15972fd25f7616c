//! Prediction in step with tokens that are not all there yet.
//!
//! The same two stages over the same automata as [`Predictor::predict`], but the walk stops where the tokens end
//! and goes on when there is one more. The second stage starts over with all tokens since the question, once, and
//! again if it turns out to need more callers.

use super::dfa::{ALT_MASK, ANSWER, DEAD_EDGE, DfaId, UNKNOWN_EDGE, VERDICT, Verdict};
use super::{Answer, Predictor, Question};
use crate::network::Network;

/// The state of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Partial {
    state: DfaId,
    /// In the second stage.
    full: bool,
}

/// What one more token brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More tokens are needed.
    Open(Partial),
    /// The answer.
    Answered(Answer),
}

impl Predictor {
    /// A question before its first token. `question.types` is not looked at.
    pub(crate) fn begin(&mut self, network: &Network, question: Question<'_>) -> Partial {
        Partial { state: self.start(network, question), full: false }
    }

    /// One more token: the last of `question.types`, which holds all since the question. The end of the input
    /// always brings an answer.
    pub(crate) fn advance(
        &mut self,
        network: &Network,
        partial: Partial,
        question: Question<'_>,
    ) -> Progress {
        let last = question.types.len() - 1;
        if partial.full {
            let progress = self.walk_full(network, question, partial.state, last);
            return progress.unwrap_or_else(|| self.advance_full(network, question));
        }
        let token = question.types[last] as usize;
        let mut state = partial.state;
        loop {
            let mut edge = self.dfa.edge(state, token);
            if edge == UNKNOWN_EDGE {
                edge = self.learn(network, question, state, token);
            }
            if self.closure.exhausted() {
                return Progress::Answered(Answer::OutOfSteps);
            }
            if edge & ANSWER != 0 && edge < DEAD_EDGE {
                return Progress::Answered(Answer::Alt((edge & ALT_MASK) as u16));
            }
            if edge == DEAD_EDGE {
                return Progress::Answered(self.dead(network, question, state, last));
            }
            if edge & VERDICT != 0 {
                let Verdict::Conditional { options, conflict } = self.dfa.verdict(edge) else {
                    return self.advance_full(network, question);
                };
                let (options, conflict) = (options.clone(), *conflict);
                return match self.fitting(&options, conflict, question) {
                    Some(answer) => Progress::Answered(answer),
                    None => self.advance_full(network, question),
                };
            }
            state = edge;
            if token != 0 {
                return Progress::Open(Partial { state, full: false });
            }
        }
    }

    /// The second stage over all tokens, with as many callers as it needs.
    fn advance_full(&mut self, network: &Network, question: Question<'_>) -> Progress {
        let decision = question.decision as usize;
        loop {
            self.closure.needs_more = false;
            let frames = self.frames_needed[decision] as usize;
            let start = self.start_with_frames(network, question, frames);
            let progress = start.and_then(|start| self.walk_full(network, question, start, 0));
            if self.closure.exhausted() {
                return Progress::Answered(Answer::OutOfSteps);
            }
            if let Some(progress) = progress {
                return progress;
            }
            self.closure.needs_more = false;
            self.frames_needed[decision] = (frames as u32).saturating_mul(2);
        }
    }

    /// The second stage from a state and a token on; `None` if it needs more callers.
    fn walk_full(
        &mut self,
        network: &Network,
        question: Question<'_>,
        from: DfaId,
        at: usize,
    ) -> Option<Progress> {
        let (mut state, mut at) = (from, at);
        while at < question.types.len() {
            let token = question.types[at] as usize;
            let mut edge = self.dfa.edge(state, token);
            if edge == UNKNOWN_EDGE {
                edge = self.learn_full(network, question, state, token)?;
            }
            if self.closure.exhausted() {
                return Some(Progress::Answered(Answer::OutOfSteps));
            }
            if edge & ANSWER != 0 && edge < DEAD_EDGE {
                return Some(Progress::Answered(Answer::Alt((edge & ALT_MASK) as u16)));
            }
            if edge == DEAD_EDGE {
                return Some(Progress::Answered(self.dead(network, question, state, at)));
            }
            if token == 0 && edge == state {
                // Only ends of the start rule are left, and they do not agree: the least one.
                let least = self.dfa.configs(state).iter().map(|config| config.alt).min();
                return Some(Progress::Answered(Answer::Alt(least.unwrap_or(1))));
            }
            state = edge;
            at += usize::from(token != 0);
        }
        Some(Progress::Open(Partial { state, full: true }))
    }
}
