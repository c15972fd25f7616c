//! The untyped syntax of expressions, types and declarations, as a front end builds it.
//!
//! All nodes are stored in an [`Arena`] and referred to by 32-bit ids, so trees are cheap to drop, can be rewritten in
//! place, and never nest deeper than [`MAX_NESTING`]. Names are strings here; the checker resolves them (local
//! variable, function, constructor, type), and nothing looks up a name after that.
//!
//! What only the surface language knows is an [`ExprKind::External`] leaf with an id that the surface language
//! chooses: attribute reads (`this.a`, `child.a`), locals (`.x`), the generated value (`$`) and whole nodes (`this`).
//! The surface language tells the checker the type of each id, and the machine its value.

mod arena;

pub use arena::ChildId;

use polysmith_source::Span;
use std::sync::Arc;

/// How deep expressions, patterns and types may nest. A deeper node becomes an error leaf, and [`Arena::too_deep`]
/// returns its location. Parsers must bound their own recursion by the same number.
pub const MAX_NESTING: u16 = 256;

/// A name with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: Arc<str>,
    /// Its location.
    pub span: Span,
}

impl Name {
    /// Creates a name.
    pub fn new(text: impl Into<Arc<str>>, span: Span) -> Name {
        Name { text: text.into(), span }
    }
}

/// Identifies an expression of an [`Arena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

/// Identifies a pattern of an [`Arena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(u32);

/// Identifies a type expression of an [`Arena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

/// Identifies a value that the surface language supplies. The surface language chooses the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalId(pub u32);

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Its whole text.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// Decimal digits, any number of them, with an optional `-`.
    Int(Arc<str>),
    /// A string, escapes already resolved. LALA's `'c'` is a string of one character.
    Str(Arc<str>),
    /// `true`, `false`.
    Bool(bool),
    /// `nil`: no value of an optional type.
    Nil,
    /// A variable, a function of this module, or a constructor of one of its types.
    Name(Name),
    /// `Module:name`: a function or constructor of another module.
    Qualified {
        /// The module.
        module: Name,
        /// The function or constructor.
        name: Name,
    },
    /// `(f a b)` with one argument or more, or a call with none whose callee is not a plain name.
    Call {
        /// Any expression whose value is a function; most often a name.
        callee: ExprId,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// `(e)`. If `e` names a function without parameters, as in `(SymbTab:empty)`, this calls it; else it is `e`.
    Paren(ExprId),
    /// A built-in operator, prefix `(+ a b c)` or infix `a + b`. [`Op::arity`] says how many operands it takes.
    Op {
        /// The operator.
        op: Op,
        /// The operands. `a + b + c` may be one operation with three operands: parsers should flatten such chains,
        /// because these then do not nest.
        args: Vec<ExprId>,
    },
    /// `if c then a else b`, `(if c a b)`.
    If {
        /// The condition.
        condition: ExprId,
        /// The value if it is true.
        then: ExprId,
        /// The value if it is false.
        otherwise: ExprId,
    },
    /// `match e { p -> a; q -> b; }`: the first arm that matches.
    Match {
        /// The expression that the patterns are matched against.
        subject: ExprId,
        /// The arms, in order.
        arms: Vec<Arm>,
    },
    /// `let x = e in b`, also with an irrefutable pattern: `let (x, y) = e in b`.
    Let {
        /// The pattern that the value is bound to.
        pattern: PatternId,
        /// Its type, if written.
        annotation: Option<TypeId>,
        /// The value.
        value: ExprId,
        /// The expression in which the names are visible.
        body: ExprId,
    },
    /// `x -> e`, `(x, y) -> e`, `(x : T) -> e`.
    Lambda {
        /// The parameters.
        params: Vec<Param>,
        /// The result.
        body: ExprId,
    },
    /// `e.f`
    Field {
        /// The record.
        base: ExprId,
        /// The field.
        field: Name,
    },
    /// `{ a = 1, b = 2 }`. The checker finds the record type by the expected type or by the set of fields.
    Record(Vec<FieldValue>),
    /// `e with { a = 1 }`
    Update {
        /// The record that gives the other fields.
        base: ExprId,
        /// The fields that change.
        fields: Vec<FieldValue>,
    },
    /// `[a, b]`
    List(Vec<ExprId>),
    /// `(a, b)`, two items or more.
    Tuple(Vec<ExprId>),
    /// A value that the surface language supplies.
    External(ExternalId),
    /// An expression with a syntax error that the parser reported. It has every type, so that no second error follows.
    Error,
}

/// `a = e` in a record.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValue {
    /// The field.
    pub name: Name,
    /// Its value.
    pub value: ExprId,
}

/// One arm of a `match`.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// The pattern.
    pub pattern: PatternId,
    /// A condition that must also be true (`p if c -> e`).
    pub condition: Option<ExprId>,
    /// The result.
    pub body: ExprId,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name; `_` for one that is not used.
    pub name: Name,
    /// Its type, if written.
    pub annotation: Option<TypeId>,
}

/// The built-in operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `and`: stops at the first operand that is false.
    And,
    /// `or`: stops at the first operand that is true.
    Or,
    /// `not`
    Not,
    /// `isNil`
    IsNil,
    /// `int`: a decimal string as an integer.
    Int,
    /// `len`: length of a string in characters, or number of items of a list, set or map.
    Len,
    /// `+`: adds integers, joins strings.
    Add,
    /// `-` with two operands or more.
    Sub,
    /// `*`
    Mul,
    /// `/`: integer division, towards zero.
    Div,
    /// `%`: the remainder of `/`, with the sign of the dividend.
    Mod,
    /// `-` with one operand.
    Neg,
    /// `==` and LALA's `equals`: structural equality of two values of the same type.
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `max`
    Max,
    /// `min`
    Min,
}

impl Op {
    /// The operator with this name in prefix form; `None` if there is none. `-` is [`Op::Sub`], even with one operand:
    /// see [`Op::with_operands`]. (`if` is not an operator: see [`ExprKind::If`].)
    pub fn from_name(name: &str) -> Option<Op> {
        let found = Op::ALL.iter().find(|op| op.name() == name && **op != Op::Neg);
        found.copied().or((name == "equals").then_some(Op::Eq))
    }

    /// Returns `Neg` for a `Sub` with one operand, otherwise the operator itself.
    pub fn with_operands(self, operands: usize) -> Op {
        if self == Op::Sub && operands == 1 { Op::Neg } else { self }
    }

    /// How the operator is written.
    pub fn name(self) -> &'static str {
        match self {
            Op::And => "and",
            Op::Or => "or",
            Op::Not => "not",
            Op::IsNil => "isNil",
            Op::Int => "int",
            Op::Len => "len",
            Op::Add => "+",
            Op::Sub | Op::Neg => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Mod => "%",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Gt => ">",
            Op::Le => "<=",
            Op::Ge => ">=",
            Op::Max => "max",
            Op::Min => "min",
        }
    }

    /// The least and the greatest number of operands. The checker reports other numbers.
    pub fn arity(self) -> (usize, usize) {
        match self {
            Op::And | Op::Or | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => (2, usize::MAX),
            Op::Not | Op::IsNil | Op::Int | Op::Len | Op::Neg => (1, 1),
            Op::Eq | Op::Ne | Op::Lt | Op::Gt | Op::Le | Op::Ge | Op::Max | Op::Min => (2, 2),
        }
    }

    /// All operators.
    pub const ALL: [Op; 20] = [
        Op::And,
        Op::Or,
        Op::Not,
        Op::IsNil,
        Op::Int,
        Op::Len,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Div,
        Op::Mod,
        Op::Neg,
        Op::Eq,
        Op::Ne,
        Op::Lt,
        Op::Gt,
        Op::Le,
        Op::Ge,
        Op::Max,
        Op::Min,
    ];
}

/// A pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// Its form.
    pub kind: PatternKind,
    /// Its whole text.
    pub span: Span,
}

/// The forms of patterns.
#[derive(Debug, Clone, PartialEq)]
pub enum PatternKind {
    /// `_`
    Any,
    /// A constructor without fields if one of this name is visible, otherwise a variable. A name that starts with a
    /// capital letter must be a constructor.
    Name(Name),
    /// `Array(e)`, `Scope:Entry(x)`, `Some(x)`.
    Constructor {
        /// The module, if written.
        module: Option<Name>,
        /// The constructor.
        name: Name,
        /// Patterns of its fields.
        args: Vec<PatternId>,
    },
    /// Decimal digits with an optional `-`.
    Int(Arc<str>),
    /// A string.
    Str(Arc<str>),
    /// `true`, `false`.
    Bool(bool),
    /// `nil`
    Nil,
    /// `(p, q)`, two items or more.
    Tuple(Vec<PatternId>),
    /// `{ name = p, type }`: a field without a pattern binds a variable of its name; fields may be omitted.
    Record(Vec<FieldPattern>),
    /// `[p, q]` matches lists of exactly this length, `[p, q, ..rest]` lists of at least this length.
    List {
        /// The first items.
        items: Vec<PatternId>,
        /// The pattern of the remaining list, if `..` is written (a bare `..` is [`PatternKind::Any`]).
        rest: Option<PatternId>,
    },
    /// `p | q`; both bind the same names.
    Or(Vec<PatternId>),
    /// A pattern with a syntax error that the parser reported.
    Error,
}

/// `a = p` in a record pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPattern {
    /// The field.
    pub name: Name,
    /// Its pattern.
    pub pattern: Option<PatternId>,
}

/// A type expression.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// Its form.
    pub kind: TypeKind,
    /// Its whole text.
    pub span: Span,
}

/// The forms of type expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `Int`, `List(T)`, `Scope:Entry(T)`, a declared type or a type parameter. In functions, a capital letter
    /// (and digits) that names no type is a type parameter. Arguments that are left out are inferred.
    Name {
        /// The module, if written.
        module: Option<Name>,
        /// The type.
        name: Name,
        /// Its arguments.
        args: Vec<TypeId>,
    },
    /// `T?`
    Option(TypeId),
    /// `(A, B)`, two items or more.
    Tuple(Vec<TypeId>),
    /// `(A, B) -> C`, `A -> B`, `() -> C`.
    Function {
        /// Types of the parameters.
        params: Vec<TypeId>,
        /// Type of the result.
        result: TypeId,
    },
    /// A type with a syntax error that the parser reported. It unifies with every type.
    Error,
}

/// One module: a file, the declarations of a spec, or a part of the built-in library.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Its name: what precedes the `:` in a qualified name.
    pub name: Arc<str>,
    /// Its `use` lines. The core modules (`List`, `Set`, `Map`, `Option`, `String`, `Int`, `Random`, `Text`) need none.
    pub uses: Vec<Name>,
    /// Its types.
    pub types: Vec<TypeDecl>,
    /// Its functions.
    pub functions: Vec<FnDecl>,
    /// The nodes of all declarations, and of the expressions of rules in the same file.
    pub arena: Arena,
}

/// `type Name(A, B) = …;`
#[derive(Debug, Clone, PartialEq)]
pub struct TypeDecl {
    /// Its name. A type that has the same name as its module can be used without the module's name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Name>,
    /// Its definition.
    pub body: TypeBody,
    /// The doc comment before it, for the reference.
    pub doc: Option<Arc<str>>,
}

/// The right-hand side of a type declaration.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeBody {
    /// `{ a : T, b : U }`: a nominal type, different from every other record type with the same fields.
    Record(Vec<FieldDecl>),
    /// `A | B(T) | C(T, U)`
    Variant(Vec<ConstructorDecl>),
    /// Another name for a type, as in `type Names = Set(String)`. A single constructor without fields and a plain type
    /// name look alike: parsers represent a single name as an alias.
    Alias(TypeId),
}

/// `a : T` in a record type.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDecl {
    /// The field.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
}

/// `C(T, U)` in a variant type.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstructorDecl {
    /// Its name, unique in the module.
    pub name: Name,
    /// Types of its fields.
    pub fields: Vec<TypeId>,
}

/// `fn name(a : A, b) : R = e;`
#[derive(Debug, Clone, PartialEq)]
pub struct FnDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result type, if written.
    pub result: Option<TypeId>,
    /// Its body.
    pub body: FnBody,
    /// The doc comment before it, for the reference.
    pub doc: Option<Arc<str>>,
}

/// The body of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FnBody {
    /// An expression over the parameters.
    Expr(ExprId),
    /// Built in: `native fn size(xs : List(A)) : Int;`, for modules of the library only. All types are written.
    Native,
}

/// Owns the expressions, patterns and types of one file.
#[derive(Debug, Clone, Default)]
pub struct Arena {
    exprs: Vec<(Expr, u16)>,
    patterns: Vec<(Pattern, u16)>,
    types: Vec<(TypeExpr, u16)>,
    too_deep: Option<Span>,
}
