//! Rule calls and the alternatives that they begin.

use super::{AfterCall, DeadEnd, DraftContext, Drafter, FrameTask, IfRuledOut, Inherited, OperatorAfter};
use crate::decisions::choice::Choice;
use crate::decisions::questions::Question;
use crate::tables::Operand;
use polysmith_grammar::{AltId, RuleId};

/// A call as a step of an alternative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) rule: RuleId,
    pub(super) operand: Operand,
    /// The alternative that contains the call.
    pub(super) alt: AltId,
}

impl Drafter {
    /// Derives a step that is a call: chooses an alternative of the rule.
    #[inline(always)]
    pub(super) fn call_step(
        &mut self,
        context: &mut DraftContext<'_>,
        at: u32,
        end: u32,
        inherited: Inherited,
        Call { rule, operand, alt }: Call,
    ) -> Result<(), DeadEnd> {
        let compiled = context.compiled;
        let step = &compiled.tables.steps[at as usize];
        let least = step.curve.at(inherited.height);
        let budget = self.step_budget(context, at, end, (inherited.height, inherited.budget), least);
        let (operator, precedence) = match operand {
            Operand::Left(_) => (OperatorAfter::new(alt), inherited.precedence),
            Operand::Trailing(least) => (inherited.operator, least),
            Operand::Free if step.at_end => (inherited.operator, 0),
            Operand::Free => (OperatorAfter::NONE, 0),
        };
        let mut inner = Inherited { budget, operator, precedence, ..inherited };
        let body = compiled.tables.bodies[rule.index()];
        if self.backtracking.is_returning() || compiled.tables.block(body).alternatives.len() > 1 {
            self.checkpoint(context, body);
        }
        self.pass_step(least);
        inner.leads_to_goal =
            inherited.leads_to_goal && self.step_leads_to_goal(context, at, inherited.height);
        let after = match operand {
            Operand::Left(_) => AfterCall::Operator { rule, alt },
            Operand::Free | Operand::Trailing(_) => {
                if !compiled.questions.all_settled {
                    let follow = compiled.questions.follows[at as usize];
                    inner.callers = self.predictions.callers.push(follow, inherited.callers);
                }
                match compiled.tables.recursive[rule.index()] {
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
        let body = context.compiled.tables.bodies[rule.index()];
        let height = inherited.height.checked_sub(1).ok_or(DeadEnd::NoAlternative(body))?;
        let place = Drafter::enter_place(context, inherited.place, rule);
        let inner = Inherited { height, place, ..inherited };
        let alt = self.choose(context, body, &inner, IfRuledOut::TakeAnyway)?;
        let number = context.compiled.tables.block(body).number_of(alt);
        context.builder.open_rule(rule, number);
        self.begin_alternative(context, alt, Question::NONE, after, inner);
        Ok(())
    }

    /// Begins the steps of an alternative. `again` is what the parser has to answer first: whether a group is repeated.
    #[inline(always)]
    pub(super) fn begin_alternative(
        &mut self,
        context: &mut DraftContext<'_>,
        alt: AltId,
        again: Question,
        after: AfterCall,
        inherited: Inherited,
    ) {
        let compiled = context.compiled;
        self.progress.reserved += compiled.tables.curves[alt.index()].at(inherited.height);
        let range = &compiled.tables.alternatives[alt.index()];
        let mut inherited = inherited;
        if inherited.leads_to_goal && context.guide.goal().is_some_and(|goal| goal.is_goal[alt.index()]) {
            self.progress.reached_goal = true;
            inherited.leads_to_goal = false;
        }
        if let Some(steering) = context.guide.steering_mut() {
            steering.took(inherited.place, alt.index());
        }
        let operator = compiled.tables.operators[alt.index()];
        let choice = Choice::Alternative(alt);
        if operator.is_none_or(|operator| !operator.is_left_recursive)
            && !compiled.one_token.is_always_settled(choice)
        {
            let questions = [again, compiled.questions.choice[alt.index()]];
            self.made_choice(context, choice, questions, inherited.invocation());
        }
        let task = FrameTask::Sequence { next: range.start, end: range.end, alt, after };
        self.push_frame(context, task, inherited);
    }

    /// Whether a step is the one that leads to the goal: the first that can. The steps after it do not.
    pub(super) fn step_leads_to_goal(&mut self, context: &DraftContext<'_>, at: u32, height: u32) -> bool {
        let leads = !self.progress.reached_goal
            && context.guide.goal().is_some_and(|goal| goal.steps[at as usize] <= height);
        if leads {
            self.stack.top_mut().inherited.leads_to_goal = false;
        }
        leads
    }
}
