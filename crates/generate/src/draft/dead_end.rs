//! Dead ends: why the walk cannot go on where it is.

use crate::decisions::choice::Choice;
use polysmith_grammar::{BlockId, Grammar, TokenType};

/// Why the walk cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeadEnd {
    /// No text of a token fits after what is written.
    NoText(TokenType),
    /// No alternative of a block fits.
    NoAlternative(BlockId),
    /// The parser does not make this choice if the token comes next.
    Refused {
        choice: Choice,
        token: TokenType,
        /// The number of checkpoints when the choice was made.
        checkpoint: u32,
        /// Tokens since the choice, this one included.
        age: u32,
    },
    /// The parser's limit on steps was reached.
    StepLimit,
}

impl DeadEnd {
    /// A sentence for users.
    pub(crate) fn explain(self, grammar: &Grammar) -> String {
        let name = |block: BlockId| &grammar.rule(grammar.block(block).rule).name;
        match self {
            DeadEnd::NoText(token) => {
                format!("no text of {} fits after the text before it", grammar.tokens().display(token))
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
