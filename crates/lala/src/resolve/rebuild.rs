//! Copies an expression with its external leaves renumbered.

use super::{MAX_EXPANDED, Resolver};
use crate::codes;
use crate::externals::External;
use polysmith_attributes::Source;
use polysmith_value::syntax::{Arena, Arm, ExprId, ExprKind, FieldValue, PatternId, PatternKind};
use std::sync::Arc;

impl Resolver<'_, '_> {
    /// The depth is bounded by the arena for each written expression, and by `MAX_LOCALS` for nested locals.
    pub(super) fn rebuild(&mut self, id: ExprId) -> ExprId {
        let span = self.arena[id].span;
        self.n_parts += 1;
        if self.n_parts >= MAX_EXPANDED {
            if self.n_parts == MAX_EXPANDED {
                let message =
                    format!("this has more than {MAX_EXPANDED} parts once its local values are put in");
                self.found.error(codes::NESTING, span, message).help("make the local values functions");
            }
            return self.arena.expr(ExprKind::Error, span);
        }
        let kind = self.arena[id].kind.clone();
        let kind = self.kind(kind, span);
        self.arena.expr(kind, span)
    }

    fn kind(&mut self, kind: ExprKind, span: polysmith_source::Span) -> ExprKind {
        match kind {
            ExprKind::External(id) => match self.site.externals.get(id).clone() {
                External::Generated => self.generated(span),
                External::Local(name) => self.local(&name).map_or(ExprKind::Error, ExprKind::Paren),
            },
            ExprKind::Name(name) if !self.is_bound(&name.text) => match self.site.node(&name.text) {
                Some(node) => self.source(Source::Node(node)),
                None => ExprKind::Name(name),
            },
            ExprKind::Field { base, field } => match self.node_of(base) {
                Some(node) => self.attribute(node, &field, span),
                None => ExprKind::Field { base: self.rebuild(base), field },
            },
            ExprKind::Call { callee, args } => {
                // A node cannot be called, so a function may have the name of a child.
                let named = matches!(self.arena[callee].kind, ExprKind::Name(_));
                let callee = if named { callee } else { self.rebuild(callee) };
                ExprKind::Call { callee, args: self.all(args) }
            }
            ExprKind::Paren(inner) => ExprKind::Paren(self.rebuild(inner)),
            ExprKind::Op { op, args } => ExprKind::Op { op, args: self.all(args) },
            ExprKind::If { condition, then, otherwise } => ExprKind::If {
                condition: self.rebuild(condition),
                then: self.rebuild(then),
                otherwise: self.rebuild(otherwise),
            },
            ExprKind::Match { subject, arms } => {
                let subject = self.rebuild(subject);
                ExprKind::Match { subject, arms: arms.into_iter().map(|arm| self.arm(arm)).collect() }
            }
            ExprKind::Let { pattern, annotation, value, body } => {
                let value = self.rebuild(value);
                let body = self.inside(&[pattern], |resolver| resolver.rebuild(body));
                ExprKind::Let { pattern, annotation, value, body }
            }
            ExprKind::Lambda { params, body } => {
                let before = self.bound.len();
                self.bound.extend(params.iter().map(|param| param.name.text.clone()));
                let body = self.rebuild(body);
                self.bound.truncate(before);
                ExprKind::Lambda { params, body }
            }
            ExprKind::Record(fields) => ExprKind::Record(self.fields(fields)),
            ExprKind::Update { base, fields } => {
                ExprKind::Update { base: self.rebuild(base), fields: self.fields(fields) }
            }
            ExprKind::List(items) => ExprKind::List(self.all(items)),
            ExprKind::Tuple(items) => ExprKind::Tuple(self.all(items)),
            leaf => leaf,
        }
    }

    /// The node whose attribute a field access reads, if the base is `this` or a child.
    fn node_of(&self, base: ExprId) -> Option<polysmith_attributes::Occurrence> {
        match &self.arena[base].kind {
            ExprKind::Name(name) if !self.is_bound(&name.text) => self.site.node(&name.text),
            _ => None,
        }
    }

    fn all(&mut self, ids: Vec<ExprId>) -> Vec<ExprId> {
        ids.into_iter().map(|id| self.rebuild(id)).collect()
    }

    fn fields(&mut self, fields: Vec<FieldValue>) -> Vec<FieldValue> {
        let rebuilt = |field: FieldValue| FieldValue { value: self.rebuild(field.value), ..field };
        fields.into_iter().map(rebuilt).collect()
    }

    fn arm(&mut self, arm: Arm) -> Arm {
        self.inside(&[arm.pattern], |resolver| {
            let condition = arm.condition.map(|condition| resolver.rebuild(condition));
            Arm { pattern: arm.pattern, condition, body: resolver.rebuild(arm.body) }
        })
    }

    fn inside<T>(&mut self, patterns: &[PatternId], read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.bound.len();
        bind(self.arena, patterns, &mut self.bound);
        let result = read(self);
        self.bound.truncate(before);
        result
    }
}

/// The names that patterns bind. This includes constructors without fields, which is harmless because children start
/// with a small letter.
fn bind(arena: &Arena, patterns: &[PatternId], bound: &mut Vec<Arc<str>>) {
    let mut todo = patterns.to_vec();
    while let Some(pattern) = todo.pop() {
        let kind = &arena[pattern].kind;
        match kind {
            PatternKind::Name(name) => bound.push(name.text.clone()),
            PatternKind::Record(fields) => {
                let short = fields.iter().filter(|field| field.pattern.is_none());
                bound.extend(short.map(|field| field.name.text.clone()));
            }
            _ => {}
        }
        kind.for_each_child(&mut |part| todo.push(part));
    }
}
