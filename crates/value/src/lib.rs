//! The typed expression language: syntax, type checker, compiler and evaluator of LALA's rules and functions.
//!
//! A front end parses its own notation into [`syntax`]. A [`Checker`] resolves names, infers types and reports errors.
//! [`Checker::finish`] compiles everything to a [`Program`], which a [`Machine`] evaluates many times, within
//! [`Limits`]. What only the surface language knows (an attribute, a node) is an external leaf.
//!
//! ```
//! use polysmith_source::{Diagnostics, SourceMap, Span};
//! use polysmith_value::syntax::{ExprKind, ExternalId, Module, Op};
//! use polysmith_value::{Checker, External, Machine, Origin, Value};
//!
//! // `this.n + 1`, where the surface language supplies `this.n`.
//! let mut sources = SourceMap::default();
//! let span = Span::new(sources.add("spec", "this.n + 1"), 0, 10);
//! let mut module = Module { name: "spec".into(), ..Module::default() };
//! let n = module.arena.expr(ExprKind::External(ExternalId(0)), span);
//! let one = module.arena.expr(ExprKind::Int("1".into()), span);
//! let sum = module.arena.expr(ExprKind::Op { op: Op::Add, args: vec![n, one] }, span);
//!
//! let (mut checker, mut found) = (Checker::new(), Diagnostics::default());
//! let module = checker.add(module, Origin::User);
//! checker.declare(&mut found);
//! let int = checker.int();
//! let entry = checker.expr(module, sum, None, &mut |_| External { ty: int, declared: None }, &mut found);
//! assert_eq!(checker.show(entry.ty), "Int");
//!
//! let program = checker.finish(&mut found).expect("nothing is wrong with it");
//! let value = program.eval(entry.id, &mut Machine::default(), &mut |_: ExternalId| Value::Int(41));
//! assert_eq!(value, Ok(Value::Int(42)));
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod arithmetic;
mod check;
mod code;
pub mod codes;
mod compile;
pub mod core;
mod failure;
mod machine;
mod native;
mod simple;
pub mod syntax;
mod types;
mod value;

pub use arithmetic::MAX_INT_BITS;
pub use check::{Checker, Entry, EntryId, External, ModuleId, Origin, TypeReason};
pub use code::Program;
pub use failure::{Failure, FailureKind};
pub use machine::{Externals, Limits, Machine, NoExternals};
pub use simple::SimpleExpr;
pub use types::Ty;
pub use value::{
    Closure, Data, List, MAX_VALUE_DEPTH, Map, Node, Set, Shape, Shapes, TUPLE, Text, TooDeep, Value,
};
