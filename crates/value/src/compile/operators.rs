//! Compiles operators, and conditions as jumps.
//!
//! A comparison that decides a branch becomes a test and a jump, without a Boolean value. Small constants are encoded
//! in the instruction.

use super::FunctionCompiler;
use crate::code::{Instruction, Register};
use crate::core::{Core, CoreId};
use crate::syntax::Op;
use crate::value::Value;
use polysmith_source::Span;

impl FunctionCompiler<'_> {
    pub(super) fn op(&mut self, op: Op, args: &[CoreId], dst: Register, span: Span) {
        match op {
            Op::And | Op::Or => {
                let mut ends = Vec::new();
                for (at, arg) in args.iter().enumerate() {
                    self.expr(*arg, dst);
                    if at + 1 < args.len() {
                        let jump = if op == Op::And {
                            Instruction::JumpUnless { src: dst, to: 0 }
                        } else {
                            Instruction::JumpIf { src: dst, to: 0 }
                        };
                        ends.push(self.emit(jump, span));
                    }
                }
                self.patch_jumps(ends);
            }
            Op::Not | Op::IsNil | Op::Int | Op::Len | Op::Neg => {
                let src = self.operand(args[0]);
                if op == Op::Neg {
                    let zero = self.alloc(span);
                    let constant = self.program.constant(Value::Int(0));
                    self.emit(Instruction::Const { dst: zero, constant }, span);
                    self.emit(Instruction::Sub { dst, a: zero, b: src }, span);
                    return;
                }
                self.emit(
                    match op {
                        Op::Not => Instruction::Not { dst, src },
                        Op::IsNil => Instruction::IsNil { dst, src },
                        Op::Int => Instruction::ToInt { dst, src },
                        _ => Instruction::Len { dst, src },
                    },
                    span,
                );
            }
            _ => {
                let mut a = self.operand(args[0]);
                for arg in &args[1..] {
                    self.binary(op, dst, a, *arg, span);
                    a = dst;
                }
            }
        }
    }

    fn binary(&mut self, op: Op, dst: Register, a: Register, right: CoreId, span: Span) {
        if let Some(number) = self.small_int(right)
            && let Some(number) = match op {
                Op::Add => Some(number),
                Op::Sub => number.checked_neg(),
                _ => None,
            }
        {
            self.emit(Instruction::AddInt { dst, a, number }, span);
            return;
        }
        let b = self.operand(right);
        let ins = match op {
            Op::Sub => Instruction::Sub { dst, a, b },
            Op::Mul => Instruction::Mul { dst, a, b },
            Op::Div => Instruction::Div { dst, a, b },
            Op::Mod => Instruction::Mod { dst, a, b },
            Op::Eq => Instruction::Eq { dst, a, b },
            Op::Ne => Instruction::Ne { dst, a, b },
            Op::Lt => Instruction::Lt { dst, a, b },
            Op::Gt => Instruction::Lt { dst, a: b, b: a },
            Op::Le => Instruction::Le { dst, a, b },
            Op::Ge => Instruction::Le { dst, a: b, b: a },
            Op::Max => Instruction::Max { dst, a, b },
            Op::Min => Instruction::Min { dst, a, b },
            _ => Instruction::Add { dst, a, b },
        };
        self.emit(ins, span);
    }

    fn small_int(&self, id: CoreId) -> Option<i16> {
        match self.body.core(id) {
            Core::Const(Value::Int(integer)) => i16::try_from(*integer).ok(),
            _ => None,
        }
    }

    /// Emits jumps that are taken if the condition is false. The caller sets their target.
    pub(super) fn unless(&mut self, condition: CoreId) -> Vec<usize> {
        let top = self.top;
        let span = self.body.span(condition);
        let body = self.body;
        let jump = match body.core(condition) {
            Core::Op(Op::And, parts) => {
                let jumps = parts.iter().flat_map(|part| self.unless(*part)).collect();
                self.top = top;
                return jumps;
            }
            Core::Op(Op::Lt, args) if self.small_int(args[1]).is_some() => {
                let (src, number) = (self.operand(args[0]), self.small_int(args[1]).unwrap_or_default());
                self.emit(Instruction::TestBelow { src, number }, span);
                self.emit(Instruction::Jump { to: 0 }, span)
            }
            Core::Op(Op::Eq, args) if self.small_int(args[1]).is_some() => {
                let (src, number) = (self.operand(args[0]), self.small_int(args[1]).unwrap_or_default());
                self.emit(Instruction::TestInt { src, number }, span);
                self.emit(Instruction::Jump { to: 0 }, span)
            }
            Core::Op(op @ (Op::Eq | Op::Ne | Op::Lt | Op::Gt | Op::Le | Op::Ge), args) => {
                let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                self.emit(
                    match op {
                        Op::Eq => Instruction::TestEq { a, b },
                        Op::Ne => Instruction::TestNe { a, b },
                        Op::Lt => Instruction::TestLt { a, b },
                        Op::Gt => Instruction::TestLt { a: b, b: a },
                        Op::Le => Instruction::TestLe { a, b },
                        _ => Instruction::TestLe { a: b, b: a },
                    },
                    span,
                );
                self.emit(Instruction::Jump { to: 0 }, span)
            }
            _ => {
                let src = self.operand(condition);
                self.emit(Instruction::JumpUnless { src, to: 0 }, span)
            }
        };
        self.top = top;
        vec![jump]
    }
}
