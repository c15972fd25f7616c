//! The resolved tree between checking and bytecode: names are numbers, fields are positions, types are erased.
//!
//! The compiler reads it, and the naive evaluator of the tests walks it. Local variables are numbered per
//! function in the order in which they are bound; no two bindings share a number.

use crate::syntax::{ExternalId, Op};
use crate::value::Value;
use polysmith_source::Span;

/// Identifies an expression of a [`Body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CoreId(pub(crate) u32);

/// Identifies a local variable of a [`Body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);

/// The resolved body of a function, or a single expression.
#[derive(Debug, Clone, Default)]
pub struct Body {
    pub(crate) nodes: Vec<(Core, Span)>,
    pub(crate) root: Option<CoreId>,
    /// The number of parameters. They are the first locals.
    pub(crate) params: u32,
    pub(crate) locals: u32,
}

/// The forms of resolved expressions.
#[derive(Debug, Clone)]
pub enum Core {
    /// A constant.
    Const(Value),
    /// A local variable.
    Local(LocalId),
    /// A declared function as a value.
    Function(u32),
    /// A value that the surface language supplies.
    External(ExternalId),
    /// A call of a declared function.
    Call(u32, Vec<CoreId>),
    /// A call of a function value: callee and arguments.
    Apply(CoreId, Vec<CoreId>),
    /// A tuple, record or constructor with fields.
    Construct(u32, Vec<CoreId>),
    /// A list.
    List(Vec<CoreId>),
    /// A field by position.
    Field(CoreId, u32),
    /// A record with some fields changed.
    Update(CoreId, Vec<(u32, CoreId)>),
    /// An operator.
    Op(Op, Vec<CoreId>),
    /// Condition, then, otherwise.
    If(CoreId, CoreId, CoreId),
    /// Variable, value, and the expression in which the variable is visible.
    Let(LocalId, CoreId, CoreId),
    /// An anonymous function.
    Lambda(Vec<LocalId>, CoreId),
    /// A `match`: subject and arms.
    Match(CoreId, Vec<Arm>),
    /// A value of type `T` as one of type `T?`.
    Some(CoreId),
}

/// One arm of a [`Core::Match`].
#[derive(Debug, Clone)]
pub struct Arm {
    /// The pattern.
    pub pattern: ResolvedPattern,
    /// A condition that must also be true.
    pub condition: Option<CoreId>,
    /// The result.
    pub body: CoreId,
}

/// The forms of resolved patterns.
#[derive(Debug, Clone)]
pub enum ResolvedPattern {
    /// Matches every value.
    Any,
    /// Matches every value and binds it to a local variable.
    Bind(LocalId),
    /// Matches one value.
    Const(Value),
    /// `Some(p)`.
    Some(Box<ResolvedPattern>),
    /// A tuple, record or constructor with fields.
    Data(u32, Vec<ResolvedPattern>),
    /// A list: patterns of the first items, and the pattern of the remaining list if there may be more items.
    List(Vec<ResolvedPattern>, Option<Box<ResolvedPattern>>),
    /// Alternatives. They bind nothing, or all bind the same locals.
    Or(Vec<ResolvedPattern>),
}

impl Body {
    pub(crate) fn add(&mut self, core: Core, span: Span) -> CoreId {
        self.nodes.push((core, span));
        CoreId(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 items fit in memory"))
    }

    pub(crate) fn local(&mut self) -> LocalId {
        self.locals += 1;
        LocalId(self.locals - 1)
    }

    /// The expression with this id.
    pub fn core(&self, id: CoreId) -> &Core {
        &self.nodes[id.0 as usize].0
    }

    /// Its location in the source.
    pub fn span(&self, id: CoreId) -> Span {
        self.nodes[id.0 as usize].1
    }

    /// The whole expression; `None` for a built-in function.
    pub fn root(&self) -> Option<CoreId> {
        self.root
    }

    /// The number of parameters. They are the first locals.
    pub fn params(&self) -> u32 {
        self.params
    }
}
