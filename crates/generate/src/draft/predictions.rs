//! Decisions that the parser must take as drafted, followed token by token.
//!
//! What was decided since the last token is *pending*. The next token settles most of it: a set says that no
//! other option can begin with that token. The rest becomes *locks*, questions to the parser's prediction, which
//! get this token and all later ones until the parser knows what it takes. Lists are only ever appended to, so
//! that stepping back is a matter of lengths.

use super::{AfterCall, DeadEnd, DraftContext, Drafter, Invocation};
use crate::decisions::choice::Choice;
use crate::decisions::questions::Question;
use crate::decisions::statistics::DecisionStatistics;
use polysmith_grammar::analysis::Bits;
use polysmith_grammar::{AltId, BlockId, TokenType};
use polysmith_parse::{Callers, PendingPrediction, Prediction};

/// A decision that the next token will settle.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingDecision {
    pub(super) choice: Choice,
    /// The next token may settle the choice by sets alone.
    pub(super) by_sets: bool,
    pub(super) first: Question,
    pub(super) second: Question,
    pub(super) callers: u32,
    pub(super) precedence: u32,
    pub(super) checkpoint: u32,
}

/// A question that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenPrediction {
    pub(super) prediction: PendingPrediction,
    pub(super) meant: u16,
    /// Where its tokens begin.
    pub(super) from: u32,
    pub(super) callers: u32,
    pub(super) choice: Choice,
    /// The token that it began with.
    pub(super) token: TokenType,
    pub(super) checkpoint: u32,
    /// The operator that is to stand behind the operand whose end is asked about, if it accepts any operator.
    pub(super) operator: Option<AltId>,
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

/// The open calls of all moments of a draft: a tree of return states.
#[derive(Debug, Default)]
pub(super) struct Calls {
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    follow: u32,
    below: u32,
    depth: u32,
}

impl Calls {
    /// The callers of the start rule.
    pub(super) const NOBODY: u32 = u32::MAX;

    pub(super) fn clear(&mut self) {
        self.links.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.links.truncate(len);
    }

    #[inline]
    pub(super) fn push(&mut self, follow: u32, below: u32) -> u32 {
        let depth = if below == Calls::NOBODY { 1 } else { self.links[below as usize].depth + 1 };
        self.links.push(Link { follow, below, depth });
        self.links.len() as u32 - 1
    }
}

/// The calls that were open at one moment.
struct Chain<'a> {
    links: &'a [Link],
    top: u32,
}

impl Callers for Chain<'_> {
    fn depth(&self) -> usize {
        if self.top == Calls::NOBODY { 0 } else { self.links[self.top as usize].depth as usize }
    }

    fn follow(&self, up: usize) -> u32 {
        let mut at = self.top;
        for _ in 0..up {
            at = self.links[at as usize].below;
        }
        self.links[at as usize].follow
    }
}

impl Drafter {
    /// Remembers a decision until the next token. `first` is asked before `second`.
    pub(super) fn decided(
        &mut self,
        context: &DraftContext<'_>,
        choice: Choice,
        first: Question,
        second: Question,
        at: Invocation,
    ) {
        self.pend(choice, true, first, second, at);
        self.forbid(context.statistics.bad_after_choice(choice));
    }

    fn pend(&mut self, choice: Choice, by_sets: bool, first: Question, second: Question, at: Invocation) {
        self.pending.push(PendingDecision {
            choice,
            by_sets,
            first,
            second,
            callers: at.callers,
            precedence: at.precedence,
            checkpoint: self.checkpoints.len() as u32,
        });
    }

    /// What the parser decides behind an operand.
    pub(super) fn after(&mut self, context: &DraftContext<'_>, after: AfterCall, at: Invocation) {
        match after {
            AfterCall::Nothing => {}
            AfterCall::Operator { rule, alt } => {
                let (first, second) =
                    (context.questions.operator[rule.index()], context.questions.choice[alt.index()]);
                self.pend(Choice::Alternative(alt), false, first, second, at);
            }
            AfterCall::End { rule } => {
                let choice = Choice::Leave(context.tables.bodies[rule.index()]);
                self.pend(choice, false, Question::NONE, context.questions.end[rule.index()], at);
                self.forbid(context.statistics.bad_after_choice(choice));
            }
        }
    }

    /// These tokens, if there are any, should not come next.
    pub(super) fn forbid(&mut self, bad: Option<Bits<'_>>) {
        if let Some(bad) = bad {
            self.forbidden.union_with(0, bad);
            self.forbids = true;
        }
    }

    pub(super) fn permit(&mut self) {
        if self.forbids {
            self.forbidden.clear(0);
            self.forbids = false;
        }
    }

    /// What is forbidden where the walk has stepped back to.
    pub(super) fn forbid_again(&mut self, statistics: &DecisionStatistics) {
        self.permit();
        if let Some(last) = self.last {
            self.forbid(statistics.bad_after_token(last));
        }
        for at in self.pending_from as usize..self.pending.len() {
            self.forbid(statistics.bad_after_choice(self.pending[at].choice));
        }
    }

    /// Whether every token that can come next after a choice is forbidden, or is one before which the choice is bad.
    pub(super) fn is_hopeless(&self, context: &DraftContext<'_>, choice: Choice) -> bool {
        let own = context.statistics.bad_after_choice(choice);
        if !self.forbids && own.is_none() {
            return false;
        }
        let forbidden = self.forbidden.row(0);
        context.one_token.next_tokens(choice).is_within(forbidden, own.unwrap_or(forbidden))
    }

    /// Something is decided that the parser may still take otherwise.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.locks.len() as u32 > self.locks_from || self.pending.len() as u32 > self.pending_from
    }

    /// The next token goes to everything that waits for it.
    #[inline]
    pub(super) fn settle(&mut self, context: &mut DraftContext<'_>, token: TokenType) -> Result<(), DeadEnd> {
        self.types.push(token.index() as u32);
        if !self.is_open() || self.careless {
            self.pending_from = self.pending.len() as u32;
            self.load = 0;
            return Ok(());
        }
        self.settle_open(context, token)
    }

    fn settle_open(&mut self, context: &mut DraftContext<'_>, token: TokenType) -> Result<(), DeadEnd> {
        let open = self.locks.len();
        for at in self.locks_from as usize..open {
            let lock = self.locks[at];
            self.follow(context, lock)?;
        }
        for at in self.pending_from as usize..self.pending.len() {
            let pending = self.pending[at];
            if pending.by_sets && context.one_token.is_settled_by(pending.choice, token) {
                continue;
            }
            // Who wants to learn wants to know at once.
            let patience = if self.learning { 1 } else { context.statistics.patience(pending.choice) };
            let operator = if self.learning { self.operator_after(at) } else { None };
            for ask in [pending.first, pending.second].into_iter().filter(|ask| ask.is_open()) {
                let lock = OpenPrediction {
                    prediction: context.parser.lookahead().predict(
                        ask.decision,
                        pending.precedence,
                        ask.alt,
                        patience,
                    ),
                    meant: ask.alt,
                    from: self.types.len() as u32 - 1,
                    callers: pending.callers,
                    choice: pending.choice,
                    token,
                    checkpoint: pending.checkpoint,
                    operator,
                };
                self.follow(context, lock)?;
            }
        }
        self.locks_from = open as u32;
        self.pending_from = self.pending.len() as u32;
        let now = self.types.len() as u32;
        self.load = self.locks[open..].iter().map(|lock| now - lock.from).sum();
        if self.checkpoints.is_empty() {
            self.locks.drain(..open);
            self.locks_from = 0;
            self.pending.clear();
            self.pending_from = 0;
        }
        Ok(())
    }

    /// The token written last, for a lock.
    #[inline]
    fn follow(&mut self, context: &mut DraftContext<'_>, mut lock: OpenPrediction) -> Result<(), DeadEnd> {
        let callers = Chain { links: &self.calls.links, top: lock.callers };
        let OpenPrediction { choice, checkpoint, .. } = lock;
        let types = &self.types[lock.from as usize..];
        match context.parser.lookahead().next_token(&mut lock.prediction, types, &callers) {
            Prediction::Open => {
                self.locks.push(lock);
                Ok(())
            }
            Prediction::Takes(alt) if alt == lock.meant => {
                if self.learning {
                    self.observations.push(Observation::Won { choice, token: lock.token });
                    self.note_operand(lock, true);
                }
                Ok(())
            }
            Prediction::Takes(_) | Prediction::Fails => {
                let (token, age) = (TokenType::new(types[types.len() - 1] as usize), types.len() as u32);
                if self.learning {
                    self.observations.push(Observation::Lost { choice, token: lock.token });
                    self.note_operand(lock, false);
                }
                Err(DeadEnd::Refused { choice, token, checkpoint, age })
            }
            Prediction::TooHard => Err(DeadEnd::StepLimit),
        }
    }

    /// If the pending decision is the end of an operand that accepts any operator: the operator that comes next.
    fn operator_after(&self, at: usize) -> Option<AltId> {
        let operator = |pending: &PendingDecision| match pending.choice {
            Choice::Alternative(alt) if !pending.by_sets => Some(alt),
            _ => None,
        };
        let ended = &self.pending[at];
        if ended.by_sets || ended.precedence > 0 || operator(ended).is_some() {
            return None;
        }
        self.pending[at..].iter().find_map(operator)
    }

    fn note_operand(&mut self, lock: OpenPrediction, was_left: bool) {
        if let (Choice::Leave(body), Some(operator)) = (lock.choice, lock.operator) {
            self.observations.push(Observation::Operand { body, operator, was_left });
        }
    }
}
