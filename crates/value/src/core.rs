//! The resolved tree between checking and code: names are numbers, fields are positions, types are gone.
//!
//! It is what the compiler reads and what the naive evaluator of the tests walks. Local variables are numbered per
//! function in the order in which they are bound; no two bindings share a number.

use crate::syntax::{ExternalId, Op};
use crate::value::Value;
use polysmith_source::Span;

/// An expression of a [`Body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CoreId(pub(crate) u32);

/// A local variable of a [`Body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);

/// A function body or a single expression.
#[derive(Debug, Clone, Default)]
pub struct Body {
    pub(crate) nodes: Vec<(Core, Span)>,
    pub(crate) root: Option<CoreId>,
    /// The first locals are the parameters.
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
    /// A value of the surface language.
    External(ExternalId),
    /// A call of a declared function.
    Call(u32, Vec<CoreId>),
    /// A call of a function value.
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
    /// A binding and where it is visible.
    Let(LocalId, CoreId, CoreId),
    /// An anonymous function.
    Lambda(Vec<LocalId>, CoreId),
    /// The first arm that fits.
    Match(CoreId, Vec<Arm>),
    /// A value of type `T` as one of type `T?`.
    Some(CoreId),
}

/// One arm of a [`Core::Match`].
#[derive(Debug, Clone)]
pub struct Arm {
    /// What must fit.
    pub pattern: Fit,
    /// What must be true besides.
    pub condition: Option<CoreId>,
    /// The result.
    pub body: CoreId,
}

/// The forms of resolved patterns.
#[derive(Debug, Clone)]
pub enum Fit {
    /// Everything.
    Any,
    /// Everything, kept in a local variable.
    Bind(LocalId),
    /// One value.
    Const(Value),
    /// `Some(p)`.
    Some(Box<Fit>),
    /// A tuple, record or constructor with fields.
    Data(u32, Vec<Fit>),
    /// A list of these first items, and what remains.
    List(Vec<Fit>, Option<Box<Fit>>),
    /// One of these. They bind nothing, or the same locals.
    Or(Vec<Fit>),
}

impl Body {
    pub(crate) fn add(&mut self, core: Core, span: Span) -> CoreId {
        self.nodes.push((core, span));
        CoreId(u32::try_from(self.nodes.len() - 1).expect("memory ends before the numbers do"))
    }

    pub(crate) fn local(&mut self) -> LocalId {
        self.locals += 1;
        LocalId(self.locals - 1)
    }

    /// The expression of an id.
    pub fn core(&self, id: CoreId) -> &Core {
        &self.nodes[id.0 as usize].0
    }

    /// Where it stands.
    pub fn span(&self, id: CoreId) -> Span {
        self.nodes[id.0 as usize].1
    }

    /// The whole expression; `None` for a built-in function.
    pub fn root(&self) -> Option<CoreId> {
        self.root
    }

    /// How many of the locals are parameters.
    pub fn params(&self) -> u32 {
        self.params
    }
}
