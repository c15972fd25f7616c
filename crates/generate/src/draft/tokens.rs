//! The tokens of a draft: asked about, then written.

use super::{Drafter, Outcome, Source, StepKind, Stuck, Work};
use crate::traits::Model;
use polysmith_grammar::TokenType;
use polysmith_grammar::analysis::Symbol;

impl Drafter {
    /// The token at a step, and all that follow without anything in between.
    pub(super) fn token_run(
        &mut self,
        source: &mut Source<'_>,
        at: u32,
        end: u32,
        token: TokenType,
        (height, place): (u32, u32),
    ) -> Result<(), Stuck> {
        let (mut at, mut token) = (at, token);
        loop {
            if let Some(steer) = &mut source.steer {
                steer.passed(place, Symbol::Token(token));
            }
            self.token(source, token)?;
            at += 1;
            if at == end {
                self.close(source);
                return Ok(());
            }
            let step = &source.tables.steps[at as usize];
            let StepKind::Token(following) = step.kind else { return Ok(()) };
            token = following;
            if let Work::Sequence { next, .. } = &mut self.top_mut().work {
                *next += 1;
            }
            self.reserved -= step.curve.at(height);
        }
    }

    /// A token of one of several types.
    pub(super) fn token_of(&mut self, source: &mut Source<'_>, choice: u32) -> Result<(), Stuck> {
        let allowed = &source.tables.choices[choice as usize];
        if let Some(script) = &mut source.script {
            let token = script.token().and_then(|number| allowed.get(number).copied());
            return self.token(source, token.ok_or(Stuck::Token(allowed[0]))?);
        }
        let n = source.writer.n_ready(allowed);
        let mut token = None;
        for _ in 0..16 {
            let drawn = source.stream.below(n.max(1) as u64) as usize;
            token = source.writer.nth_ready(allowed, drawn);
            let bad = |token: TokenType| {
                self.is_barred(token.index() as u32)
                    || (self.forbids && self.forbidden.contains(0, token.index()))
            };
            if !token.is_some_and(bad) {
                break;
            }
        }
        let token = token.ok_or(Stuck::Token(allowed[0]))?;
        self.take(token.index() as u32);
        self.token(source, token)
    }

    fn token(&mut self, source: &mut Source<'_>, token: TokenType) -> Result<(), Stuck> {
        self.settle(source, token)?;
        self.permit();
        if token == TokenType::EOF {
            self.ended = true;
            source.builder.token(token, b"");
            return Ok(());
        }
        if self.ended {
            return Err(Stuck::Token(token));
        }
        self.used += 1;
        let common = &mut self.top_mut().common;
        common.budget = common.budget.saturating_sub(1);
        let model = source.model.as_deref_mut().map(|model| model as &mut dyn Model);
        if !source.writer.token(source.wording, source.builder, token, model) {
            if self.learning {
                self.outcomes.extend(self.last.map(|last| Outcome::Apart { last, token }));
            }
            return Err(Stuck::Token(token));
        }
        self.last = Some(token);
        self.forbid(source.habits, source.habits.behind(token));
        Ok(())
    }
}
