//! What the next token settles: sure decisions, doubts, and tokens that should not come next.

use super::{Drafter, Pending, Source};
use crate::habits::{Doubt, Habits};
use polysmith_grammar::TokenType;

impl Drafter {
    /// Before these tokens the option taken would be lost.
    pub(super) fn forbid(&mut self, habits: &Habits, option: usize) {
        if let Some(bad) = habits.bad(option) {
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

    /// Whether everything that an option can stand before is forbidden, or would be lost by the option itself.
    pub(super) fn is_hopeless(&self, source: &Source<'_>, option: usize) -> bool {
        let own = source.habits.bad(option);
        if !self.forbids && own.is_none() {
            return false;
        }
        source
            .sure
            .predict
            .row(option)
            .iter()
            .all(|token| self.forbidden.contains(0, token) || own.is_some_and(|bad| bad.contains(token)))
    }

    /// The next token settles what was decided since the last one.
    pub(super) fn settle(&mut self, source: &Source<'_>, token: TokenType) {
        if self.pending.is_empty() {
            return;
        }
        for pending in self.pending.drain(..) {
            self.unsure |= !match pending {
                Pending::Option { option, node } => {
                    let sure = source.sure.before(option as usize, token);
                    if !sure {
                        self.doubts.push(Doubt { option, token, node });
                    }
                    sure
                }
                Pending::Operator { rule, alt, precedence } => {
                    source.sure.operator(source.tables, rule, alt as usize, precedence, token)
                }
                Pending::End { rule, precedence } => {
                    source.sure.operand_end(source.tables, rule, precedence, token)
                }
            };
        }
    }
}
