//! Resolves names, and checks calls of what they name.

use super::body::BodyChecker;
use super::{DeclaredKind, TypeReason};
use crate::codes;
use crate::core::{Core, CoreId, LocalId};
use crate::syntax::{ExprId, ExprKind, Name};
use crate::types::{Ty, TyCon, Types};
use crate::value::Value;
use polysmith_source::{Span, nearest};

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Local(LocalId, Ty),
    Function(u32),
    Constructor(u32),
    /// `Some`
    Some,
}

impl BodyChecker<'_> {
    /// Returns `Some` if an expression in parentheses is a call without arguments.
    pub(super) fn nullary(&self, id: ExprId) -> Option<()> {
        let target = match &self.arena()[id].kind {
            ExprKind::Name(name) => self.find(None, name, None),
            ExprKind::Qualified { module, name } => self.find(Some(module), name, None),
            _ => None,
        };
        let ty = match target? {
            Target::Function(function) => self.c.scheme_of(function).ty,
            Target::Local(_, ty) => ty,
            Target::Constructor(_) | Target::Some => return None,
        };
        self.c.types.shape(ty).filter(|(con, args)| *con == TyCon::Function && args.len() == 1).map(drop)
    }

    fn find(&self, module: Option<&Name>, name: &Name, hint: Option<Ty>) -> Option<Target> {
        let entry = &self.c.modules[self.module.0];
        let entry = match module {
            None => {
                if let Some(local) = self.scope.iter().rev().find(|local| local.name == name.text) {
                    return Some(Target::Local(local.id, local.ty));
                }
                entry
            }
            Some(module) if entry.syntax.name == module.text => entry,
            Some(module) => &self.c.modules[entry.uses.get(&module.text)?.0],
        };
        if let Some(function) = entry.functions.get(&name.text) {
            return Some(Target::Function(*function));
        }
        if module.is_none()
            && let Some(constructor) = hint.and_then(|ty| self.constructor_of(ty, &name.text))
        {
            return Some(Target::Constructor(constructor));
        }
        if let Some(constructor) = entry.constructors.get(&name.text) {
            return Some(Target::Constructor(*constructor));
        }
        (module.is_none() && &*name.text == "Some").then_some(Target::Some)
    }

    /// The constructor of this name, if the type is known to be a variant or the optional form of one.
    pub(super) fn constructor_of(&self, ty: Ty, name: &str) -> Option<u32> {
        let (TyCon::Declared(number), _) = self.c.types.shape(self.without_option(ty))? else { return None };
        let DeclaredKind::Variant { constructors } = &self.c.declared_of(number).kind else { return None };
        constructors.iter().copied().find(|at| *self.c.constructors[*at as usize].name == *name)
    }

    fn resolve(&mut self, module: Option<&Name>, name: &Name, hint: Option<Ty>) -> Option<Target> {
        let found = self.find(module, name, hint);
        if found.is_none() {
            self.report_unknown(module, name);
        }
        found
    }

    fn report_unknown(&mut self, module: Option<&Name>, name: &Name) {
        if let Some(module) = module {
            let Some(other) = self.c.find_module(self.module, module, self.out) else { return };
            let syntax = self.c.modules[other.0].syntax.clone();
            let message = format!("module `{}` has no function `{}`", module.text, name.text);
            let found = self.out.error(codes::UNKNOWN_NAME, name.span, message);
            let names = syntax.functions.iter().map(|decl| &*decl.name.text);
            if let Some(near) = nearest(&name.text, names) {
                found.help(format!("a function with a similar name exists: `{}:{near}`", module.text));
            }
            return;
        }
        let entry = &self.c.modules[self.module.0];
        let locals = self.scope.iter().map(|local| &*local.name);
        let functions = entry.syntax.functions.iter().map(|decl| &*decl.name.text);
        let constructors = self.c.constructors.iter().map(|constructor| &*constructor.name);
        let message = format!("`{}` is not defined", name.text);
        let near = nearest(&name.text, locals.chain(functions).chain(constructors));
        let found = self.out.error(codes::UNKNOWN_NAME, name.span, message);
        found.label("no variable, function or constructor has this name");
        if let Some(near) = near {
            found.help(format!("a similar name exists: `{near}`"));
        }
    }

    pub(super) fn infer_name(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        span: Span,
        hint: Option<Ty>,
    ) -> (CoreId, Ty) {
        match self.resolve(module, name, hint) {
            None => (self.constant(Value::Nil, span), Types::ERROR),
            Some(Target::Local(id, ty)) => (self.body.add(Core::Local(id), span), ty),
            Some(Target::Function(function)) => {
                let scheme = self.c.scheme_of(function);
                (self.body.add(Core::Function(function), span), self.c.types.instantiate(&scheme))
            }
            Some(Target::Constructor(constructor)) => {
                let (fields, ty) = self.constructor_type(constructor);
                let shape = self.c.constructors[constructor as usize].shape;
                if fields.is_empty() {
                    return (self.constant(Value::Tag(shape), span), ty);
                }
                let core = self.eta(fields.len(), span, |args| Core::Construct(shape, args));
                (core, self.c.types.function(&fields, ty))
            }
            Some(Target::Some) => {
                let inner = self.c.types.fresh();
                let ty = self.c.types.con(TyCon::Option, &[inner]);
                (self.eta(1, span, |args| Core::Some(args[0])), self.c.types.function(&[inner], ty))
            }
        }
    }

    /// Eta-expands a constructor, so that it can be used as a function value.
    fn eta(&mut self, params: usize, span: Span, make: impl FnOnce(Vec<CoreId>) -> Core) -> CoreId {
        let locals: Vec<LocalId> = (0..params).map(|_| self.body.local()).collect();
        let args = locals.iter().map(|local| self.body.add(Core::Local(*local), span)).collect();
        let body = self.body.add(make(args), span);
        self.body.add(Core::Lambda(locals, body), span)
    }

    /// Instantiates the types of a constructor's fields and of its result.
    pub(super) fn constructor_type(&mut self, constructor: u32) -> (Vec<Ty>, Ty) {
        let (owner, fields) = {
            let constructor = &self.c.constructors[constructor as usize];
            (constructor.owner, constructor.fields.clone())
        };
        let params = self.c.declared_of(owner).params;
        let args: Vec<Ty> = (0..params).map(|_| self.c.types.fresh()).collect();
        let fields = fields.iter().map(|field| self.c.types.substitute(*field, &args)).collect();
        (fields, self.c.types.con(TyCon::Declared(owner), &args))
    }

    pub(super) fn infer_call(
        &mut self,
        callee: ExprId,
        args: &[ExprId],
        span: Span,
        hint: Option<Ty>,
    ) -> (CoreId, Ty) {
        let syntax = self.syntax.clone();
        let (module, name) = match &syntax.arena[callee].kind {
            ExprKind::Name(name) => (None, name),
            ExprKind::Qualified { module, name } => (Some(module), name),
            _ => return self.infer_apply(callee, args, span),
        };
        match self.resolve(module, name, hint) {
            None => {
                for arg in args.iter() {
                    self.infer(*arg);
                }
                (self.constant(Value::Nil, span), Types::ERROR)
            }
            Some(Target::Local(..)) => self.infer_apply(callee, args, span),
            Some(Target::Function(function)) => self.call_function(function, args, span),
            Some(Target::Constructor(constructor)) => {
                let (fields, ty) = self.constructor_type(constructor);
                let shape = self.c.constructors[constructor as usize].shape;
                let at = self.c.constructors[constructor as usize].span;
                let whys =
                    vec![TypeReason::at(at, format!("`{}` is declared here", name.text)); fields.len()];
                let args = self.arguments(&name.text, args, &fields, &whys, span);
                let core = if fields.is_empty() {
                    Core::Const(Value::Tag(shape))
                } else {
                    Core::Construct(shape, args)
                };
                (self.body.add(core, span), ty)
            }
            Some(Target::Some) => {
                let inner = self.c.types.fresh();
                let args = self.arguments("Some", args, &[inner], &[TypeReason::because("")], span);
                let core = match args.first() {
                    Some(arg) => Core::Some(*arg),
                    None => Core::Const(Value::Nil),
                };
                (self.body.add(core, span), self.c.types.con(TyCon::Option, &[inner]))
            }
        }
    }

    fn call_function(&mut self, function: u32, args: &[ExprId], span: Span) -> (CoreId, Ty) {
        let scheme = self.c.scheme_of(function);
        let ty = self.c.types.instantiate(&scheme);
        let Some((_, parts)) = self.c.types.shape(ty) else {
            for arg in args.iter() {
                self.infer(*arg);
            }
            return (self.constant(Value::Nil, span), Types::ERROR);
        };
        let (result, params) = parts.split_last().expect("a function type has a result");
        let whys = self.parameter_whys(function);
        let name = self.c.functions[function as usize].name.clone();
        let mut args = self.arguments(&name, args, params, &whys, span);
        if self.c.functions[function as usize].native.is_some_and(|native| native.draws()) {
            let site = i64::from(self.c.random_sites);
            self.c.random_sites += 1;
            args.push(self.constant(Value::Int(site), span));
        }
        (self.body.add(Core::Call(function, args), span), *result)
    }

    fn parameter_whys(&self, function: u32) -> Vec<TypeReason> {
        let function = &self.c.functions[function as usize];
        let decl = &self.c.modules[function.module.0].syntax.functions[function.index];
        decl.params
            .iter()
            .map(|param| {
                TypeReason::at(
                    param.name.span,
                    format!("parameter `{}` of `{}`", param.name.text, decl.name.text),
                )
            })
            .collect()
    }

    /// Checks arguments against parameters. Reports an error if their numbers differ.
    fn arguments(
        &mut self,
        name: &str,
        args: &[ExprId],
        params: &[Ty],
        whys: &[TypeReason],
        span: Span,
    ) -> Vec<CoreId> {
        if args.len() != params.len() {
            let message = format!("`{name}` takes {}, not {}", count(params.len(), "argument"), args.len());
            let found = self.out.error(codes::ARGUMENTS, span, message);
            if let Some(why) = whys.first().and_then(|why| why.span) {
                found.also(why, format!("`{name}` is declared here"));
            }
            for arg in args.iter().skip(params.len()) {
                self.infer(*arg);
            }
        }
        let pairs = args.iter().zip(params).zip(whys);
        pairs.map(|((arg, ty), why)| self.check(*arg, *ty, why)).collect()
    }

    fn infer_apply(&mut self, callee: ExprId, args: &[ExprId], span: Span) -> (CoreId, Ty) {
        let at = self.arena()[callee].span;
        let (function, ty) = self.infer(callee);
        self.retry_deferred();
        match self.c.types.shape(ty) {
            Some((TyCon::Function, parts)) => {
                let (result, params) = parts.split_last().expect("a function type has a result");
                let whys = vec![TypeReason::at(at, format!("this is `{}`", self.c.show(ty))); params.len()];
                let args = self.arguments("this function", args, params, &whys, span);
                (self.body.add(Core::Apply(function, args), span), *result)
            }
            None if self.c.types.is_free(ty) => {
                let (args, types): (Vec<CoreId>, Vec<Ty>) = args.iter().map(|arg| self.infer(*arg)).unzip();
                let result = self.c.types.fresh();
                let wanted = self.c.types.function(&types, result);
                if let Err(clash) = self.c.types.unify(ty, wanted) {
                    self.c.mismatch(
                        self.out,
                        at,
                        (wanted, ty),
                        &TypeReason::because("to call it like this"),
                        clash,
                    );
                }
                (self.body.add(Core::Apply(function, args), span), result)
            }
            known => {
                for arg in args.iter() {
                    self.infer(*arg);
                }
                if known.is_some() {
                    let message = format!("`{}` is not a function", self.c.show(ty));
                    let found = self.out.error(codes::NOT_A_FUNCTION, at, message);
                    found.label("parentheses call the first thing in them");
                }
                (self.constant(Value::Nil, span), Types::ERROR)
            }
        }
    }
}

/// Formats a number with a noun: "1 argument", "2 arguments".
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
