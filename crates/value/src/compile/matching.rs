//! Compiles `match`: the tests of each arm in order; a failed test jumps to the next arm.

use super::FunctionCompiler;
use super::liveness::binders;
use crate::code::{Instruction, Register};
use crate::core::{Arm, Core, CoreId, ResolvedPattern};
use polysmith_source::Span;
use rustc_hash::FxHashSet;

/// The register of a matched value, and whether a variable may be bound to the register itself.
#[derive(Clone, Copy)]
struct Subject {
    register: Register,
    /// Whether the register is a temporary of this match, which nothing else moves.
    is_temporary: bool,
}

impl FunctionCompiler<'_> {
    /// Compiles a match. The value of the first matching arm is stored in `dst` or, without `dst`, returned.
    pub(super) fn matching(&mut self, subject: CoreId, arms: &[Arm], dst: Option<Register>, span: Span) {
        let is_temporary = !matches!(self.body.core(subject), Core::Local(_));
        let subject = Subject { register: self.operand(subject), is_temporary };
        let mut ends = Vec::new();
        let mut open = true;
        for arm in arms {
            let top = self.top;
            let mut fails = Vec::new();
            // A condition may move what the pattern binds and then be false; the next arm still needs the subject.
            let subject =
                Subject { is_temporary: subject.is_temporary && arm.condition.is_none(), ..subject };
            self.test_pattern(&arm.pattern, subject, &mut fails, span);
            if let Some(condition) = arm.condition {
                fails.extend(self.unless(condition));
            }
            match dst {
                Some(dst) => {
                    self.expr(arm.body, dst);
                    ends.push(self.emit(Instruction::Jump { to: 0 }, span));
                }
                None => self.tail(arm.body),
            }
            self.top = top;
            open = !fails.is_empty();
            self.patch_jumps(fails);
            if !open {
                break;
            }
        }
        if open {
            self.emit(Instruction::NoArm, span);
        }
        self.patch_jumps(ends);
    }

    /// Emits the tests of a pattern and binds its variables. Adds the jumps of failed tests to `fails`.
    fn test_pattern(
        &mut self,
        pattern: &ResolvedPattern,
        subject: Subject,
        fails: &mut Vec<usize>,
        span: Span,
    ) {
        let src = subject.register;
        match pattern {
            ResolvedPattern::Any => {}
            ResolvedPattern::Bind(local) => {
                if let Some(dst) = self.registers.get(local).copied() {
                    self.emit(Instruction::Copy { dst, src }, span);
                } else if subject.is_temporary {
                    self.registers.insert(*local, src);
                } else {
                    let dst = self.alloc(span);
                    self.emit(Instruction::Copy { dst, src }, span);
                    self.registers.insert(*local, dst);
                }
            }
            ResolvedPattern::Const(value) => {
                let constant = self.program.constant(value.clone());
                self.test(Instruction::TestConst { src, constant }, fails, span);
            }
            ResolvedPattern::Some(inner) => {
                self.test(Instruction::TestSome { src }, fails, span);
                self.test_part(inner, |dst| Instruction::Unwrap { dst, src }, fails, span);
            }
            ResolvedPattern::Data(shape, fields) => {
                if self.tested.contains(shape) {
                    self.test(Instruction::TestShape { src, shape: *shape }, fails, span);
                }
                for (index, field) in fields.iter().enumerate() {
                    let index = self.small(index, span);
                    self.test_part(field, |dst| Instruction::Field { dst, src, index }, fails, span);
                }
            }
            ResolvedPattern::List(items, rest) => {
                let len = self.small(items.len(), span);
                self.test(Instruction::TestLen { src, len, more: rest.is_some() }, fails, span);
                for (index, item) in items.iter().enumerate() {
                    let index = self.small(index, span);
                    self.test_part(item, |dst| Instruction::Item { dst, src, index }, fails, span);
                }
                if let Some(rest) = rest {
                    self.test_part(rest, |dst| Instruction::Rest { dst, src, from: len }, fails, span);
                }
            }
            ResolvedPattern::Or(choices) => self.choices(choices, subject, fails, span),
        }
    }

    fn test(&mut self, test: Instruction, fails: &mut Vec<usize>, span: Span) {
        self.emit(test, span);
        fails.push(self.emit(Instruction::Jump { to: 0 }, span));
    }

    fn test_part(
        &mut self,
        pattern: &ResolvedPattern,
        load: impl Fn(Register) -> Instruction,
        fails: &mut Vec<usize>,
        span: Span,
    ) {
        if !matches!(pattern, ResolvedPattern::Any) {
            let register = self.alloc(span);
            self.emit(load(register), span);
            self.test_pattern(pattern, Subject { register, is_temporary: true }, fails, span);
        }
    }

    /// All alternatives bind the same variables, so these get their registers first.
    fn choices(&mut self, choices: &[ResolvedPattern], subject: Subject, fails: &mut Vec<usize>, span: Span) {
        let mut bound = FxHashSet::default();
        choices.iter().for_each(|choice| binders(choice, &mut bound));
        let mut bound: Vec<u32> = bound.into_iter().map(|local| local.0).collect();
        bound.sort_unstable();
        for local in bound {
            let register = self.alloc(span);
            self.registers.insert(crate::core::LocalId(local), register);
        }
        let mut ends = Vec::new();
        for (at, choice) in choices.iter().enumerate() {
            let mut misses = Vec::new();
            self.test_pattern(choice, subject, &mut misses, span);
            if at + 1 < choices.len() {
                ends.push(self.emit(Instruction::Jump { to: 0 }, span));
                self.patch_jumps(misses);
            } else {
                fails.append(&mut misses);
            }
        }
        self.patch_jumps(ends);
    }
}
