//! Tokens that should not come next, because the parser would then not make the choices that were just made.

use super::DraftContext;
use crate::decisions::choice::Choice;
use polysmith_grammar::TokenType;
use polysmith_grammar::analysis::{BitMatrix, Bits};

/// The union of what the decision statistics say about the choices since the last token, and about that token.
#[derive(Debug)]
pub(super) struct ForbiddenTokens {
    /// One row.
    tokens: BitMatrix,
    any: bool,
}

impl ForbiddenTokens {
    pub(super) fn new(n_tokens: usize) -> ForbiddenTokens {
        ForbiddenTokens { tokens: BitMatrix::new(1, n_tokens), any: false }
    }

    pub(super) fn clear(&mut self) {
        if self.any {
            self.tokens.clear(0);
            self.any = false;
        }
    }

    /// Adds tokens, if there are any.
    pub(super) fn add(&mut self, tokens: Option<Bits<'_>>) {
        if let Some(tokens) = tokens {
            self.tokens.union_with(0, tokens);
            self.any = true;
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        !self.any
    }

    pub(super) fn contains(&self, token: TokenType) -> bool {
        self.any && self.tokens.contains(0, token.index())
    }

    /// Whether every token that can come next after a choice is forbidden, or is one before which the choice is bad.
    pub(super) fn rules_out(&self, context: &DraftContext<'_>, choice: Choice) -> bool {
        let bad = context.statistics.bad_after_choice(choice);
        if !self.any && bad.is_none() {
            return false;
        }
        let forbidden = self.tokens.row(0);
        context.compiled.one_token.next_tokens(choice).is_within(forbidden, bad.unwrap_or(forbidden))
    }
}
