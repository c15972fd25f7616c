//! What a walk consists of: frames, and why it may come to nothing.

use super::NONE;
use crate::tables::Tables;
use polysmith_grammar::{BlockId, RuleId, TokenType};

/// Why a draft came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeadEnd {
    /// No text for a token where the lexer stands.
    NoText(TokenType),
    /// No alternative of a block fits.
    NoAlternative(BlockId),
    /// The parser would not take this option before the token; the checkpoint where it was chosen, and how many
    /// tokens it has seen since.
    Refused { option: u32, token: TokenType, checkpoint: u32, age: u32 },
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
    Sequence { next: u32, end: u32, alt: u32, after: AfterCall },
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
        alt: u32,
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
    /// The operator, by its alternative, whose left operand the frame's end belongs to; [`NONE`] if there is none.
    pub(super) operator: u32,
    /// The goal must be reached inside.
    pub(super) carries: bool,
    /// The open calls as the parser sees them: a place in [`Calls`](super::Calls).
    pub(super) callers: u32,
    /// The precedence of the present invocation.
    pub(super) precedence: u32,
    /// Where on the map of what to cover.
    pub(super) place: u32,
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
        if self.operator == NONE {
            return None;
        }
        let grip = tables.operators[self.operator as usize]?;
        Some(Tail { rule: grip.rule, precedence: grip.precedence })
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
            DeadEnd::Refused { option, token, .. } => {
                let (block, what) = match (option as usize).checked_sub(grammar.n_alternatives()) {
                    Some(block) => (BlockId::new(block), "the end of a group".to_owned()),
                    None => {
                        let alt = polysmith_grammar::AltId::new(option as usize);
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
