//! The built-in functions. A library module that declares a native function gets it by module and name.
//!
//! There are two kinds: a plain function computes its result from its arguments; a loop ([`Loop`]) calls a function for
//! each item. The machine drives loops, so that no built-in function runs inside another.

mod list;
mod loops;
mod map;
mod random;
mod set;
mod text;

pub(crate) use loops::{Loop, Next};

use crate::failure::FailureKind;
use crate::value::{List, Map, Set, Shapes, Value};
use triomphe::Arc;

/// Identifies a built-in function: the table and the index in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Native {
    table: u8,
    at: u8,
}

pub(crate) struct Definition {
    module: &'static str,
    name: &'static str,
    arity: usize,
    pub(crate) run: Run,
}

#[derive(Clone, Copy)]
pub(crate) enum Run {
    Plain(fn(&mut Args<'_>) -> Result<Value, FailureKind>),
    Loop(fn(&mut Args<'_>) -> Result<Loop, FailureKind>),
    /// Plain, with the number of the call site as an additional last argument.
    Draw(fn(&mut Args<'_>) -> Result<Value, FailureKind>),
    /// The surface language computes it.
    Host,
}

/// The table number of functions that the surface language supplies.
const HOST: u8 = u8::MAX;
static HOST_DEFINITION: Definition = Definition { module: "", name: "", arity: 0, run: Run::Host };

/// The arguments of a call. A checked program passes the right types; a wrong type is a failure, not a panic.
pub(crate) struct Args<'a> {
    pub(crate) values: &'a mut [Value],
    pub(crate) shapes: &'a Shapes,
    /// The cost of the call in addition to the call itself; see [`Args::charge`].
    pub(crate) cost: u64,
}

static TABLES: [&[Definition]; 5] = [list::TABLE, set::TABLE, map::TABLE, text::TABLE, random::TABLE];

/// Finds the built-in function that a module of the library declares.
pub(crate) fn find(module: &str, name: &str, arity: usize) -> Option<Native> {
    TABLES.iter().zip(0..).find_map(|(definitions, table)| {
        let named = |native: &Definition| native.module == module && native.name == name;
        let at = definitions.iter().position(named)?;
        let native = Native { table, at: u8::try_from(at).ok()? };
        (definitions[at].arity == arity).then_some(native)
    })
}

impl Native {
    /// A function that the surface language supplies, by its number. There are at most 256.
    pub(crate) fn host(number: usize) -> Option<Native> {
        Some(Native { table: HOST, at: u8::try_from(number).ok()? })
    }

    /// The number of a function that the surface language supplies.
    pub(crate) fn host_number(self) -> u32 {
        u32::from(self.at)
    }

    #[inline]
    pub(crate) fn definition(self) -> &'static Definition {
        if self.table == HOST {
            return &HOST_DEFINITION;
        }
        &TABLES[usize::from(self.table)][usize::from(self.at)]
    }

    /// Whether it draws from a random source.
    pub(crate) fn draws(self) -> bool {
        matches!(self.definition().run, Run::Draw(_))
    }
}

/// Creates a table entry of a plain function.
const fn plain(
    module: &'static str,
    name: &'static str,
    arity: usize,
    run: fn(&mut Args<'_>) -> Result<Value, FailureKind>,
) -> Definition {
    Definition { module, name, arity, run: Run::Plain(run) }
}

impl Args<'_> {
    pub(crate) fn take(&mut self, at: usize) -> Value {
        std::mem::take(&mut self.values[at])
    }

    /// Adds the cost of processing `items` items: sixteen of them cost a step.
    fn charge(&mut self, items: usize) {
        self.cost += items as u64 / 16;
    }

    fn list(&mut self, at: usize) -> Result<Arc<List>, FailureKind> {
        match self.take(at) {
            Value::List(list) => Ok(list),
            other => Err(wrong("a list", &other)),
        }
    }

    fn set(&mut self, at: usize) -> Result<Arc<Set>, FailureKind> {
        match self.take(at) {
            Value::Set(set) => Ok(set),
            other => Err(wrong("a set", &other)),
        }
    }

    fn map(&mut self, at: usize) -> Result<Arc<Map>, FailureKind> {
        match self.take(at) {
            Value::Map(map) => Ok(map),
            other => Err(wrong("a map", &other)),
        }
    }

    fn str(&self, at: usize) -> Result<&str, FailureKind> {
        self.values[at].as_str().ok_or_else(|| wrong("a string", &self.values[at]))
    }

    /// An argument that must be an integer of 64 bits.
    fn int(&self, at: usize) -> Result<i64, FailureKind> {
        self.values[at].as_int().ok_or_else(|| wrong("an integer of 64 bits", &self.values[at]))
    }
}

fn wrong(wanted: &str, found: &Value) -> FailureKind {
    FailureKind::Argument(format!("expected {wanted}, found {found:?}"))
}

/// Converts a length to a value.
fn length(len: usize) -> Value {
    Value::Int(i64::try_from(len).unwrap_or(i64::MAX))
}

/// Checks that `at` is in `0..len`.
fn position(at: i64, len: usize) -> Result<usize, FailureKind> {
    usize::try_from(at).ok().filter(|at| *at < len).ok_or(FailureKind::OutOfRange(at, len))
}
