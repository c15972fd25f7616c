//! The built-in functions, found by module and name when a library module declares them.
//!
//! Two kinds: a plain one computes its result from its arguments; a loop ([`Loop`]) calls a function for each item and
//! is stepped by the machine, so that no built-in function ever runs inside another.

mod list;
mod loops;
mod map;
mod random;
mod set;
mod text;

pub(crate) use loops::{Loop, Next};

use crate::failure::Reason;
use crate::value::{List, Map, Set, Shapes, Value};
use triomphe::Arc;

/// A built-in function: its table, and its place there.
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
    Plain(fn(&mut Args<'_>) -> Result<Value, Reason>),
    Loop(fn(&mut Args<'_>) -> Result<Loop, Reason>),
    /// Plain, with the number of the place of the call as a last argument.
    Draw(fn(&mut Args<'_>) -> Result<Value, Reason>),
}

/// The arguments of a call. Checked programs have the right types; what is wrong nevertheless is a failure.
pub(crate) struct Args<'a> {
    pub(crate) values: &'a mut [Value],
    pub(crate) shapes: &'a Shapes,
    /// What the call costs besides the call itself; see [`Args::charge`].
    pub(crate) cost: u64,
}

static TABLES: [&[Definition]; 5] = [list::TABLE, set::TABLE, map::TABLE, text::TABLE, random::TABLE];

/// The built-in function that a module of the library declares.
pub(crate) fn find(module: &str, name: &str, arity: usize) -> Option<Native> {
    TABLES.iter().zip(0..).find_map(|(definitions, table)| {
        let named = |native: &Definition| native.module == module && native.name == name;
        let at = definitions.iter().position(named)?;
        let native = Native { table, at: u8::try_from(at).ok()? };
        (definitions[at].arity == arity).then_some(native)
    })
}

impl Native {
    #[inline]
    pub(crate) fn definition(self) -> &'static Definition {
        &TABLES[usize::from(self.table)][usize::from(self.at)]
    }

    /// Whether it draws from a random source.
    pub(crate) fn draws(self) -> bool {
        matches!(self.definition().run, Run::Draw(_))
    }
}

/// Entries of the tables.
const fn plain(
    module: &'static str,
    name: &'static str,
    arity: usize,
    run: fn(&mut Args<'_>) -> Result<Value, Reason>,
) -> Definition {
    Definition { module, name, arity, run: Run::Plain(run) }
}

impl Args<'_> {
    pub(crate) fn take(&mut self, at: usize) -> Value {
        std::mem::take(&mut self.values[at])
    }

    /// Says that the call handled so many items; sixteen of them cost a step.
    fn charge(&mut self, items: usize) {
        self.cost += items as u64 / 16;
    }

    fn list(&mut self, at: usize) -> Result<Arc<List>, Reason> {
        match self.take(at) {
            Value::List(list) => Ok(list),
            other => Err(wrong("a list", &other)),
        }
    }

    fn set(&mut self, at: usize) -> Result<Arc<Set>, Reason> {
        match self.take(at) {
            Value::Set(set) => Ok(set),
            other => Err(wrong("a set", &other)),
        }
    }

    fn map(&mut self, at: usize) -> Result<Arc<Map>, Reason> {
        match self.take(at) {
            Value::Map(map) => Ok(map),
            other => Err(wrong("a map", &other)),
        }
    }

    fn str(&self, at: usize) -> Result<&str, Reason> {
        self.values[at].as_str().ok_or_else(|| wrong("a string", &self.values[at]))
    }

    /// An integer; one of more than 64 bits is refused.
    fn int(&self, at: usize) -> Result<i64, Reason> {
        self.values[at].as_int().ok_or_else(|| wrong("an integer of 64 bits", &self.values[at]))
    }
}

fn wrong(wanted: &str, found: &Value) -> Reason {
    Reason::Argument(format!("expected {wanted}, found {found:?}"))
}

/// A count as a value.
fn length(len: usize) -> Value {
    Value::Int(i64::try_from(len).unwrap_or(i64::MAX))
}

/// A position in `0..len`.
fn position(at: i64, len: usize) -> Result<usize, Reason> {
    usize::try_from(at).ok().filter(|at| *at < len).ok_or(Reason::OutOfRange(at, len))
}
