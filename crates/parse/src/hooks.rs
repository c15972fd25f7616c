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
//! The lexer makes all tokens before the parser starts. Hooks of the lexer are not part of the trait yet: predicates and
//! actions in token rules are not run.

mod view;

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
    /// Whether this predicate or action of a parser rule is covered.
    fn covers(&self, code: CodeId) -> bool;

    /// The state before the first token.
    ///
    /// # Errors
    /// The script fails.
    fn start(&self) -> Result<Value, HookError>;

    /// The answer of a covered predicate.
    ///
    /// # Errors
    /// The script fails.
    fn predicate(&self, code: CodeId, state: &Value, view: &ParserView<'_>) -> Result<bool, HookError>;

    /// The state after a covered action.
    ///
    /// # Errors
    /// The script fails.
    fn action(&self, code: CodeId, state: Value, view: &ParserView<'_>) -> Result<Value, HookError>;
}
