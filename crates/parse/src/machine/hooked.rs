//! Where the parser runs hooks: at predicates and actions that it passes, and before a prediction.

use super::{Failure, Machine};
use crate::error::ParseError;
use crate::hooks::{HookError, ParserView};
use crate::position::Positions;
use polysmith_grammar::CodeId;

impl Machine<'_> {
    /// Makes the first state of the hooks.
    pub(super) fn start_hooks(&mut self) -> Result<(), ParseError> {
        if let Some(hooks) = &self.compiled.hooks {
            let state = hooks.start().map_err(|error| ParseError::HookStart { message: error.message })?;
            self.hook_state = Some(state);
        }
        Ok(())
    }

    /// Whether a predicate lets the parser pass.
    pub(super) fn predicate_holds(&mut self, code: CodeId) -> Result<bool, Failure> {
        let (Some(hooks), Some(state)) = (&self.compiled.hooks, &self.hook_state) else {
            return Ok(self.learned.predictor.code_holds(code));
        };
        if !hooks.covers(code) {
            return Ok(self.compiled.truth[code.index()]);
        }
        hooks.predicate(code, state, &self.view()).map_err(|error| self.hook_failed(code, error))
    }

    /// Asks a predicate that the parser passes.
    pub(super) fn pass_predicate(&mut self, code: CodeId) -> Result<bool, Failure> {
        let holds = self.predicate_holds(code)?;
        if let (Some(hooks), Some(state)) = (&self.compiled.hooks, &self.hook_state)
            && hooks.covers(code)
        {
            let next =
                hooks.passed(code, state, &self.view()).map_err(|error| self.hook_failed(code, error))?;
            if next.is_some() {
                self.hook_state = next;
            }
        }
        Ok(holds)
    }

    /// Runs an action that hooks cover.
    pub(super) fn act(&mut self, code: CodeId) -> Result<(), Failure> {
        let (Some(hooks), Some(state)) = (&self.compiled.hooks, self.hook_state.take()) else {
            return Ok(());
        };
        let next = hooks.action(code, state, &self.view()).map_err(|error| self.hook_failed(code, error))?;
        self.hook_state = Some(next);
        Ok(())
    }

    /// Asks the covered predicates that a decision reaches before its first token, and tells prediction their answers.
    /// Returns a number for the combination of answers.
    pub(super) fn ask_predicates(&mut self, decision: u32) -> Result<u64, Failure> {
        let Some(hooks) = &self.compiled.hooks else { return Ok(0) };
        let precedence = self.frame().precedence;
        let network = &self.compiled.network;
        let codes = self.learned.predictor.predicates_of(network, decision, precedence);
        let mut answers = 0_u64;
        for code in codes.iter().filter(|code| hooks.covers(**code)) {
            let holds = self.predicate_holds(*code)?;
            self.learned.predictor.set_code(*code, holds);
            answers = (answers.rotate_left(1) ^ u64::from(holds)).wrapping_mul(0x517c_c1b7_2722_0a95) | 1;
        }
        Ok(answers)
    }

    fn view(&self) -> ParserView<'_> {
        ParserView {
            compiled: self.compiled,
            input: self.input,
            at: self.at,
            frames: &self.frames,
            state: self.state,
        }
    }

    fn hook_failed(&self, code: CodeId, error: HookError) -> Failure {
        let (line, column) = Positions::new(self.input.text).human(self.offset(self.at));
        let code = self.compiled.grammar.code(code).text.trim().to_owned();
        Failure::Stopped(ParseError::Hook { code, message: error.message, line, column })
    }
}
