//! Syntax trees of `mini`.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Bool,
    Text,
    Array(Box<Type>),
    Record(String),
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Bool => f.write_str("bool"),
            Type::Text => f.write_str("string"),
            Type::Array(item) => write!(f, "{item}[]"),
            Type::Record(name) => f.write_str(name),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub name: String,
    pub type_: Type,
}

#[derive(Debug)]
pub(crate) struct Record {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signature {
    pub name: String,
    /// The first one is the fuel.
    pub params: Vec<Field>,
    pub result: Type,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub signature: Signature,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Default)]
pub(crate) struct Program {
    pub records: Vec<Record>,
    pub prototypes: Vec<Signature>,
    pub globals: Vec<Stmt>,
    pub functions: Vec<Function>,
    pub main: Vec<Stmt>,
}

#[derive(Debug)]
pub(crate) enum Stmt {
    Define { field: Field, init: Expr },
    Assign { place: Expr, value: Expr },
    Print(Expr),
    Call(Expr),
    If { cond: Expr, yes: Vec<Stmt>, no: Vec<Stmt> },
    While { cond: Expr, max: i64, body: Vec<Stmt> },
    For { name: String, turns: i64, body: Vec<Stmt> },
    Break,
    Continue,
    Return(Expr),
}

#[derive(Debug)]
pub(crate) enum Expr {
    Int(i64),
    Bool(bool),
    Text(String),
    Array(Vec<Expr>),
    Record(String, Vec<(String, Expr)>),
    Variable(String),
    Element(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, String),
    Call(String, Vec<Expr>),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}
