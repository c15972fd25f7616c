//! Checks built-in operators.

use super::TypeReason;
use super::body::{BodyChecker, Deferred};
use super::call::count;
use crate::codes;
use crate::core::{Core, CoreId};
use crate::syntax::{ExprId, Op};
use crate::types::{Need, Ty, TyCon, Types};
use crate::value::Value;
use polysmith_source::Span;

impl BodyChecker<'_> {
    pub(super) fn infer_op(&mut self, op: Op, args: &[ExprId], span: Span) -> (CoreId, Ty) {
        let (least, most) = op.arity();
        if args.len() < least || args.len() > most {
            let needed = count(least, "operand") + if least == most { "" } else { " or more" };
            let message = format!("`{}` takes {needed}, not {}", op.name(), args.len());
            self.out.error(codes::OPERANDS, span, message);
            for arg in args.iter() {
                self.infer(*arg);
            }
            return (self.constant(Value::Nil, span), Types::ERROR);
        }
        let why = TypeReason::because(format!("as an operand of `{}`", op.name()));
        let (args, ty) = match op {
            Op::And | Op::Or | Op::Not => (self.operands(args, Types::BOOL, &why), Types::BOOL),
            Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Neg => {
                (self.operands(args, Types::INT, &why), Types::INT)
            }
            Op::Int => (self.operands(args, Types::STRING, &why), Types::INT),
            Op::IsNil => (vec![self.nil_operand(args[0], &why)], Types::BOOL),
            Op::Len => (vec![self.len_operand(args[0])], Types::INT),
            Op::Add => self.sum(args),
            Op::Max | Op::Min => self.same(args),
            Op::Eq | Op::Ne | Op::Lt | Op::Gt | Op::Le | Op::Ge => (self.same(args).0, Types::BOOL),
        };
        (self.body.add(Core::Op(op, args), span), ty)
    }

    fn operands(&mut self, args: &[ExprId], ty: Ty, why: &TypeReason) -> Vec<CoreId> {
        args.iter().map(|arg| self.check(*arg, ty, why)).collect()
    }

    /// Checks operands of `+`: all integers or all strings.
    fn sum(&mut self, args: &[ExprId]) -> (Vec<CoreId>, Ty) {
        let (first, ty) = self.infer(args[0]);
        let fits = self.require(ty, Need { comparable: false, addable: true }, args[0]);
        let ty = if fits { ty } else { Types::ERROR };
        let at = self.arena()[args[0]].span;
        let why = TypeReason::at(at, "`+` joins strings or adds integers; this operand decides which");
        let rest = args[1..].iter().map(|arg| self.check(*arg, ty, &why));
        let all: Vec<CoreId> = std::iter::once(first).chain(rest).collect();
        (all, ty)
    }

    /// Checks two operands of the same comparable type. One of them may be `nil` or optional.
    fn same(&mut self, args: &[ExprId]) -> (Vec<CoreId>, Ty) {
        let (left, left_ty) = self.infer(args[0]);
        let (right, right_ty) = self.infer_with(args[1], Some(left_ty));
        let option = |ty| self.c.types.option_of(ty).is_some();
        let at = |at: usize| self.arena()[args[at]].span;
        let (both, ty) = if option(right_ty) && !option(left_ty) {
            let why = TypeReason::at(at(1), "it is compared with this");
            (vec![self.coerce(left, left_ty, right_ty, &why, args[0]), right], right_ty)
        } else {
            let why = TypeReason::at(at(0), "it is compared with this");
            (vec![left, self.coerce(right, right_ty, left_ty, &why, args[1])], left_ty)
        };
        self.require(ty, Need { comparable: true, addable: false }, args[0]);
        (both, ty)
    }

    fn require(&mut self, ty: Ty, need: Need, id: ExprId) -> bool {
        let Err(clash) = self.c.types.require(ty, need) else { return true };
        let span = self.arena()[id].span;
        self.c.mismatch(self.out, span, (ty, ty), &TypeReason::because(""), clash);
        if self.c.types.option_of(ty).is_some()
            && let Some(found) = self.out.iter_mut().last()
        {
            found.help(
                "the value may be `nil`: `match` it, or give a default with `(Option:or value default)`",
            );
        }
        false
    }

    /// Checks an operand that is compared with `nil`. Warns if its type is not optional.
    fn nil_operand(&mut self, arg: ExprId, why: &TypeReason) -> CoreId {
        let (core, ty) = self.infer(arg);
        self.retry_deferred();
        if self.c.types.shape(ty).is_some_and(|(con, _)| con != TyCon::Option) {
            let message = format!("a value of type `{}` is never `nil`", self.c.show(ty));
            let span = self.arena()[arg].span;
            self.out
                .warning(codes::NEVER_NIL, span, message)
                .help(format!("a value that may be `nil` has the type `{}?`", self.c.show(ty)));
            return self.wrap(core, span);
        }
        let inner = self.c.types.fresh();
        let option = self.c.types.con(TyCon::Option, &[inner]);
        self.coerce(core, ty, option, why, arg)
    }

    fn len_operand(&mut self, arg: ExprId) -> CoreId {
        let (core, ty) = self.infer(arg);
        let span = self.arena()[arg].span;
        self.retry_deferred();
        if self.c.types.is_free(ty) {
            self.deferred.push(Deferred::Len { ty, span });
        } else {
            self.decide_len(ty, span);
        }
        core
    }

    pub(super) fn decide_len(&mut self, ty: Ty, span: Span) {
        let fits = |con| matches!(con, TyCon::String | TyCon::List | TyCon::Set | TyCon::Map);
        if self.c.types.shape(ty).is_some_and(|(con, _)| !fits(con)) {
            let message = format!("`len` counts characters or items, but this is `{}`", self.c.show(ty));
            self.out.error(codes::MISMATCH, span, message);
        }
    }
}
