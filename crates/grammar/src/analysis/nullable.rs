//! What derives the empty sequence, and what derives any finite text at all.
//!
//! Both are [`Minima`] of a measure that only asks whether there is a value. EOF is a token here: a rule that is
//! only `EOF` is not nullable.

use super::minimum::{Measure, Minima};
use super::uses::Uses;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};

macro_rules! yes_or_no {
    ($(#[$doc:meta])* $name:ident, $measure:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(Minima);

        impl $name {
            /// For every part of a grammar.
            pub fn of(grammar: &Grammar, uses: &Uses) -> $name {
                $name(Minima::of(grammar, uses, $measure))
            }

            /// Whether a rule does.
            pub fn rule(&self, rule: RuleId) -> bool {
                self.0.rule(rule).is_some()
            }

            /// Whether an alternative does.
            pub fn alternative(&self, alternative: AltId) -> bool {
                self.0.alternative(alternative).is_some()
            }

            /// Whether some alternative of a block does, whatever its quantifier.
            pub fn iteration(&self, block: BlockId) -> bool {
                self.0.iteration(block).is_some()
            }

            /// Whether a block with its quantifier does.
            pub fn block(&self, grammar: &Grammar, block: BlockId) -> bool {
                self.0.block(grammar, block).is_some()
            }

            /// Whether one part of an alternative does.
            pub fn element(&self, grammar: &Grammar, kind: ElementKind) -> bool {
                self.0.element(grammar, kind).is_some()
            }
        }
    };
}

yes_or_no! {
    /// What derives the empty sequence.
    Nullable, Measure::Empty
}

yes_or_no! {
    /// What derives some finite text. Rules that do not can never end: every way through them calls one of
    /// them again.
    Productive, Measure::Finite
}
