//! Checks patterns, `match` and `let`.
//!
//! A pattern of type `T` also matches a `T?` that is not `nil`. After an arm for `nil`, a variable has type `T`.

use super::TypeReason;
use super::body::{BodyChecker, integer};
use super::call::count;
use super::exhaustive::Cover;
use crate::codes;
use crate::core::{Arm, Core, CoreId, LocalId, ResolvedPattern};
use crate::syntax::{self, ExprId, FieldPattern, Name, PatternId, PatternKind, TypeId};
use crate::types::{Ty, TyCon, Types};
use crate::value::{TUPLE, Value};
use polysmith_source::Span;

/// A `let` whose body is not checked yet.
pub(super) struct Binding {
    resolved: ResolvedPattern,
    value: CoreId,
    /// The number of names that were visible before it.
    depth: usize,
}

impl BodyChecker<'_> {
    pub(super) fn open_let(
        &mut self,
        pattern: PatternId,
        annotation: Option<TypeId>,
        value: ExprId,
    ) -> Binding {
        let (value, ty) = match annotation {
            Some(annotation) => {
                let ty = self.annotation(annotation);
                let why = TypeReason::at(self.arena()[annotation].span, "the type written here");
                (self.check(value, ty, &why), ty)
            }
            None => self.infer(value),
        };
        let depth = self.scope.len();
        let resolved = self.pattern(pattern, ty);
        let span = self.arena()[pattern].span;
        let help = "use `match`, with an arm for the other values";
        self.report_cover(&[&resolved], span, "the pattern of a `let` must match every value", help);
        Binding { resolved, value, depth }
    }

    pub(super) fn close_let(&mut self, binding: Binding, body: CoreId, span: Span) -> CoreId {
        self.scope.truncate(binding.depth);
        let core = match binding.resolved {
            ResolvedPattern::Bind(local) => Core::Let(local, binding.value, body),
            pattern => Core::Match(binding.value, vec![Arm { pattern, condition: None, body }]),
        };
        self.body.add(core, span)
    }

    pub(super) fn check_match(
        &mut self,
        subject: ExprId,
        arms: &[syntax::Arm],
        ty: Ty,
        why: &TypeReason,
        span: Span,
    ) -> CoreId {
        let at = self.arena()[subject].span;
        let lost = std::mem::take(&mut self.lost);
        let (subject, mut subject_ty) = self.infer(subject);
        self.retry_deferred();
        let (mut checked, mut beyond_nil): (Vec<Arm>, bool) = (Vec::new(), false);
        for arm in arms {
            let depth = self.scope.len();
            let mut pattern = self.pattern(arm.pattern, subject_ty);
            let lost = self.lost;
            if beyond_nil {
                pattern = ResolvedPattern::Some(Box::new(pattern));
            }
            let condition = arm.condition.map(|condition| self.check_condition(condition));
            let body = self.check(arm.body, ty, why);
            self.lost = lost;
            self.scope.truncate(depth);
            let is_nil = self.arena()[arm.pattern].kind == PatternKind::Nil && condition.is_none();
            checked.push(Arm { pattern, condition, body });
            if is_nil && !beyond_nil {
                self.retry_deferred();
                if let Some(inner) = self.c.types.option_of(subject_ty) {
                    (subject_ty, beyond_nil) = (inner, true);
                }
            }
        }
        if !self.lost {
            self.report_unreachable(&checked, arms);
            let sure = checked.iter().filter(|arm| arm.condition.is_none());
            let patterns: Vec<&ResolvedPattern> = sure.map(|arm| &arm.pattern).collect();
            let help = "add an arm for it, or `_ -> …` for everything else";
            self.report_cover(&patterns, at, "this `match` does not cover all values", help);
        }
        self.lost = lost;
        self.body.add(Core::Match(subject, checked), span)
    }

    fn report_unreachable(&mut self, checked: &[Arm], arms: &[syntax::Arm]) {
        let mut above: Vec<&ResolvedPattern> = Vec::new();
        for (arm, written) in checked.iter().zip(arms) {
            if Cover::new(self.c).is_covered(&above, &arm.pattern) {
                let span = self.arena()[written.pattern].span;
                let message = "the arms above cover everything that this one covers";
                self.out.warning(codes::UNREACHABLE, span, message);
            }
            if arm.condition.is_none() {
                above.push(&arm.pattern);
            }
        }
    }

    fn report_cover(&mut self, patterns: &[&ResolvedPattern], span: Span, message: &str, help: &str) {
        if let Some(missing) = Cover::new(self.c).missing(patterns) {
            let found =
                self.out.error(codes::NOT_EXHAUSTIVE, span, format!("{message}: `{missing}` is missing"));
            found.help(help);
        }
    }

    /// Resolves a pattern against the type of the matched value, and binds its variables.
    fn pattern(&mut self, id: PatternId, ty: Ty) -> ResolvedPattern {
        let syntax = self.syntax.clone();
        let pattern = &syntax.arena[id];
        let is_plain = match &pattern.kind {
            PatternKind::Any | PatternKind::Nil | PatternKind::Or(_) | PatternKind::Error => false,
            PatternKind::Name(name) => self.constructor(None, name, ty).is_some(),
            PatternKind::Constructor { module, name, .. } => module.is_some() || &*name.text != "Some",
            _ => true,
        };
        match self.c.types.option_of(ty) {
            Some(inner) if is_plain => {
                ResolvedPattern::Some(Box::new(self.plain_pattern(&pattern.kind, inner, pattern.span)))
            }
            _ => self.plain_pattern(&pattern.kind, ty, pattern.span),
        }
    }

    fn plain_pattern(&mut self, kind: &PatternKind, ty: Ty, span: Span) -> ResolvedPattern {
        match kind {
            PatternKind::Any | PatternKind::Error => ResolvedPattern::Any,
            PatternKind::Name(name) => match self.constructor(None, name, ty) {
                Some(constructor) => self.constructor_pattern(constructor, &[], ty, span),
                None if name.text.starts_with(|first: char| first.is_uppercase()) => {
                    self.report_constructor(name);
                    ResolvedPattern::Any
                }
                None => ResolvedPattern::Bind(self.bind(name, ty)),
            },
            PatternKind::Constructor { module: None, name, args } if self.is_some(name, ty) => {
                let inner = self.c.types.fresh();
                let option = self.c.types.con(TyCon::Option, &[inner]);
                self.fits(option, ty, span);
                match args.as_slice() {
                    [arg] => ResolvedPattern::Some(Box::new(self.pattern(*arg, inner))),
                    _ => self.wrong_fields("Some", 1, args.len(), span),
                }
            }
            PatternKind::Constructor { module, name, args } => {
                match self.constructor(module.as_ref(), name, ty) {
                    Some(constructor) => self.constructor_pattern(constructor, args, ty, span),
                    None => {
                        self.report_constructor(name);
                        args.iter().for_each(|arg| drop(self.pattern(*arg, Types::ERROR)));
                        ResolvedPattern::Any
                    }
                }
            }
            PatternKind::Int(digits) => self.constant_pattern(integer(digits), Types::INT, ty, span),
            PatternKind::Str(text) => self.constant_pattern(Value::string(text), Types::STRING, ty, span),
            PatternKind::Bool(truth) => self.constant_pattern(Value::Bool(*truth), Types::BOOL, ty, span),
            PatternKind::Nil => {
                let inner = self.c.types.fresh();
                let option = self.c.types.con(TyCon::Option, &[inner]);
                self.constant_pattern(Value::Nil, option, ty, span)
            }
            PatternKind::Tuple(items) => {
                let types: Vec<Ty> = items.iter().map(|_| self.c.types.fresh()).collect();
                let tuple = self.c.types.con(TyCon::Tuple, &types);
                self.fits(tuple, ty, span);
                ResolvedPattern::Data(
                    TUPLE,
                    items.iter().zip(types).map(|(item, ty)| self.pattern(*item, ty)).collect(),
                )
            }
            PatternKind::Record(fields) => self.record_pattern(fields, ty, span),
            PatternKind::List { items, rest } => {
                let item = self.c.types.fresh();
                let list = self.c.types.con(TyCon::List, &[item]);
                self.fits(list, ty, span);
                let items = items.iter().map(|id| self.pattern(*id, item)).collect();
                ResolvedPattern::List(items, rest.map(|rest| Box::new(self.pattern(rest, ty))))
            }
            PatternKind::Or(choices) => self.or_pattern(choices, ty),
        }
    }

    fn is_some(&self, name: &Name, ty: Ty) -> bool {
        &*name.text == "Some" && self.constructor(None, name, ty).is_none()
    }

    /// Finds the constructor of a name: in the matched type first, then among the visible ones.
    fn constructor(&self, module: Option<&Name>, name: &Name, ty: Ty) -> Option<u32> {
        if module.is_none()
            && let Some(constructor) = self.constructor_of(ty, &name.text)
        {
            return Some(constructor);
        }
        let entry = &self.c.modules[self.module.0];
        let entry = match module {
            Some(module) if module.text != entry.syntax.name => {
                &self.c.modules[entry.uses.get(&module.text)?.0]
            }
            _ => entry,
        };
        entry.constructors.get(&name.text).copied()
    }

    fn report_constructor(&mut self, name: &Name) {
        self.lost = true;
        let message = format!("there is no constructor `{}`", name.text);
        self.out
            .error(codes::UNKNOWN_CONSTRUCTOR, name.span, message)
            .help("variables in patterns start with a small letter");
    }

    fn constructor_pattern(
        &mut self,
        constructor: u32,
        args: &[PatternId],
        ty: Ty,
        span: Span,
    ) -> ResolvedPattern {
        let (fields, made) = self.constructor_type(constructor);
        self.fits(made, ty, span);
        let (name, shape) = {
            let constructor = &self.c.constructors[constructor as usize];
            (constructor.name.clone(), constructor.shape)
        };
        if args.len() != fields.len() {
            args.iter().for_each(|arg| drop(self.pattern(*arg, Types::ERROR)));
            return self.wrong_fields(&name, fields.len(), args.len(), span);
        }
        if fields.is_empty() {
            return ResolvedPattern::Const(Value::Tag(shape));
        }
        ResolvedPattern::Data(
            shape,
            args.iter().zip(fields).map(|(arg, ty)| self.pattern(*arg, ty)).collect(),
        )
    }

    fn wrong_fields(&mut self, name: &str, fields: usize, given: usize, span: Span) -> ResolvedPattern {
        self.lost = true;
        let message = format!("`{name}` has {}, not {given}", count(fields, "field"));
        self.out.error(codes::CONSTRUCTOR_FIELDS, span, message);
        ResolvedPattern::Any
    }

    fn constant_pattern(&mut self, value: Value, of: Ty, ty: Ty, span: Span) -> ResolvedPattern {
        self.fits(of, ty, span);
        ResolvedPattern::Const(value)
    }

    /// Unifies the type of a pattern with the type of the matched value.
    fn fits(&mut self, pattern: Ty, ty: Ty, span: Span) {
        if let Err(clash) = self.c.types.unify(ty, pattern) {
            self.lost = true;
            let why = TypeReason::because("as the type of what is matched");
            self.c.mismatch(self.out, span, (ty, pattern), &why, clash);
        }
    }

    fn record_pattern(&mut self, fields: &[FieldPattern], ty: Ty, span: Span) -> ResolvedPattern {
        if self.c.types.is_free(ty) {
            let names: Vec<&Name> = fields.iter().map(|field| &field.name).collect();
            self.guess_record(ty, &names, span);
        }
        let Some(record) = self.record_of(ty) else {
            if self.c.types.shape(ty).is_some() {
                let message = format!("`{}` is not a record", self.c.show(ty));
                self.out.error(codes::MISMATCH, span, message);
            }
            return ResolvedPattern::Any;
        };
        let mut patterns = vec![ResolvedPattern::Any; record.fields.len()];
        for field in fields {
            let Some(at) = self.position(&record, &field.name) else { continue };
            let ty = self.field_type(&record, at);
            patterns[at] = match field.pattern {
                Some(pattern) => self.pattern(pattern, ty),
                None => ResolvedPattern::Bind(self.bind(&field.name, ty)),
            };
        }
        ResolvedPattern::Data(record.shape, patterns)
    }

    /// Checks alternatives. All bind the names of the first, to the same locals.
    fn or_pattern(&mut self, choices: &[PatternId], ty: Ty) -> ResolvedPattern {
        let depth = self.scope.len();
        let mut patterns = Vec::new();
        let mut first: Option<Vec<(std::sync::Arc<str>, LocalId, Ty)>> = None;
        for choice in choices {
            let mut resolved = self.pattern(*choice, ty);
            let bound: Vec<_> =
                self.scope.drain(depth..).map(|local| (local.name, local.id, local.ty)).collect();
            match &first {
                None => first = Some(bound),
                Some(names) => {
                    let span = self.arena()[*choice].span;
                    let same = bound.len() == names.len()
                        && bound.iter().all(|(name, ..)| names.iter().any(|(other, ..)| other == name));
                    if !same {
                        self.out.error(codes::OR_NAMES, span, "the alternatives bind different names");
                    }
                    for (name, id, ty) in bound {
                        if let Some((_, to, expected)) = names.iter().find(|(other, ..)| *other == name) {
                            rename(&mut resolved, id, *to);
                            self.fits(ty, *expected, span);
                        }
                    }
                }
            }
            patterns.push(resolved);
        }
        for (name, id, ty) in first.into_iter().flatten() {
            self.scope.push(super::body::Local { name, id, ty });
        }
        ResolvedPattern::Or(patterns)
    }
}

fn rename(resolved: &mut ResolvedPattern, from: LocalId, to: LocalId) {
    match resolved {
        ResolvedPattern::Bind(local) if *local == from => *local = to,
        ResolvedPattern::Any | ResolvedPattern::Bind(_) | ResolvedPattern::Const(_) => {}
        ResolvedPattern::Some(inner) => rename(inner, from, to),
        ResolvedPattern::Data(_, patterns) | ResolvedPattern::Or(patterns) => {
            patterns.iter_mut().for_each(|resolved| rename(resolved, from, to))
        }
        ResolvedPattern::List(patterns, rest) => {
            patterns.iter_mut().for_each(|resolved| rename(resolved, from, to));
            rest.iter_mut().for_each(|rest| rename(rest, from, to));
        }
    }
}
