//! Calls: what stands at one, and how its rule begins.

use super::{After, Choosy, Common, Drafter, NONE, Source, Stuck, Work};
use crate::asks::Ask;
use crate::tables::Operand;
use polysmith_grammar::RuleId;

/// What a step calls, as a part of this alternative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callee {
    pub(super) rule: RuleId,
    pub(super) operand: Operand,
    pub(super) alt: u32,
}

impl Drafter {
    /// A call: an alternative of the rule is chosen.
    #[inline(always)]
    pub(super) fn call_step(
        &mut self,
        source: &mut Source<'_>,
        at: u32,
        end: u32,
        common: Common,
        Callee { rule, operand, alt }: Callee,
    ) -> Result<(), Stuck> {
        let step = &source.tables.steps[at as usize];
        let least = step.curve.at(common.height);
        let budget = self.share(source, at, end, (common.height, common.budget), least);
        let (operator, precedence) = match operand {
            Operand::Left(_) => (alt, common.precedence),
            Operand::Trailing(least) => (common.operator, least),
            Operand::Free if step.at_end => (common.operator, 0),
            Operand::Free => (NONE, 0),
        };
        let mut inner = Common { budget, operator, precedence, ..common };
        let body = source.tables.bodies[rule.index()];
        if self.redo || source.tables.blocks[body.index()].alternatives.len() > 1 {
            self.mark(source, body);
        }
        self.pass(least);
        inner.carries = common.carries && self.carries(source, at, common.height);
        let after = match operand {
            Operand::Left(_) => After::Operator { rule, alt },
            Operand::Free | Operand::Trailing(_) => {
                if !source.asks.all_settled {
                    inner.callers = self.calls.push(source.asks.follows[at as usize], common.callers);
                }
                match source.tables.recursive[rule.index()] {
                    Some(_) => After::End { rule },
                    None => After::Nothing,
                }
            }
        };
        self.call(source, rule, after, inner)
    }

    /// Chooses an alternative of a rule and opens its node.
    #[inline(always)]
    pub(super) fn call(
        &mut self,
        source: &mut Source<'_>,
        rule: RuleId,
        after: After,
        common: Common,
    ) -> Result<(), Stuck> {
        let body = source.tables.bodies[rule.index()];
        let height = common.height.checked_sub(1).ok_or(Stuck::Choice(body))?;
        let place = Drafter::enter(source, common.place, rule);
        let inner = Common { height, place, ..common };
        let alt = self.choose(source, body, &inner, Choosy::No)?;
        let number = alt as u32 - source.tables.blocks[body.index()].alternatives.start + 1;
        source.builder.open_rule(rule, number);
        self.push(source, alt, Ask::NONE, after, inner);
        Ok(())
    }

    /// Begins the parts of an alternative.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        source: &mut Source<'_>,
        alt: usize,
        again: Ask,
        after: After,
        common: Common,
    ) {
        self.reserved += source.tables.curves[alt].at(common.height);
        let range = &source.tables.alternatives[alt];
        let mut common = common;
        if common.carries && source.goal.is_some_and(|goal| goal.at_goal[alt]) {
            self.reached = true;
            common.carries = false;
        }
        if let Some(steer) = &mut source.steer {
            steer.took(common.place, alt);
        }
        let grip = source.tables.grips[alt];
        if grip.is_none_or(|grip| !grip.left) && !source.sure.always(alt) {
            self.decided(source, alt, again, source.asks.choice[alt], common.invocation());
        }
        self.push_frame(
            source,
            Work::Sequence { next: range.start, end: range.end, alt: alt as u32, after },
            common,
        );
    }

    /// Whether the step is the one that leads to the goal: the first that can.
    pub(super) fn carries(&mut self, source: &Source<'_>, at: u32, height: u32) -> bool {
        let leads = !self.reached && source.goal.is_some_and(|goal| goal.steps[at as usize] <= height);
        if leads {
            self.top_mut().common.carries = false;
        }
        leads
    }
}
