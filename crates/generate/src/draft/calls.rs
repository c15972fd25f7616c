//! Calls: what stands at one, and how its rule begins.

use super::{AfterCall, Choosy, DeadEnd, DraftContext, Drafter, FrameTask, Inherited, OperatorAfter};
use crate::decisions::choice::Choice;
use crate::decisions::questions::Question;
use crate::tables::Operand;
use polysmith_grammar::{AltId, RuleId};

/// What a step calls, as a part of this alternative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callee {
    pub(super) rule: RuleId,
    pub(super) operand: Operand,
    pub(super) alt: AltId,
}

impl Drafter {
    /// A call: an alternative of the rule is chosen.
    #[inline(always)]
    pub(super) fn call_step(
        &mut self,
        context: &mut DraftContext<'_>,
        at: u32,
        end: u32,
        inherited: Inherited,
        Callee { rule, operand, alt }: Callee,
    ) -> Result<(), DeadEnd> {
        let step = &context.tables.steps[at as usize];
        let least = step.curve.at(inherited.height);
        let budget = self.share(context, at, end, (inherited.height, inherited.budget), least);
        let (operator, precedence) = match operand {
            Operand::Left(_) => (OperatorAfter::new(alt), inherited.precedence),
            Operand::Trailing(least) => (inherited.operator, least),
            Operand::Free if step.at_end => (inherited.operator, 0),
            Operand::Free => (OperatorAfter::NONE, 0),
        };
        let mut inner = Inherited { budget, operator, precedence, ..inherited };
        let body = context.tables.bodies[rule.index()];
        if self.redo || context.tables.block(body).alternatives.len() > 1 {
            self.mark(context, body);
        }
        self.pass(least);
        inner.carries = inherited.carries && self.carries(context, at, inherited.height);
        let after = match operand {
            Operand::Left(_) => AfterCall::Operator { rule, alt },
            Operand::Free | Operand::Trailing(_) => {
                if !context.questions.all_settled {
                    inner.callers =
                        self.calls.push(context.questions.follows[at as usize], inherited.callers);
                }
                match context.tables.recursive[rule.index()] {
                    Some(_) => AfterCall::End { rule },
                    None => AfterCall::Nothing,
                }
            }
        };
        self.call(context, rule, after, inner)
    }

    /// Chooses an alternative of a rule and opens its node.
    #[inline(always)]
    pub(super) fn call(
        &mut self,
        context: &mut DraftContext<'_>,
        rule: RuleId,
        after: AfterCall,
        inherited: Inherited,
    ) -> Result<(), DeadEnd> {
        let body = context.tables.bodies[rule.index()];
        let height = inherited.height.checked_sub(1).ok_or(DeadEnd::NoAlternative(body))?;
        let place = Drafter::enter(context, inherited.place, rule);
        let inner = Inherited { height, place, ..inherited };
        let alt = self.choose(context, body, &inner, Choosy::No)?;
        let number = context.tables.block(body).number_of(alt);
        context.builder.open_rule(rule, number);
        self.push(context, alt, Question::NONE, after, inner);
        Ok(())
    }

    /// Begins the parts of an alternative.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        context: &mut DraftContext<'_>,
        alt: AltId,
        again: Question,
        after: AfterCall,
        inherited: Inherited,
    ) {
        self.reserved += context.tables.curves[alt.index()].at(inherited.height);
        let range = &context.tables.alternatives[alt.index()];
        let mut inherited = inherited;
        if inherited.carries && context.goal.is_some_and(|goal| goal.at_goal[alt.index()]) {
            self.reached = true;
            inherited.carries = false;
        }
        if let Some(steer) = &mut context.steer {
            steer.took(inherited.place, alt.index());
        }
        let operator = context.tables.operators[alt.index()];
        let choice = Choice::Alternative(alt);
        if operator.is_none_or(|operator| !operator.is_left_recursive)
            && !context.one_token.is_always_settled(choice)
        {
            let question = context.questions.choice[alt.index()];
            self.decided(context, choice, again, question, inherited.invocation());
        }
        self.push_frame(
            context,
            FrameTask::Sequence { next: range.start, end: range.end, alt, after },
            inherited,
        );
    }

    /// Whether the step is the one that leads to the goal: the first that can.
    pub(super) fn carries(&mut self, context: &DraftContext<'_>, at: u32, height: u32) -> bool {
        let leads = !self.reached && context.goal.is_some_and(|goal| goal.steps[at as usize] <= height);
        if leads {
            self.top_mut().inherited.carries = false;
        }
        leads
    }
}
