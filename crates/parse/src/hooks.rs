//! Target code without a target: what a base class of a generated parser does, said by a trait.
//!
//! A grammar may call code: `{this.isOperand()}?` asks, `{this.addImport();}` acts. An implementation of [`Hooks`] says
//! which of these calls it covers, what the covered predicates answer and what the covered actions do. Predicates that
//! are not covered are true, actions that are not covered do nothing, and a parser without hooks runs the same
//! instructions as before.
//!
//! - State is a [`Value`]: cheap to clone and comparable. Predicates cannot change it. An action returns the next state.
//! - A predicate that a decision reaches before its first token is asked when the decision is predicted, at that token
//!   and with the context of the rule that decides. Its answer is never kept: the automata of prediction keep which
//!   predicate an alternative depends on. After the first token a predicate is true in prediction.
//! - Every predicate is asked again when the parser passes it. There, `false` is the error `failed predicate`.
//! - An action runs when the parser passes it, never in prediction. So the state that prediction sees is the state at
//!   the first token of the decision.
//! - A hook that fails ends the parse with [`crate::ParseError::Hook`].
//!
//! The lexer makes all tokens before the parser starts, with a state of its own that begins anew:
//!
//! - A predicate of a token rule is a part of the match. It is asked at its place, with the text matched so far, and the
//!   match goes on where it holds. The answer is not kept.
//! - An action of a token rule runs after the match, at its end, in order with the commands of the rule. Actions of
//!   fragments do not run.
//! - [`Hooks::token`] sees each token after its actions, before the next one is matched.
//! - [`Hooks::stream`] sees all tokens when the last one was made, one after the other, with a new state. This is the
//!   place for what depends on later tokens, such as indentation.

mod lexer;
mod view;

pub use lexer::{InsertedToken, LexerEffect, LexerOutcome, MatchView, StreamView};
pub use view::{ParserView, TokenView};

use polysmith_grammar::CodeId;
use polysmith_value::Value;

/// The reason why a hook gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HookError {
    /// What went wrong, with the place in the script if there is one.
    pub message: String,
}

/// The code that a grammar calls. See the [module](self) for when each method is called.
pub trait Hooks: std::fmt::Debug + Send + Sync {
    /// Whether this predicate or action is covered.
    fn covers(&self, code: CodeId) -> bool;

    /// The state before the first token.
    ///
    /// # Errors
    /// The script fails.
    fn start(&self) -> Result<Value, HookError>;

    /// The answer of a covered predicate of a parser rule.
    ///
    /// # Errors
    /// The script fails.
    fn predicate(&self, code: CodeId, state: &Value, view: &ParserView<'_>) -> Result<bool, HookError>;

    /// The state after the parser has passed a covered predicate, for predicates that change something. It is called
    /// whatever the answer was, and never in prediction. `None` keeps the state.
    ///
    /// # Errors
    /// The script fails.
    fn passed(
        &self,
        _code: CodeId,
        _state: &Value,
        _view: &ParserView<'_>,
    ) -> Result<Option<Value>, HookError> {
        Ok(None)
    }

    /// The state after a covered action of a parser rule.
    ///
    /// # Errors
    /// The script fails.
    fn action(&self, code: CodeId, state: Value, view: &ParserView<'_>) -> Result<Value, HookError>;

    /// The answer of a covered predicate of a token rule.
    ///
    /// # Errors
    /// The script fails.
    fn lexer_predicate(
        &self,
        _code: CodeId,
        _state: &Value,
        _view: &MatchView<'_>,
    ) -> Result<bool, HookError> {
        Ok(true)
    }

    /// What a covered action of a token rule does.
    ///
    /// # Errors
    /// The script fails.
    fn lexer_action(
        &self,
        _code: CodeId,
        state: Value,
        _view: &MatchView<'_>,
    ) -> Result<LexerOutcome, HookError> {
        Ok(LexerOutcome { state, effects: Vec::new() })
    }

    /// Whether [`Hooks::token`] does something.
    fn has_token_hook(&self) -> bool {
        false
    }

    /// What to do with a token that was matched.
    ///
    /// # Errors
    /// The script fails.
    fn token(&self, state: Value, _view: &MatchView<'_>) -> Result<LexerOutcome, HookError> {
        Ok(LexerOutcome { state, effects: Vec::new() })
    }

    /// Whether [`Hooks::stream`] does something.
    fn has_stream_hook(&self) -> bool {
        false
    }

    /// What to do with a token, with all tokens at hand. The end of the input is the last one.
    ///
    /// # Errors
    /// The script fails.
    fn stream(&self, state: Value, _view: &StreamView<'_>) -> Result<LexerOutcome, HookError> {
        Ok(LexerOutcome { state, effects: Vec::new() })
    }
}
