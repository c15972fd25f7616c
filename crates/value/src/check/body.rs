//! Checks one body, bidirectionally: expressions to resolved expressions.
//!
//! `infer` finds a type; `check` propagates an expected type to the branches, fields and parameters inside. Checking is
//! where a `T` becomes a `T?`, an anonymous function gets its parameter types, and a record literal its type. Recursion
//! follows the syntax, which nests at most [`crate::syntax::MAX_NESTING`] levels.

use super::annotation::TypeParams;
use super::{Checker, External, ModuleId, TypeReason};
use crate::codes;
use crate::core::{Body, Core, CoreId, LocalId};
use crate::syntax::{Arena, ExprId, ExprKind, ExternalId, Module, Name, Param, TypeId};
use crate::types::{Ty, TyCon, TyNode, Types};
use crate::value::Value;
use dashu_int::IBig;
use polysmith_source::{Diagnostics, Span};
use std::str::FromStr;
use std::sync::Arc;

pub(super) struct BodyChecker<'c> {
    pub(super) c: &'c mut Checker,
    pub(super) out: &'c mut Diagnostics,
    pub(super) module: ModuleId,
    pub(super) syntax: Arc<Module>,
    pub(super) body: Body,
    pub(super) scope: Vec<Local>,
    pub(super) deferred: Vec<Deferred>,
    /// Whether an error was reported in a pattern, so that its coverage is unknown.
    pub(super) lost: bool,
    externals: &'c mut dyn FnMut(ExternalId) -> External,
}

pub(super) struct Local {
    pub(super) name: Arc<str>,
    pub(super) id: LocalId,
    pub(super) ty: Ty,
}

/// A constraint that could not be resolved yet.
pub(super) enum Deferred {
    /// A field access on a type that is not known to be a record yet.
    Field { node: CoreId, base: Ty, field: Name, result: Ty },
    /// The operand of `len`.
    Len { ty: Ty, span: Span },
}

impl<'c> BodyChecker<'c> {
    pub(super) fn new(
        c: &'c mut Checker,
        module: ModuleId,
        externals: &'c mut dyn FnMut(ExternalId) -> External,
        out: &'c mut Diagnostics,
    ) -> BodyChecker<'c> {
        let syntax = c.modules[module.0].syntax.clone();
        let (body, scope, deferred) = (Body::default(), Vec::new(), Vec::new());
        BodyChecker { c, out, module, syntax, body, scope, deferred, lost: false, externals }
    }

    /// Declares a local variable.
    pub(super) fn bind(&mut self, name: &Name, ty: Ty) -> LocalId {
        let id = self.body.local();
        self.scope.push(Local { name: name.text.clone(), id, ty });
        id
    }

    /// Ends the parameters: all variables bound so far are parameters.
    pub(super) fn params_done(&mut self) {
        self.body.params = self.body.locals;
    }

    pub(super) fn finish(mut self, root: CoreId) -> Body {
        self.resolve_deferred();
        self.body.root = Some(root);
        self.body
    }

    pub(super) fn infer(&mut self, id: ExprId) -> (CoreId, Ty) {
        self.infer_with(id, None)
    }

    /// Checks an expression against a type.
    pub(super) fn check(&mut self, id: ExprId, ty: Ty, why: &TypeReason) -> CoreId {
        let syntax = self.syntax.clone();
        let expr = &syntax.arena[id];
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                let condition = self.check_condition(*condition);
                let then = self.check(*then, ty, why);
                let otherwise = self.check(*otherwise, ty, why);
                self.body.add(Core::If(condition, then, otherwise), expr.span)
            }
            ExprKind::Match { subject, arms } => self.check_match(*subject, arms, ty, why, expr.span),
            ExprKind::Let { pattern, annotation, value, body } => {
                let binding = self.open_let(*pattern, *annotation, *value);
                let inside = self.check(*body, ty, why);
                self.close_let(binding, inside, expr.span)
            }
            ExprKind::Lambda { params, body } if self.function_params(ty) == Some(params.len()) => {
                self.check_lambda(params, *body, ty, why, expr.span)
            }
            ExprKind::Record(fields) => self.check_record(fields, ty, why, expr.span),
            ExprKind::List(items) => match self.c.types.shape(self.without_option(ty)) {
                Some((TyCon::List, args)) => {
                    let items = items.iter().map(|item| self.check(*item, args[0], why)).collect();
                    let list = self.body.add(Core::List(items), expr.span);
                    if self.c.types.option_of(ty).is_some() { self.wrap(list, expr.span) } else { list }
                }
                _ => self.check_inferred(id, ty, why),
            },
            ExprKind::Tuple(items) => match self.c.types.shape(ty) {
                Some((TyCon::Tuple, args)) if args.len() == items.len() => {
                    let pairs = items.iter().zip(args.iter());
                    let items = pairs.map(|(item, ty)| self.check(*item, *ty, why)).collect();
                    self.body.add(Core::Construct(crate::value::TUPLE, items), expr.span)
                }
                _ => self.check_inferred(id, ty, why),
            },
            ExprKind::Paren(inner) if self.nullary(*inner).is_none() => self.check(*inner, ty, why),
            _ => self.check_inferred(id, ty, why),
        }
    }

    fn check_inferred(&mut self, id: ExprId, ty: Ty, why: &TypeReason) -> CoreId {
        let (core, found) = self.infer_with(id, Some(ty));
        self.coerce(core, found, ty, why, id)
    }

    /// Converts a value to the expected type: the same type, or its optional form.
    pub(super) fn coerce(
        &mut self,
        core: CoreId,
        found: Ty,
        expected: Ty,
        why: &TypeReason,
        id: ExprId,
    ) -> CoreId {
        let span = self.syntax.arena[id].span;
        let (target, wrap) = match self.c.types.option_of(expected) {
            Some(inner) if self.is_plain(found) => (inner, true),
            _ => (expected, false),
        };
        if let Err(clash) = self.c.types.unify(target, found) {
            let declared = match &self.syntax.arena[id].kind {
                ExprKind::External(external) => (self.externals)(*external).declared,
                _ => None,
            };
            let report = self.c.mismatch(self.out, span, (expected, found), why, clash);
            if let Some((at, text)) = declared {
                report.also(at, text);
            }
        }
        if wrap { self.wrap(core, span) } else { core }
    }

    pub(super) fn wrap(&mut self, core: CoreId, span: Span) -> CoreId {
        self.body.add(Core::Some(core), span)
    }

    /// Whether the type is known and not optional.
    fn is_plain(&self, ty: Ty) -> bool {
        match self.c.types.node(ty) {
            TyNode::Apply(con, _) => *con != TyCon::Option,
            TyNode::Rigid(_) | TyNode::Quantified(_) => true,
            TyNode::Free(_) | TyNode::Link(_) | TyNode::Error => false,
        }
    }

    /// Returns `T` for `T?`, any other type unchanged.
    pub(super) fn without_option(&self, ty: Ty) -> Ty {
        self.c.types.option_of(ty).unwrap_or(ty)
    }

    /// Infers the type. `hint` is the expected type; it only resolves which constructor an unqualified name means.
    pub(super) fn infer_with(&mut self, id: ExprId, hint: Option<Ty>) -> (CoreId, Ty) {
        let syntax = self.syntax.clone();
        let expr = &syntax.arena[id];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(digits) => (self.constant(integer(digits), span), Types::INT),
            ExprKind::Str(text) => (self.constant(Value::string(text), span), Types::STRING),
            ExprKind::Bool(truth) => (self.constant(Value::Bool(*truth), span), Types::BOOL),
            ExprKind::Nil => {
                let inner = self.c.types.fresh();
                (self.constant(Value::Nil, span), self.c.types.con(TyCon::Option, &[inner]))
            }
            ExprKind::Name(name) => self.infer_name(None, name, span, hint),
            ExprKind::Qualified { module, name } => self.infer_name(Some(module), name, span, hint),
            ExprKind::Call { callee, args } => self.infer_call(*callee, args, span, hint),
            ExprKind::Paren(inner) => match self.nullary(*inner) {
                Some(()) => self.infer_call(*inner, &[], span, hint),
                None => self.infer_with(*inner, hint),
            },
            ExprKind::Op { op, args } => self.infer_op(*op, args, span),
            ExprKind::If { condition, then, otherwise } => self.infer_if(*condition, *then, *otherwise, span),
            ExprKind::Match { subject, arms } => {
                let bodies: Vec<ExprId> = arms.iter().map(|arm| arm.body).collect();
                let ty = self.branch_type(&bodies);
                let why = TypeReason::because("as in the other arms");
                (self.check_match(*subject, arms, ty, &why, span), ty)
            }
            ExprKind::Let { pattern, annotation, value, body } => {
                let binding = self.open_let(*pattern, *annotation, *value);
                let (inside, ty) = self.infer_with(*body, hint);
                (self.close_let(binding, inside, span), ty)
            }
            ExprKind::Lambda { params, body } => self.infer_lambda(params, *body, span),
            ExprKind::Field { base, field } => self.infer_field(*base, field, span),
            ExprKind::Record(fields) => self.infer_record(fields, span),
            ExprKind::Update { base, fields } => self.infer_update(*base, fields, span),
            ExprKind::List(items) => {
                let item = self.branch_type(items);
                let why = TypeReason::because("like the items before it");
                let items = items.iter().map(|id| self.check(*id, item, &why)).collect();
                (self.body.add(Core::List(items), span), self.c.types.con(TyCon::List, &[item]))
            }
            ExprKind::Tuple(items) => {
                let (items, types): (Vec<CoreId>, Vec<Ty>) = items.iter().map(|id| self.infer(*id)).unzip();
                let core = self.body.add(Core::Construct(crate::value::TUPLE, items), span);
                (core, self.c.types.con(TyCon::Tuple, &types))
            }
            ExprKind::External(external) => {
                let ty = (self.externals)(*external).ty;
                (self.body.add(Core::External(*external), span), ty)
            }
            ExprKind::Error => (self.constant(Value::Nil, span), Types::ERROR),
        }
    }

    pub(super) fn constant(&mut self, value: Value, span: Span) -> CoreId {
        self.body.add(Core::Const(value), span)
    }

    pub(super) fn arena(&self) -> &Arena {
        &self.syntax.arena
    }

    pub(super) fn check_condition(&mut self, id: ExprId) -> CoreId {
        self.check(id, Types::BOOL, &TypeReason::because("as a condition"))
    }

    fn infer_if(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, span: Span) -> (CoreId, Ty) {
        let condition = self.check_condition(condition);
        let ty = self.branch_type(&[then, otherwise]);
        let first = self.arena()[then].span;
        let then = self.check(then, ty, &TypeReason::because("in both branches"));
        let otherwise =
            self.check(otherwise, ty, &TypeReason::at(first, "the other branch decides the type"));
        (self.body.add(Core::If(condition, then, otherwise), span), ty)
    }

    /// Creates the common type of branches. It is optional if one branch is literally `nil`.
    fn branch_type(&mut self, branches: &[ExprId]) -> Ty {
        let ty = self.c.types.fresh();
        let nil = branches.iter().any(|id| self.arena()[*id].kind == ExprKind::Nil);
        if nil { self.c.types.con(TyCon::Option, &[ty]) } else { ty }
    }

    /// The number of parameters, if the type is known to be a function type.
    fn function_params(&self, ty: Ty) -> Option<usize> {
        match self.c.types.shape(ty) {
            Some((TyCon::Function, args)) => Some(args.len() - 1),
            _ => None,
        }
    }

    fn check_lambda(
        &mut self,
        params: &[Param],
        body: ExprId,
        ty: Ty,
        why: &TypeReason,
        span: Span,
    ) -> CoreId {
        let (_, parts) = self.c.types.shape(ty).expect("known to be a function");
        let (result, types) = parts.split_last().expect("a function type has a result");
        let depth = self.scope.len();
        let mut locals = Vec::new();
        for (param, ty) in params.iter().zip(types) {
            if let Some(annotation) = param.annotation {
                let written = self.annotation(annotation);
                if let Err(clash) = self.c.types.unify(*ty, written) {
                    self.c.mismatch(self.out, param.name.span, (*ty, written), why, clash);
                }
            }
            locals.push(self.bind(&param.name, *ty));
        }
        let body = self.check(body, *result, why);
        self.scope.truncate(depth);
        self.body.add(Core::Lambda(locals, body), span)
    }

    fn infer_lambda(&mut self, params: &[Param], body: ExprId, span: Span) -> (CoreId, Ty) {
        let depth = self.scope.len();
        let mut types = Vec::new();
        let mut locals = Vec::new();
        for param in params {
            let ty = match param.annotation {
                Some(annotation) => self.annotation(annotation),
                None => self.c.types.fresh(),
            };
            types.push(ty);
            locals.push(self.bind(&param.name, ty));
        }
        let (body, result) = self.infer(body);
        self.scope.truncate(depth);
        (self.body.add(Core::Lambda(locals, body), span), self.c.types.function(&types, result))
    }

    pub(super) fn annotation(&mut self, id: TypeId) -> Ty {
        let syntax = self.syntax.clone();
        self.c.resolve_type(self.module, &syntax.arena, id, &mut TypeParams::Forbidden, self.out)
    }

    /// Resolves the deferred constraints whose types are known by now.
    pub(super) fn retry_deferred(&mut self) {
        loop {
            let before = self.deferred.len();
            for deferred in std::mem::take(&mut self.deferred) {
                match deferred {
                    Deferred::Field { node, base, field, result } if !self.c.types.is_free(base) => {
                        self.decide_field(node, base, &field, result);
                    }
                    Deferred::Len { ty, span } if !self.c.types.is_free(ty) => self.decide_len(ty, span),
                    deferred => self.deferred.push(deferred),
                }
            }
            if self.deferred.is_empty() || self.deferred.len() == before {
                return;
            }
        }
    }

    /// Resolves all deferred constraints: a field that only one record type has determines the record.
    fn resolve_deferred(&mut self) {
        loop {
            self.retry_deferred();
            if self.deferred.is_empty() {
                return;
            }
            match self.deferred.remove(0) {
                Deferred::Field { node, base, field, result } => {
                    self.guess_record(base, &[&field], field.span);
                    self.decide_field(node, base, &field, result);
                }
                Deferred::Len { span, .. } => {
                    let message = "`len` of a value whose type is not known";
                    self.out.error(codes::WHICH_RECORD, span, message).help(
                        "annotate the parameter or variable: `String`, `List(T)`, `Set(T)` or `Map(K, V)`",
                    );
                }
            }
        }
    }
}

/// Parses decimal digits that the lexer accepted.
pub(super) fn integer(digits: &str) -> Value {
    match digits.parse::<i64>() {
        Ok(small) => Value::Int(small),
        Err(_) => IBig::from_str(digits).map_or(Value::Int(0), Value::big),
    }
}
