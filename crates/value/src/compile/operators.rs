//! Operators, and conditions as jumps.
//!
//! A comparison that decides a branch becomes a test and a jump; nothing makes a Boolean of it. Small constants stand
//! in the instruction.

use super::Unit;
use crate::code::{Ins, Reg};
use crate::core::{Core, CoreId};
use crate::syntax::Op;
use crate::value::Value;
use polysmith_source::Span;

impl Unit<'_> {
    pub(super) fn op(&mut self, op: Op, args: &[CoreId], dst: Reg, span: Span) {
        match op {
            Op::And | Op::Or => {
                let mut ends = Vec::new();
                for (at, arg) in args.iter().enumerate() {
                    self.expr(*arg, dst);
                    if at + 1 < args.len() {
                        let jump = if op == Op::And {
                            Ins::JumpUnless { src: dst, to: 0 }
                        } else {
                            Ins::JumpIf { src: dst, to: 0 }
                        };
                        ends.push(self.emit(jump, span));
                    }
                }
                self.land_all(ends);
            }
            Op::Not | Op::IsNil | Op::Int | Op::Len | Op::Neg => {
                let src = self.operand(args[0]);
                if op == Op::Neg {
                    let zero = self.alloc(span);
                    let constant = self.program.constant(Value::Int(0));
                    self.emit(Ins::Const { dst: zero, constant }, span);
                    self.emit(Ins::Sub { dst, a: zero, b: src }, span);
                    return;
                }
                self.emit(
                    match op {
                        Op::Not => Ins::Not { dst, src },
                        Op::IsNil => Ins::IsNil { dst, src },
                        Op::Int => Ins::ToInt { dst, src },
                        _ => Ins::Len { dst, src },
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

    fn binary(&mut self, op: Op, dst: Reg, a: Reg, right: CoreId, span: Span) {
        if let Some(number) = self.small_int(right)
            && let Some(number) = match op {
                Op::Add => Some(number),
                Op::Sub => number.checked_neg(),
                _ => None,
            }
        {
            self.emit(Ins::AddInt { dst, a, number }, span);
            return;
        }
        let b = self.operand(right);
        let ins = match op {
            Op::Sub => Ins::Sub { dst, a, b },
            Op::Mul => Ins::Mul { dst, a, b },
            Op::Div => Ins::Div { dst, a, b },
            Op::Mod => Ins::Mod { dst, a, b },
            Op::Eq => Ins::Eq { dst, a, b },
            Op::Ne => Ins::Ne { dst, a, b },
            Op::Lt => Ins::Lt { dst, a, b },
            Op::Gt => Ins::Lt { dst, a: b, b: a },
            Op::Le => Ins::Le { dst, a, b },
            Op::Ge => Ins::Le { dst, a: b, b: a },
            Op::Max => Ins::Max { dst, a, b },
            Op::Min => Ins::Min { dst, a, b },
            _ => Ins::Add { dst, a, b },
        };
        self.emit(ins, span);
    }

    fn small_int(&self, id: CoreId) -> Option<i16> {
        match self.body.core(id) {
            Core::Const(Value::Int(integer)) => i16::try_from(*integer).ok(),
            _ => None,
        }
    }

    /// Jumps, to be landed, for when the condition is false.
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
                self.emit(Ins::TestBelow { src, number }, span);
                self.emit(Ins::Jump { to: 0 }, span)
            }
            Core::Op(Op::Eq, args) if self.small_int(args[1]).is_some() => {
                let (src, number) = (self.operand(args[0]), self.small_int(args[1]).unwrap_or_default());
                self.emit(Ins::TestInt { src, number }, span);
                self.emit(Ins::Jump { to: 0 }, span)
            }
            Core::Op(op @ (Op::Eq | Op::Ne | Op::Lt | Op::Gt | Op::Le | Op::Ge), args) => {
                let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                self.emit(
                    match op {
                        Op::Eq => Ins::TestEq { a, b },
                        Op::Ne => Ins::TestNe { a, b },
                        Op::Lt => Ins::TestLt { a, b },
                        Op::Gt => Ins::TestLt { a: b, b: a },
                        Op::Le => Ins::TestLe { a, b },
                        _ => Ins::TestLe { a: b, b: a },
                    },
                    span,
                );
                self.emit(Ins::Jump { to: 0 }, span)
            }
            _ => {
                let src = self.operand(condition);
                self.emit(Ins::JumpUnless { src, to: 0 }, span)
            }
        };
        self.top = top;
        vec![jump]
    }
}
