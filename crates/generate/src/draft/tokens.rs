//! The tokens of a draft: asked about, then written.

use super::{DeadEnd, DraftContext, Drafter, FrameTask, Observation, Selected, StepKind};
use crate::extend::Model;
use polysmith_grammar::TokenType;
use polysmith_grammar::analysis::Symbol;

impl Drafter {
    /// The token at a step, and all that follow without anything in between.
    pub(super) fn token_run(
        &mut self,
        context: &mut DraftContext<'_>,
        at: u32,
        end: u32,
        token: TokenType,
        (height, place): (u32, u32),
    ) -> Result<(), DeadEnd> {
        let (mut at, mut token) = (at, token);
        loop {
            if let Some(steer) = &mut context.steer {
                steer.passed(place, Symbol::Token(token));
            }
            self.token(context, token)?;
            at += 1;
            if at == end {
                self.close(context);
                return Ok(());
            }
            let step = &context.tables.steps[at as usize];
            let StepKind::Token(following) = step.kind else { return Ok(()) };
            token = following;
            if let FrameTask::Sequence { next, .. } = &mut self.top_mut().work {
                *next += 1;
            }
            self.reserved -= step.curve.at(height);
        }
    }

    /// A token of one of several types.
    pub(super) fn token_of(&mut self, context: &mut DraftContext<'_>, choice: u32) -> Result<(), DeadEnd> {
        let allowed = &context.tables.token_sets[choice as usize];
        if let Some(script) = &mut context.script {
            let token = script.token().and_then(|number| allowed.get(number).copied());
            return self.token(context, token.ok_or(DeadEnd::NoText(allowed[0]))?);
        }
        let n = context.writer.n_ready(allowed);
        let mut token = None;
        for _ in 0..16 {
            let drawn = context.stream.below(n.max(1) as u64) as usize;
            token = context.writer.nth_ready(allowed, drawn);
            let bad = |token: TokenType| {
                self.is_barred(Selected::Token(token))
                    || (self.forbids && self.forbidden.contains(0, token.index()))
            };
            if !token.is_some_and(bad) {
                break;
            }
        }
        let token = token.ok_or(DeadEnd::NoText(allowed[0]))?;
        self.take(Selected::Token(token));
        self.token(context, token)
    }

    fn token(&mut self, context: &mut DraftContext<'_>, token: TokenType) -> Result<(), DeadEnd> {
        self.settle(context, token)?;
        self.permit();
        if token == TokenType::EOF {
            self.ended = true;
            context.builder.token(token, b"");
            return Ok(());
        }
        if self.ended {
            return Err(DeadEnd::NoText(token));
        }
        self.used += 1;
        let inherited = &mut self.top_mut().inherited;
        inherited.budget = inherited.budget.saturating_sub(1);
        let model = context.model.as_deref_mut().map(|model| model as &mut dyn Model);
        if !context.writer.token(context.lexical, context.builder, token, model) {
            if self.learning {
                let observed = |last| Observation::CannotFollow { token: last, next: token };
                self.observations.extend(self.last.map(observed));
            }
            return Err(DeadEnd::NoText(token));
        }
        self.last = Some(token);
        self.forbid(context.statistics.bad_after_token(token));
        Ok(())
    }
}
