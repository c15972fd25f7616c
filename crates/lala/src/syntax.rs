//! A spec as it was written: the tree between the parser and the checks.
//!
//! Nothing is resolved here. Names carry their spans, expressions are the value core's own untyped trees
//! (`polysmith_value::syntax`), and what the parser could not read is simply not there: it was reported.

use polysmith_source::Span;
use polysmith_value::syntax::{ExprId, FnDecl, Name, TypeDecl, TypeId};

/// Which regular expressions literal classes are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The usual syntax: `.lala` files.
    Usual,
    /// The small dialect of the first implementation: `.ls` files.
    Old,
}

/// A part of a file or of a module.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// `use Name;`
    Use(Name),
    /// `import "file.lala";`
    Import(Text),
    /// `module Name { … }`
    Module(Module),
    /// `type Name = …;`
    Type(TypeDecl),
    /// `fn name(…) = …;`
    Function(FnDecl),
    /// `class Name …`
    Class(Class),
    /// `without Class.production;` or `without Class;`
    Without {
        /// The class.
        class: Name,
        /// One production of it, or all of it.
        production: Option<Name>,
    },
}

/// A named group of types and functions inside a spec.
#[derive(Debug, Clone)]
pub(crate) struct Module {
    /// Its name, as `use` and calls say it.
    pub(crate) name: Name,
    /// Types, functions and uses; anything else is reported by the checks.
    pub(crate) items: Vec<Item>,
}

/// How a class relates to one of the same name in an imported spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassMode {
    /// There must be none.
    New,
    /// Adds attributes and productions, replaces productions of the same name.
    Extend,
    /// Takes its place.
    Override,
}

/// `class Name { … }` or `class Name("regex") …`.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    /// `extend`, `override` or neither.
    pub(crate) mode: ClassMode,
    /// What stands before it.
    pub(crate) annotations: Vec<Annotation>,
    /// Its name.
    pub(crate) name: Name,
    /// The regular expression of a literal class.
    pub(crate) literal: Option<Text>,
    /// How it is written.
    pub(crate) dialect: Dialect,
    /// Declared attributes.
    pub(crate) attributes: Vec<Attribute>,
    /// Productions.
    pub(crate) productions: Vec<Production>,
    /// Locals, rules and requirements written directly in a literal class.
    pub(crate) body: Vec<Statement>,
    /// All of it.
    pub(crate) span: Span,
}

/// Which way a value flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the parent.
    Inherited,
    /// To the parent.
    Synthesized,
    /// A condition.
    Guard,
}

impl Direction {
    /// The word of the language.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Direction::Inherited => "inh",
            Direction::Synthesized => "syn",
            Direction::Guard => "grd",
        }
    }
}

/// `inh name : Type;`
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    /// Which way it flows.
    pub(crate) direction: Direction,
    /// Its name.
    pub(crate) name: Name,
    /// Its type; a guard has none.
    pub(crate) ty: Option<TypeId>,
}

/// `name("template") { … }` or `name (call) : Type { … }`.
#[derive(Debug, Clone)]
pub(crate) struct Production {
    /// What stands before it.
    pub(crate) annotations: Vec<Annotation>,
    /// Its name.
    pub(crate) name: Name,
    /// What it builds.
    pub(crate) form: Form,
    /// Locals, rules and requirements.
    pub(crate) body: Vec<Statement>,
}

/// What a production builds.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// A node with children, printed by a template.
    Tree(Template),
    /// One childless node for each value of a list.
    Generator {
        /// The list.
        call: ExprId,
        /// The type of a value.
        ty: TypeId,
        /// How a value is printed, unless as itself.
        template: Option<Template>,
    },
}

/// A line of a production's body.
#[derive(Debug, Clone)]
pub(crate) enum Statement {
    /// `loc name = value;`
    Local {
        /// Its name.
        name: Name,
        /// Its value.
        value: ExprId,
    },
    /// `node.attribute = value;`
    Rule {
        /// `this` or a child.
        node: Name,
        /// The attribute.
        attribute: Name,
        /// Its value.
        value: ExprId,
    },
    /// `require value;`
    Require {
        /// The condition.
        value: ExprId,
    },
}

/// `@name(arguments)`.
#[derive(Debug, Clone)]
pub(crate) struct Annotation {
    /// Its name without the sign.
    pub(crate) name: Name,
    /// What stands in its parentheses.
    pub(crate) arguments: Vec<Argument>,
    /// All of it.
    pub(crate) span: Span,
}

/// An argument of an annotation.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    /// What it says.
    pub(crate) value: ArgumentValue,
    /// Where.
    pub(crate) span: Span,
}

/// What an argument of an annotation can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArgumentValue {
    /// A number.
    Int(i64),
    /// A string.
    Text(String),
    /// A name.
    Name(String),
}

/// A string and where it stands, quotes included.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// What stands between the quotes: as written for a regular expression, else with escapes replaced.
    pub(crate) text: String,
    /// Where.
    pub(crate) span: Span,
}

/// What a production prints.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    /// Its parts, in order.
    pub(crate) parts: Vec<Part>,
    /// Where, quotes included.
    pub(crate) span: Span,
}

/// A part of a template.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// Text as it is.
    Text(String),
    /// `\n`: a new line at the present indentation.
    Line,
    /// `\+`: a new line, one step further in.
    Indent,
    /// `\-`: a new line, one step further out.
    Unindent,
    /// `${name : Class}`.
    Child(Child),
    /// `#{expression}`.
    Print(ExprId),
}

/// A child of a production.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    /// Its name in the rules.
    pub(crate) name: Name,
    /// Its class.
    pub(crate) class: Name,
    /// Written as `\(${…}\)`: parentheses stand around it where the precedences ask for them.
    pub(crate) parentheses: bool,
}
