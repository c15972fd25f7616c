//! Building and traversing an [`Arena`]. Each node stores how deep it nests, so that depth is bounded by construction.

use super::{
    Arena, Expr, ExprId, ExprKind, MAX_NESTING, Pattern, PatternId, PatternKind, TypeExpr, TypeId, TypeKind,
};
use polysmith_source::Span;
use std::ops::{Index, IndexMut};

impl Arena {
    /// Adds an expression. Stores [`ExprKind::Error`] instead if it would nest deeper than [`MAX_NESTING`].
    pub fn expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let mut inside = 0;
        kind.for_each_child(&mut |part| inside = inside.max(self.height(part)));
        let kind = if inside >= MAX_NESTING { self.cut(span, ExprKind::Error) } else { kind };
        let height = if kind == ExprKind::Error { 1 } else { inside + 1 };
        self.exprs.push((Expr { kind, span }, height));
        ExprId(number(self.exprs.len()))
    }

    /// Adds a pattern, as [`Arena::expr`] does.
    pub fn pattern(&mut self, kind: PatternKind, span: Span) -> PatternId {
        let mut inside = 0;
        kind.for_each_child(&mut |part| inside = inside.max(self.patterns[part.0 as usize].1));
        let kind = if inside >= MAX_NESTING { self.cut(span, PatternKind::Error) } else { kind };
        let height = if kind == PatternKind::Error { 1 } else { inside + 1 };
        self.patterns.push((Pattern { kind, span }, height));
        PatternId(number(self.patterns.len()))
    }

    /// Adds a type expression, as [`Arena::expr`] does.
    pub fn ty(&mut self, kind: TypeKind, span: Span) -> TypeId {
        let mut inside = 0;
        kind.for_each_child(&mut |part| inside = inside.max(self.types[part.0 as usize].1));
        let kind = if inside >= MAX_NESTING { self.cut(span, TypeKind::Error) } else { kind };
        let height = if kind == TypeKind::Error { 1 } else { inside + 1 };
        self.types.push((TypeExpr { kind, span }, height));
        TypeId(number(self.types.len()))
    }

    /// The location of the first node that exceeds [`MAX_NESTING`], if there is one. The parser reports it.
    pub fn too_deep(&self) -> Option<Span> {
        self.too_deep
    }

    fn height(&self, part: ChildId) -> u16 {
        match part {
            ChildId::Expr(id) => self.exprs[id.0 as usize].1,
            ChildId::Pattern(id) => self.patterns[id.0 as usize].1,
            ChildId::Type(id) => self.types[id.0 as usize].1,
        }
    }

    fn cut<T>(&mut self, span: Span, error: T) -> T {
        self.too_deep.get_or_insert(span);
        error
    }
}

/// The index of the node that was pushed last. Sources are under 4 GiB, and every node takes at least a byte.
fn number(len: usize) -> u32 {
    u32::try_from(len - 1).expect("a source of under 4 GiB has fewer nodes than that")
}

/// A child of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildId {
    /// An expression.
    Expr(ExprId),
    /// A pattern.
    Pattern(PatternId),
    /// A type.
    Type(TypeId),
}

impl ExprKind {
    /// Calls `visit` for each child, in textual order.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(ChildId)) {
        match self {
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Bool(_) | ExprKind::Nil => {}
            ExprKind::Name(_) | ExprKind::Qualified { .. } | ExprKind::External(_) | ExprKind::Error => {}
            ExprKind::Call { callee, args } => {
                visit(ChildId::Expr(*callee));
                args.iter().for_each(|arg| visit(ChildId::Expr(*arg)));
            }
            ExprKind::Paren(inner) | ExprKind::Field { base: inner, .. } => visit(ChildId::Expr(*inner)),
            ExprKind::Op { args, .. } | ExprKind::List(args) | ExprKind::Tuple(args) => {
                args.iter().for_each(|arg| visit(ChildId::Expr(*arg)));
            }
            ExprKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|part| visit(ChildId::Expr(*part)));
            }
            ExprKind::Match { subject, arms } => {
                visit(ChildId::Expr(*subject));
                for arm in arms {
                    visit(ChildId::Pattern(arm.pattern));
                    arm.condition.iter().for_each(|condition| visit(ChildId::Expr(*condition)));
                    visit(ChildId::Expr(arm.body));
                }
            }
            ExprKind::Let { pattern, annotation, value, body } => {
                visit(ChildId::Pattern(*pattern));
                annotation.iter().for_each(|ty| visit(ChildId::Type(*ty)));
                visit(ChildId::Expr(*value));
                visit(ChildId::Expr(*body));
            }
            ExprKind::Lambda { params, body } => {
                params.iter().filter_map(|param| param.annotation).for_each(|ty| visit(ChildId::Type(ty)));
                visit(ChildId::Expr(*body));
            }
            ExprKind::Record(fields) => fields.iter().for_each(|field| visit(ChildId::Expr(field.value))),
            ExprKind::Update { base, fields } => {
                visit(ChildId::Expr(*base));
                fields.iter().for_each(|field| visit(ChildId::Expr(field.value)));
            }
        }
    }
}

impl PatternKind {
    /// Calls `visit` for each child pattern, in textual order.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(PatternId)) {
        match self {
            PatternKind::Any | PatternKind::Name(_) | PatternKind::Nil | PatternKind::Error => {}
            PatternKind::Int(_) | PatternKind::Str(_) | PatternKind::Bool(_) => {}
            PatternKind::Constructor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
                args.iter().for_each(|arg| visit(*arg));
            }
            PatternKind::Record(fields) => {
                fields.iter().filter_map(|field| field.pattern).for_each(visit);
            }
            PatternKind::List { items, rest } => items.iter().chain(rest).for_each(|item| visit(*item)),
        }
    }
}

impl TypeKind {
    /// Calls `visit` for each child type, in textual order.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(TypeId)) {
        match self {
            TypeKind::Name { args, .. } | TypeKind::Tuple(args) => args.iter().for_each(|arg| visit(*arg)),
            TypeKind::Option(inner) => visit(*inner),
            TypeKind::Function { params, result } => {
                params.iter().chain([result]).for_each(|part| visit(*part));
            }
            TypeKind::Error => {}
        }
    }
}

impl Index<ExprId> for Arena {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize].0
    }
}

/// For turning a name into an external leaf. The new form must not be deeper than the old one.
impl IndexMut<ExprId> for Arena {
    fn index_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.exprs[id.0 as usize].0
    }
}

impl Index<PatternId> for Arena {
    type Output = Pattern;

    fn index(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.0 as usize].0
    }
}

impl Index<TypeId> for Arena {
    type Output = TypeExpr;

    fn index(&self, id: TypeId) -> &TypeExpr {
        &self.types[id.0 as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_source::SourceMap;

    #[test]
    fn nesting_is_cut_at_the_limit_and_remembered() {
        let mut sources = SourceMap::default();
        let span = Span::new(sources.add("x", ""), 0, 0);
        let mut arena = Arena::default();
        let mut id = arena.expr(ExprKind::Nil, span);
        for _ in 1..MAX_NESTING {
            id = arena.expr(ExprKind::Paren(id), span);
        }
        assert_eq!(arena.too_deep(), None);
        let deeper = arena.expr(ExprKind::Paren(id), span);
        assert_eq!(arena[deeper].kind, ExprKind::Error);
        assert_eq!(arena.too_deep(), Some(span));
        let again = arena.expr(ExprKind::Paren(deeper), span);
        assert_eq!(arena[again].kind, ExprKind::Paren(deeper));
    }
}
