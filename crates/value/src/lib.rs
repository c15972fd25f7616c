//! The typed expression core: what LALA's rules and functions are made of, whatever their surface looks like.
//!
//! A front end parses its own notation into [`syntax`].

mod arithmetic;
mod check;
mod code;
pub mod codes;
mod compile;
pub mod core;
mod failure;
mod machine;
mod native;
pub mod syntax;
mod types;
mod value;

pub use arithmetic::MAX_INT_BITS;
pub use check::{Checker, Entry, EntryId, External, ModuleId, Origin, Why};
pub use code::Program;
pub use failure::{Failure, Reason};
pub use machine::{Externals, Limits, Machine, NoExternals};
pub use types::Ty;
pub use value::{
    Closure, Data, List, MAX_VALUE_DEPTH, Map, Node, Set, Shape, Shapes, TUPLE, Text, TooDeep, Value,
};
