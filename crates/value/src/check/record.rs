//! Checks records: field access, literals, updates.

use super::body::{BodyChecker, Deferred};
use super::{DeclaredKind, Field, TypeReason};
use crate::codes;
use crate::core::{Core, CoreId};
use crate::syntax::{ExprId, FieldValue, Name};
use crate::types::{Ty, TyCon, Types};
use crate::value::Value;
use polysmith_source::{Span, nearest};
use std::sync::Arc;

/// An instance of a record type.
pub(super) struct Record {
    pub(super) name: Arc<str>,
    pub(super) shape: u32,
    pub(super) fields: Arc<[Field]>,
    args: Arc<[Ty]>,
}

impl BodyChecker<'_> {
    /// The record type, if the type is known to be one.
    pub(super) fn record_of(&self, ty: Ty) -> Option<Record> {
        let (TyCon::Declared(number), args) = self.c.types.shape(ty)? else { return None };
        let declared = self.c.declared_of(number);
        let DeclaredKind::Record { shape, fields } = &declared.kind else { return None };
        Some(Record { name: declared.name.clone(), shape: *shape, fields: fields.clone(), args })
    }

    pub(super) fn field_type(&mut self, record: &Record, at: usize) -> Ty {
        self.c.types.substitute(record.fields[at].ty, &record.args)
    }

    pub(super) fn infer_field(&mut self, base: ExprId, field: &Name, span: Span) -> (CoreId, Ty) {
        let (core, ty) = self.infer(base);
        let node = self.body.add(Core::Field(core, 0), span);
        let result = self.c.types.fresh();
        self.retry_deferred();
        if self.c.types.is_free(ty) {
            self.deferred.push(Deferred::Field { node, base: ty, field: field.clone(), result });
        } else {
            self.decide_field(node, ty, field, result);
        }
        (node, result)
    }

    /// Resolves a field access whose record type is known by now.
    pub(super) fn decide_field(&mut self, node: CoreId, base: Ty, field: &Name, result: Ty) {
        let found = match self.record_of(base) {
            Some(record) => self.position(&record, field).map(|at| (at, self.field_type(&record, at))),
            None => {
                self.report_no_record(base, field);
                None
            }
        };
        let (at, ty) = found.unwrap_or((0, Types::ERROR));
        if let Core::Field(_, index) = &mut self.body.nodes[node.0 as usize].0 {
            *index = u32::try_from(at).unwrap_or(0);
        }
        if let Err(clash) = self.c.types.unify(result, ty) {
            let why = TypeReason::because("where it is used");
            self.c.mismatch(self.out, field.span, (result, ty), &why, clash);
        }
    }

    fn report_no_record(&mut self, base: Ty, field: &Name) {
        let shown = self.c.show(base);
        if self.c.types.option_of(base).is_some() {
            let message = format!("`{shown}` may be `nil`, so it has no field `{}`", field.text);
            let help = "`match` it (`nil -> …; x -> …`), or give a default with `(Option:or value default)`";
            self.out.error(codes::MAYBE_NIL, field.span, message).help(help);
        } else if self.c.types.shape(base).is_some() {
            let message = format!("`{shown}` is not a record: it has no field `{}`", field.text);
            self.out.error(codes::UNKNOWN_FIELD, field.span, message);
        }
    }

    /// The position of a field. Reports an error if the record has no such field.
    pub(super) fn position(&mut self, record: &Record, field: &Name) -> Option<usize> {
        let found = record.fields.iter().position(|candidate| candidate.name == field.text);
        if found.is_none() {
            let message = format!("`{}` has no field `{}`", record.name, field.text);
            let found = self.out.error(codes::UNKNOWN_FIELD, field.span, message);
            let names = record.fields.iter().map(|field| &*field.name);
            match nearest(&field.text, names.clone()) {
                Some(near) => found.help(format!("a field with a similar name exists: `{near}`")),
                None => found.help(format!("its fields are {}", listed(names))),
            };
        }
        found
    }

    /// Binds a free type to the only visible record type that has all these fields. Reports an error if there are
    /// several or none.
    pub(super) fn guess_record(&mut self, ty: Ty, fields: &[&Name], span: Span) {
        let candidates = self.records_where(|record| {
            fields.iter().all(|field| record.iter().any(|candidate| candidate.name == field.text))
        });
        self.decide_record(ty, &candidates, fields, span);
    }

    fn decide_record(&mut self, ty: Ty, candidates: &[u32], fields: &[&Name], span: Span) {
        if let [only] = candidates {
            let args: Vec<Ty> = (0..self.c.declared_of(*only).params).map(|_| self.c.types.fresh()).collect();
            let record = self.c.types.con(TyCon::Declared(*only), &args);
            self.c.types.unify(ty, record).expect("a free type takes every type");
            return;
        }
        let wanted = listed(fields.iter().map(|field| &*field.text));
        let wanted = format!("the field{} {wanted}", if fields.len() == 1 { "" } else { "s" });
        let message = match candidates {
            [] => format!("no record type has {wanted}"),
            _ => {
                let names = candidates.iter().map(|number| &*self.c.declared_of(*number).name);
                format!("{} have {wanted}: which one is meant?", listed(names))
            }
        };
        self.out
            .error(codes::WHICH_RECORD, span, message)
            .help("annotate the parameter or variable with its type: `(x : Symbol) -> x.name`");
        self.c.types.unify(ty, Types::ERROR).expect("a free type takes every type");
    }

    /// The record types of this module and of the modules it uses that satisfy `fits`.
    fn records_where(&self, mut fits: impl FnMut(&[Field]) -> bool) -> Vec<u32> {
        let entry = &self.c.modules[self.module.0];
        let visible = |number: &u32| {
            let module = self.c.declared_of(*number).module;
            module == self.module
                || entry.syntax.uses.iter().any(|name| entry.uses.get(&name.text) == Some(&module))
        };
        (0..u32::try_from(self.c.declared.len()).unwrap_or(u32::MAX))
            .filter(visible)
            .filter(|number| match &self.c.declared_of(*number).kind {
                DeclaredKind::Record { fields, .. } => fits(fields),
                _ => false,
            })
            .collect()
    }

    pub(super) fn check_record(
        &mut self,
        fields: &[FieldValue],
        ty: Ty,
        why: &TypeReason,
        span: Span,
    ) -> CoreId {
        self.retry_deferred();
        if let Some(record) = self.record_of(self.without_option(ty)) {
            let core = self.build_record(&record, fields, span);
            return if self.c.types.option_of(ty).is_some() { self.wrap(core, span) } else { core };
        }
        let (core, found) = self.infer_record(fields, span);
        let target = self.without_option(ty);
        if let Err(clash) = self.c.types.unify(target, found) {
            self.c.mismatch(self.out, span, (ty, found), why, clash);
        }
        if self.c.types.option_of(ty).is_some() { self.wrap(core, span) } else { core }
    }

    pub(super) fn infer_record(&mut self, fields: &[FieldValue], span: Span) -> (CoreId, Ty) {
        let names: Vec<&Name> = fields.iter().map(|field| &field.name).collect();
        let exact = self.records_where(|record| {
            record.len() == names.len()
                && names.iter().all(|name| record.iter().any(|field| field.name == name.text))
        });
        let ty = self.c.types.fresh();
        if exact.is_empty() {
            self.guess_record(ty, &names, span);
        } else {
            self.decide_record(ty, &exact, &names, span);
        }
        match self.record_of(ty) {
            Some(record) => (self.build_record(&record, fields, span), ty),
            None => {
                for field in fields.iter() {
                    self.infer(field.value);
                }
                (self.constant(Value::Nil, span), Types::ERROR)
            }
        }
    }

    fn build_record(&mut self, record: &Record, fields: &[FieldValue], span: Span) -> CoreId {
        let mut values: Vec<Option<CoreId>> = vec![None; record.fields.len()];
        for (at, value) in self.field_values(record, fields) {
            values[at] = Some(value);
        }
        let missing = record.fields.iter().zip(&values).filter(|(_, value)| value.is_none());
        let missing: Vec<&str> = missing.map(|(field, _)| &*field.name).collect();
        if !missing.is_empty() {
            let message =
                format!("the record of type `{}` lacks {}", record.name, listed(missing.into_iter()));
            let found = self.out.error(codes::RECORD_FIELDS, span, message);
            found.also(record.fields[0].span, "the fields are declared here");
            found.help("to change some fields of another record, write `other with { … }`");
        }
        let values = values.into_iter().map(|value| value.unwrap_or_else(|| self.constant(Value::Nil, span)));
        let values = values.collect();
        self.body.add(Core::Construct(record.shape, values), span)
    }

    /// Checks the values of fields in written order.
    fn field_values(&mut self, record: &Record, fields: &[FieldValue]) -> Vec<(usize, CoreId)> {
        let mut seen: Vec<(usize, CoreId)> = Vec::new();
        for field in fields {
            let Some(at) = self.position(record, &field.name) else {
                self.infer(field.value);
                continue;
            };
            let ty = self.field_type(record, at);
            let declared = record.fields[at].span;
            let why = TypeReason::at(
                declared,
                format!("`{}` is declared as `{}`", field.name.text, self.c.show(ty)),
            );
            let value = self.check(field.value, ty, &why);
            if seen.iter().any(|(other, _)| *other == at) {
                let message = format!("field `{}` is given twice", field.name.text);
                self.out.error(codes::RECORD_FIELDS, field.name.span, message);
            } else {
                seen.push((at, value));
            }
        }
        seen
    }

    pub(super) fn infer_update(&mut self, base: ExprId, fields: &[FieldValue], span: Span) -> (CoreId, Ty) {
        let (core, ty) = self.infer(base);
        self.retry_deferred();
        if self.c.types.is_free(ty) {
            let names: Vec<&Name> = fields.iter().map(|field| &field.name).collect();
            self.guess_record(ty, &names, span);
        }
        let Some(record) = self.record_of(ty) else {
            if let Some(field) = fields.first() {
                self.report_no_record(ty, &field.name);
            }
            for field in fields.iter() {
                self.infer(field.value);
            }
            return (self.constant(Value::Nil, span), Types::ERROR);
        };
        let changes = self.field_values(&record, fields);
        let changes =
            changes.into_iter().map(|(at, value)| (u32::try_from(at).unwrap_or(0), value)).collect();
        (self.body.add(Core::Update(core, changes), span), ty)
    }
}

/// Formats names as "`a`, `b` and `c`".
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
