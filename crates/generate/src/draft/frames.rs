//! What a walk consists of: frames, and why it may come to nothing.

use crate::decisions::choice::Choice;
use crate::tables::Tables;
use polysmith_grammar::{AltId, BlockId, RuleId, TokenType};

/// Why a draft came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeadEnd {
    /// No text for a token where the lexer stands.
    NoText(TokenType),
    /// No alternative of a block fits.
    NoAlternative(BlockId),
    /// The parser does not make this choice if the token comes next; the checkpoint where it was made, and how many
    /// tokens were written since.
    Refused { choice: Choice, token: TokenType, checkpoint: u32, age: u32 },
    /// The parser's limit on steps.
    StepLimit,
}

/// What the trailing end of a frame must not be: a call of a left-recursive rule that accepts this precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tail {
    /// Number of the left-recursive rule.
    pub(super) rule: u32,
    pub(super) precedence: u32,
}

/// As large as a line of the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) work: FrameTask,
    /// The frame below.
    pub(super) parent: u32,
    pub(super) node: u32,
    pub(super) inherited: Inherited,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FrameTask {
    /// The parts of an alternative.
    Sequence { next: u32, end: u32, alt: AltId, after: AfterCall },
    /// The iterations of a group.
    Loop { block: BlockId, left: u32, done: u32 },
}

/// What the parser decides when a call has ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum AfterCall {
    Nothing,
    /// The call was the left operand of this operator.
    Operator {
        rule: RuleId,
        alt: AltId,
    },
    /// No more operators.
    End {
        rule: RuleId,
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Inherited {
    /// Rule calls that are still allowed below.
    pub(super) height: u32,
    /// Tokens that the rest of the frame should take.
    pub(super) budget: u32,
    /// Tokens before the frame began.
    pub(super) before: u32,
    /// The operator whose left operand the frame's end belongs to.
    pub(super) operator: OperatorAfter,
    /// The goal must be reached inside.
    pub(super) carries: bool,
    /// The open calls as the parser sees them: a place in [`Calls`](super::Calls).
    pub(super) callers: u32,
    /// The precedence of the present invocation.
    pub(super) precedence: u32,
    /// Where on the map of what to cover.
    pub(super) place: u32,
}

/// The operator that follows an operand, by its alternative, or none. In four bytes, so that a [`Frame`] fits a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OperatorAfter(u32);

impl OperatorAfter {
    pub(super) const NONE: OperatorAfter = OperatorAfter(u32::MAX);

    pub(super) fn new(operator: AltId) -> OperatorAfter {
        OperatorAfter(operator.index() as u32)
    }

    #[inline]
    pub(super) fn get(self) -> Option<AltId> {
        (self != OperatorAfter::NONE).then(|| AltId::new(self.0 as usize))
    }
}

/// Where the parser stands when it decides something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Invocation {
    pub(super) callers: u32,
    pub(super) precedence: u32,
}

impl Inherited {
    #[inline]
    pub(super) fn invocation(&self) -> Invocation {
        Invocation { callers: self.callers, precedence: self.precedence }
    }

    /// What the frame's end must not be.
    #[inline]
    pub(super) fn tail(&self, tables: &Tables) -> Option<Tail> {
        let operator = tables.operators[self.operator.get()?.index()]?;
        Some(Tail { rule: operator.rule, precedence: operator.precedence })
    }
}

impl DeadEnd {
    /// What to tell the user.
    pub(crate) fn explain(self, grammar: &polysmith_grammar::Grammar) -> String {
        let name = |block: BlockId| &grammar.rule(grammar.block(block).rule).name;
        match self {
            DeadEnd::NoText(token) => {
                format!("no text of {} fits where the lexer stands", grammar.tokens().display(token))
            }
            DeadEnd::NoAlternative(block) => format!("no alternative of `{}` fits", name(block)),
            DeadEnd::Refused { choice, token, .. } => {
                let (block, what) = match choice {
                    Choice::Leave(block) => (block, "the end of a group".to_owned()),
                    Choice::Alternative(alt) => {
                        let number = grammar.alternative_number(alt);
                        (grammar.alternative(alt).block, format!("alternative {number}"))
                    }
                };
                let token = grammar.tokens().display(token);
                format!("the parser does not take {what} of `{}` before {token}", name(block))
            }
            DeadEnd::StepLimit => "the parser needs too many steps".into(),
        }
    }
}
