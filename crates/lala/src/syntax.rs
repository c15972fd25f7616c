//! The syntax tree of a specification, between the parser and the checks.
//!
//! Nothing is resolved here. Names have spans, expressions are untyped trees of the `value` crate
//! (`polysmith_value::syntax`). What could not be parsed was reported and is absent.

use polysmith_source::Span;
use polysmith_value::syntax::{ExprId, FnDecl, Name, TypeDecl, TypeId};

/// The syntax of the regular expressions of literal classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The usual syntax, in `.lala` files.
    Usual,
    /// The small dialect of the first implementation, in `.ls` files.
    Old,
}

/// A top-level item of a file or module.
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
        /// One production of it; `None` for the whole class.
        production: Option<Name>,
    },
}

/// A named group of types and functions inside a spec.
#[derive(Debug, Clone)]
pub(crate) struct Module {
    /// Its name, as used in `use` and calls.
    pub(crate) name: Name,
    /// Types, functions and uses. The checks report anything else.
    pub(crate) items: Vec<Item>,
}

/// How a class relates to one of the same name in an imported spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassMode {
    /// There must be no class of that name.
    New,
    /// Adds attributes and productions, and replaces productions of the same name.
    Extend,
    /// Replaces the class.
    Override,
}

/// `class Name { … }` or `class Name("regex") …`.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    /// `extend`, `override` or neither.
    pub(crate) mode: ClassMode,
    /// Its annotations.
    pub(crate) annotations: Vec<Annotation>,
    /// Its name.
    pub(crate) name: Name,
    /// The regular expression of a literal class.
    pub(crate) literal: Option<Text>,
    /// The dialect of the regular expression.
    pub(crate) dialect: Dialect,
    /// Declared attributes.
    pub(crate) attributes: Vec<Attribute>,
    /// Productions.
    pub(crate) productions: Vec<Production>,
    /// Locals, rules and requirements written directly in a literal class.
    pub(crate) body: Vec<Statement>,
    /// Its whole text.
    pub(crate) span: Span,
}

/// The direction in which a value flows.
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
    /// The keyword of the language.
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
    /// The direction in which its value flows.
    pub(crate) direction: Direction,
    /// Its name.
    pub(crate) name: Name,
    /// Its type; a guard has none.
    pub(crate) ty: Option<TypeId>,
}

/// `name("template") { … }` or `name (call) : Type { … }`.
#[derive(Debug, Clone)]
pub(crate) struct Production {
    /// Its annotations.
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
    /// An inner node, printed by a template.
    Tree(Template),
    /// A leaf with one value of a list.
    Generator {
        /// The expression of the list.
        call: ExprId,
        /// The type of a value.
        ty: TypeId,
        /// How a value is printed; by default as itself.
        template: Option<Template>,
    },
}

/// A statement in the body of a production.
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
    /// Its name without the `@`.
    pub(crate) name: Name,
    /// Its arguments.
    pub(crate) arguments: Vec<Argument>,
    /// Its whole text.
    pub(crate) span: Span,
}

/// An argument of an annotation.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    /// Its value.
    pub(crate) value: ArgumentValue,
    /// Its location.
    pub(crate) span: Span,
}

/// The value of an annotation's argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArgumentValue {
    /// A number.
    Int(i64),
    /// A string.
    Text(String),
    /// A name.
    Name(String),
}

/// A string with its location, quotes included.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// The text between the quotes: verbatim for a regular expression, otherwise with escapes replaced.
    pub(crate) text: String,
    /// Its location.
    pub(crate) span: Span,
}

/// The template of a production.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    /// Its parts, in order.
    pub(crate) parts: Vec<TemplatePart>,
    /// Its location, quotes included.
    pub(crate) span: Span,
}

/// A part of a template.
#[derive(Debug, Clone)]
pub(crate) enum TemplatePart {
    /// Fixed text.
    Text(String),
    /// `\n`: a new line at the same indentation.
    Line,
    /// `\+`: a new line, one level deeper.
    Indent,
    /// `\-`: a new line, one level shallower.
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
    /// Written as `\(${…}\)`: printed in parentheses if the precedences require them.
    pub(crate) parentheses: bool,
}
