//! The tokens of a draft: first the parser is asked, then they are written.

use super::{DeadEnd, DraftContext, DraftMode, Drafter, FrameTask, Observation, Selected, StepKind};
use crate::extend::Model;
use crate::tuning::MAX_TOKEN_DRAWS;
use polysmith_grammar::TokenType;
use polysmith_grammar::analysis::Symbol;

impl Drafter {
    /// Derives the token at a step, and all tokens that directly follow it in the alternative.
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
            if let Some(steering) = context.guide.steering_mut() {
                steering.passed(place, Symbol::Token(token));
            }
            self.token(context, token)?;
            at += 1;
            if at == end {
                self.close(context);
                return Ok(());
            }
            let step = &context.compiled.tables.steps[at as usize];
            let StepKind::Token(following) = step.kind else { return Ok(()) };
            token = following;
            if let FrameTask::Sequence { next, .. } = &mut self.stack.top_mut().task {
                *next += 1;
            }
            self.progress.reserved -= step.curve.at(height);
        }
    }

    /// Derives a token of one of several types.
    pub(super) fn token_of_set(&mut self, context: &mut DraftContext<'_>, set: u32) -> Result<(), DeadEnd> {
        let allowed = &context.compiled.tables.token_sets[set as usize];
        if let Some(script) = context.guide.script_mut() {
            let token = script.token().and_then(|number| allowed.get(number).copied());
            return self.token(context, token.ok_or(DeadEnd::NoText(allowed[0]))?);
        }
        let n = context.writer.n_ready(allowed);
        let mut token = None;
        for _ in 0..MAX_TOKEN_DRAWS {
            let drawn = context.stream.below(n.max(1) as u64) as usize;
            token = context.writer.nth_ready(allowed, drawn);
            let is_bad = |token: TokenType| {
                self.backtracking.is_excluded(Selected::Token(token)) || self.forbidden.contains(token)
            };
            if !token.is_some_and(is_bad) {
                break;
            }
        }
        let token = token.ok_or(DeadEnd::NoText(allowed[0]))?;
        self.backtracking.select(Selected::Token(token));
        self.token(context, token)
    }

    fn token(&mut self, context: &mut DraftContext<'_>, token: TokenType) -> Result<(), DeadEnd> {
        self.settle(context, token)?;
        self.forbidden.clear();
        if token == TokenType::EOF {
            self.progress.ended = true;
            context.builder.token(token, b"");
            return Ok(());
        }
        if self.progress.ended {
            return Err(DeadEnd::NoText(token));
        }
        self.progress.used += 1;
        let inherited = &mut self.stack.top_mut().inherited;
        inherited.budget = inherited.budget.saturating_sub(1);
        let model = context.guide.model_mut().map(|model| model as &mut dyn Model);
        let lexical = &context.compiled.lexical;
        if !context.writer.token(lexical, context.builder, token, model) {
            if let (DraftMode::Observed, Some(last)) = (context.mode, self.progress.last) {
                self.predictions.observations.push(Observation::CannotFollow { token: last, next: token });
            }
            return Err(DeadEnd::NoText(token));
        }
        self.progress.last = Some(token);
        self.forbidden.add(context.statistics.bad_after_token(token));
        Ok(())
    }
}
