//! Choices that the parser must make as drafted, followed token by token.
//!
//! A choice that was made since the last token is *pending*. The next token settles most of them: a set says that nothing
//! else that the parser prefers can begin with that token. Each of the rest becomes an *open prediction*, a question to the
//! parser's lookahead, which gets this token and all later ones until the parser knows what it takes. Lists are only
//! appended to, so a checkpoint restores them by their lengths.

use super::callers::CallTree;
use super::{AfterCall, DeadEnd, DraftContext, DraftMode, Drafter, Invocation};
use crate::decisions::choice::Choice;
use crate::decisions::questions::Question;
use polysmith_grammar::{AltId, BlockId, TokenType};
use polysmith_parse::{PendingPrediction, Prediction};

/// A choice that the next token may settle.
#[derive(Debug, Clone, Copy)]
struct PendingChoice {
    choice: Choice,
    settled_by: SettledBy,
    /// What the parser has to answer, in this order.
    questions: [Question; 2],
    at: Invocation,
    /// The number of checkpoints when the choice was made.
    checkpoint: u32,
}

/// What can settle a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettledBy {
    /// One token, or else prediction.
    Token,
    /// Prediction alone: whether another operator follows an operand.
    Prediction,
}

/// A question to the parser that is not answered yet.
#[derive(Debug, Clone, Copy)]
struct OpenPrediction {
    prediction: PendingPrediction,
    /// The answer that agrees with the draft.
    expected: u16,
    /// The index of its first token.
    from: u32,
    callers: u32,
    choice: Choice,
    /// Its first token.
    token: TokenType,
    checkpoint: u32,
    /// If the question is about the end of an operand that accepts any operator: the operator that follows.
    operator: Option<AltId>,
}

/// What a draft observed about the parser: input of the decision statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Observation {
    /// The parser makes the choice before this token.
    Won { choice: Choice, token: TokenType },
    /// The parser does not make the choice before this token.
    Lost { choice: Choice, token: TokenType },
    /// An operand that accepts any operator ended before an operator: the body of its left-recursive rule, and whether
    /// the parser ends the operand there too.
    Operand { body: BlockId, operator: AltId, was_left: bool },
    /// No text of `next` could be written after `token`.
    CannotFollow { token: TokenType, next: TokenType },
}

/// A list whose last part is in use. What is before it is kept for checkpoints.
#[derive(Debug)]
struct Window<T> {
    items: Vec<T>,
    from: usize,
}

impl<T> Default for Window<T> {
    fn default() -> Window<T> {
        Window { items: Vec::new(), from: 0 }
    }
}

impl<T: Copy> Window<T> {
    fn clear(&mut self) {
        self.items.clear();
        self.from = 0;
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.items.len() == self.from
    }

    fn mark(&self) -> (u32, u32) {
        (self.from as u32, self.items.len() as u32)
    }

    fn restore(&mut self, (from, len): (u32, u32)) {
        self.from = from as usize;
        self.items.truncate(len as usize);
    }
}

/// Pending choices and open predictions.
#[derive(Debug, Default)]
pub(super) struct Predictions {
    pub(super) callers: CallTree,
    pending: Window<PendingChoice>,
    open: Window<OpenPrediction>,
    /// Tokens that the open predictions have looked at, all together: what one more token costs.
    lookahead: u32,
    /// The types of the tokens so far, with the one that is being settled.
    types: Vec<u32>,
    /// What the parser did, in [`DraftMode::Observed`].
    pub(super) observations: Vec<Observation>,
}

/// The state of [`Predictions`].
#[derive(Debug, Clone, Copy)]
pub(super) struct PredictionsMark {
    callers: u32,
    pending: (u32, u32),
    open: (u32, u32),
    pub(super) lookahead: u32,
    pub(super) types: u32,
}

impl Predictions {
    pub(super) fn clear(&mut self) {
        self.callers.clear();
        self.pending.clear();
        self.open.clear();
        self.lookahead = 0;
        self.types.clear();
        self.observations.clear();
    }

    pub(super) fn mark(&self) -> PredictionsMark {
        PredictionsMark {
            callers: self.callers.len() as u32,
            pending: self.pending.mark(),
            open: self.open.mark(),
            lookahead: self.lookahead,
            types: self.types.len() as u32,
        }
    }

    pub(super) fn restore(&mut self, to: PredictionsMark) {
        self.callers.truncate(to.callers as usize);
        self.pending.restore(to.pending);
        self.open.restore(to.open);
        self.lookahead = to.lookahead;
        self.types.truncate(to.types as usize);
    }

    /// Whether the parser may still choose otherwise somewhere.
    #[inline]
    pub(super) fn has_unsettled(&self) -> bool {
        !self.open.is_empty() || !self.pending.is_empty()
    }

    /// Tokens that the open predictions have looked at, all together.
    #[inline(always)]
    pub(super) fn lookahead(&self) -> u32 {
        self.lookahead
    }

    /// Tokens that were settled, the end of the input included.
    pub(super) fn n_tokens(&self) -> usize {
        self.types.len()
    }

    /// The choices since the last token.
    pub(super) fn pending_choices(&self) -> impl Iterator<Item = Choice> {
        self.pending.items[self.pending.from..].iter().map(|pending| pending.choice)
    }

    /// Drops what only a checkpoint could need.
    fn forget_settled(&mut self) {
        self.open.items.drain(..self.open.from);
        self.open.from = 0;
        self.pending.clear();
    }

    /// Gives the next token to everything that waits for it.
    fn settle(&mut self, context: &mut DraftContext<'_>, token: TokenType) -> Result<(), DeadEnd> {
        let n_open = self.open.items.len();
        for at in self.open.from..n_open {
            let open = self.open.items[at];
            self.next_token(context, open)?;
        }
        let observes = context.mode == DraftMode::Observed;
        for at in self.pending.from..self.pending.items.len() {
            let pending = self.pending.items[at];
            if pending.settled_by == SettledBy::Token
                && context.compiled.one_token.is_settled_by(pending.choice, token)
            {
                continue;
            }
            // Training wants every answer at once.
            let patience = if observes { 1 } else { context.statistics.patience(pending.choice) };
            let operator = if observes { self.operator_after(at) } else { None };
            for question in pending.questions.into_iter().filter(|question| question.is_open()) {
                let prediction = context.parser.lookahead().predict(
                    question.decision,
                    pending.at.precedence,
                    question.alt,
                    patience,
                );
                let open = OpenPrediction {
                    prediction,
                    expected: question.alt,
                    from: self.types.len() as u32 - 1,
                    callers: pending.at.callers,
                    choice: pending.choice,
                    token,
                    checkpoint: pending.checkpoint,
                    operator,
                };
                self.next_token(context, open)?;
            }
        }
        self.open.from = n_open;
        self.pending.from = self.pending.items.len();
        let now = self.types.len() as u32;
        self.lookahead = self.open.items[n_open..].iter().map(|open| now - open.from).sum();
        Ok(())
    }

    /// Gives the token that comes next to one prediction. It is kept if it stays open.
    #[inline]
    fn next_token(
        &mut self,
        context: &mut DraftContext<'_>,
        mut open: OpenPrediction,
    ) -> Result<(), DeadEnd> {
        let callers = self.callers.chain(open.callers);
        let OpenPrediction { choice, checkpoint, .. } = open;
        let types = &self.types[open.from as usize..];
        match context.parser.lookahead().next_token(&mut open.prediction, types, &callers) {
            Prediction::Open => {
                self.open.items.push(open);
                Ok(())
            }
            Prediction::Takes(alt) if alt == open.expected => {
                if context.mode == DraftMode::Observed {
                    self.observations.push(Observation::Won { choice, token: open.token });
                    self.observe_operand(open, true);
                }
                Ok(())
            }
            Prediction::Takes(_) | Prediction::Fails => {
                let (token, age) = (TokenType::new(types[types.len() - 1] as usize), types.len() as u32);
                if context.mode == DraftMode::Observed {
                    self.observations.push(Observation::Lost { choice, token: open.token });
                    self.observe_operand(open, false);
                }
                Err(DeadEnd::Refused { choice, token, checkpoint, age })
            }
            Prediction::TooHard => Err(DeadEnd::StepLimit),
        }
    }

    /// If the pending choice ends an operand that accepts any operator: the operator that follows.
    fn operator_after(&self, at: usize) -> Option<AltId> {
        let operator = |pending: &PendingChoice| match pending.choice {
            Choice::Alternative(alt) if pending.settled_by == SettledBy::Prediction => Some(alt),
            _ => None,
        };
        let ended = &self.pending.items[at];
        if ended.settled_by == SettledBy::Token || ended.at.precedence > 0 || operator(ended).is_some() {
            return None;
        }
        self.pending.items[at..].iter().find_map(operator)
    }

    fn observe_operand(&mut self, open: OpenPrediction, was_left: bool) {
        if let (Choice::Leave(body), Some(operator)) = (open.choice, open.operator) {
            self.observations.push(Observation::Operand { body, operator, was_left });
        }
    }
}

impl Drafter {
    /// Remembers a choice until the next token, with what the parser has to answer.
    pub(super) fn made_choice(
        &mut self,
        context: &DraftContext<'_>,
        choice: Choice,
        questions: [Question; 2],
        at: Invocation,
    ) {
        self.add_pending(choice, SettledBy::Token, questions, at);
        self.forbidden.add(context.statistics.bad_after_choice(choice));
    }

    fn add_pending(
        &mut self,
        choice: Choice,
        settled_by: SettledBy,
        questions: [Question; 2],
        at: Invocation,
    ) {
        let checkpoint = self.backtracking.n_checkpoints() as u32;
        let pending = PendingChoice { choice, settled_by, questions, at, checkpoint };
        self.predictions.pending.items.push(pending);
    }

    /// Remembers what the parser decides after a call.
    pub(super) fn after_call(&mut self, context: &DraftContext<'_>, after: AfterCall, at: Invocation) {
        let compiled = context.compiled;
        match after {
            AfterCall::Nothing => {}
            AfterCall::Operator { rule, alt } => {
                let questions = &compiled.questions;
                let both = [questions.operator[rule.index()], questions.choice[alt.index()]];
                self.add_pending(Choice::Alternative(alt), SettledBy::Prediction, both, at);
            }
            AfterCall::End { rule } => {
                let choice = Choice::Leave(compiled.tables.bodies[rule.index()]);
                let questions = [Question::NONE, compiled.questions.end[rule.index()]];
                self.add_pending(choice, SettledBy::Prediction, questions, at);
                self.forbidden.add(context.statistics.bad_after_choice(choice));
            }
        }
    }

    /// Asks whether a token may come next.
    #[inline]
    pub(super) fn settle(&mut self, context: &mut DraftContext<'_>, token: TokenType) -> Result<(), DeadEnd> {
        let predictions = &mut self.predictions;
        predictions.types.push(token.index() as u32);
        if !predictions.has_unsettled() || context.mode == DraftMode::Unchecked {
            predictions.pending.from = predictions.pending.items.len();
            predictions.lookahead = 0;
            return Ok(());
        }
        predictions.settle(context, token)?;
        if self.backtracking.n_checkpoints() == 0 {
            predictions.forget_settled();
        }
        Ok(())
    }
}
