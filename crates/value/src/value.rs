//! Run-time values: 16 bytes each, cheap to clone, shareable between threads.
//!
//! Integers of 64 bits, short strings, Booleans, `nil`, constructors without fields and nodes are stored inline; all
//! other values are one thin reference-counted pointer. Every value knows how deep it nests ([`Value::depth`]), and
//! none nests deeper than [`MAX_VALUE_DEPTH`], so comparing, hashing, formatting and dropping may recurse.
//!
//! Invariants: a [`Value::Big`] is outside the range of [`Value::Int`]. [`Value::Some`] occurs only around `nil` or
//! another `Some` (any other value represents its own `Some`), so `T?` costs nothing. A constructor without fields is
//! always a [`Value::Tag`], one with fields always a [`Value::Data`].

mod data;
mod index;
mod list;
mod order;
mod show;
mod table;
mod text;

pub use data::Data;
pub(crate) use index::Index;
pub use list::List;
pub use show::{Shape, Shapes};
pub use table::{Map, Set};
pub use text::Text;

use dashu_int::IBig;
use triomphe::Arc;

/// How deep records, variants and collections may nest: enough for every type term, small enough for recursion over
/// values. Long sequences are lists, which do not nest.
pub const MAX_VALUE_DEPTH: u32 = 2_000;

/// The shape number of tuples. Record types and constructors of a program have the other numbers.
pub const TUPLE: u32 = 0;

/// A value. The [module](self) documents the invariants.
#[derive(Clone, Default)]
pub enum Value {
    /// `nil`, no value of an optional type.
    #[default]
    Nil,
    /// A value of type `T??` that is `nil` one level further in.
    Some(Arc<Value>),
    /// `true`, `false`.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// Any other integer.
    Big(Arc<IBig>),
    /// A string.
    Str(Text),
    /// A constructor without fields.
    Tag(u32),
    /// A tuple, a record, or a constructor with its fields.
    Data(Data),
    /// A list.
    List(Arc<List>),
    /// A set.
    Set(Arc<Set>),
    /// A map.
    Map(Arc<Map>),
    /// A function without captured values.
    Function(u32),
    /// A function with captured values.
    Closure(Arc<Closure>),
    /// A node of the tree under construction.
    Node(Node),
}

const _: () = assert!(size_of::<Value>() == 16);

/// A node of the tree under construction: the number that the engine gave it, and the key of its random source.
///
/// The key is in two halves so that the struct is aligned to 4 bytes: a value would need 24 bytes otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    id: u32,
    key: [u32; 2],
}

impl Node {
    /// Creates a node. Values drawn from it depend only on the key.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the key")]
    pub fn new(id: u32, key: u64) -> Node {
        Node { id, key: [(key >> 32) as u32, key as u32] }
    }

    /// The number that the engine gave it.
    pub fn id(self) -> u32 {
        self.id
    }

    /// The key of its random source.
    pub fn key(self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }
}

/// A function with captured values.
#[derive(Debug)]
pub struct Closure {
    pub(crate) function: u32,
    pub(crate) captures: Box<[Value]>,
}

/// The error of building a value that would nest deeper than [`MAX_VALUE_DEPTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooDeep;

impl Value {
    /// A string.
    pub fn string(text: &str) -> Value {
        Value::Str(Text::new(text))
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Result<Value, TooDeep> {
        List::new(items).map(Value::List)
    }

    /// A tuple.
    pub fn tuple(items: &[Value]) -> Result<Value, TooDeep> {
        Data::new(TUPLE, items).map(Value::Data)
    }

    /// An integer of any size.
    pub fn big(integer: IBig) -> Value {
        match i64::try_from(&integer) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Arc::new(integer)),
        }
    }

    /// Wraps a value of type `T` into `T?`. Every value represents its own `Some`, except `nil` and `Some(nil)`.
    pub fn some(self) -> Value {
        match self {
            Value::Nil | Value::Some(_) => Value::Some(Arc::new(self)),
            _ => self,
        }
    }

    /// The value inside a `T?` that is not `nil`.
    pub fn unwrap_some(self) -> Value {
        match self {
            Value::Some(inner) => (*inner).clone(),
            _ => self,
        }
    }

    /// Whether the value is stored inline, so that dropping it does nothing.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(
            self,
            Value::Nil
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Str(Text::Short { .. })
                | Value::Tag(_)
                | Value::Function(_)
                | Value::Node(_)
        )
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The integer, if it is one of 64 bits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(integer) => Some(*integer),
            _ => None,
        }
    }

    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list.as_slice()),
            _ => None,
        }
    }

    /// The nesting depth: 0 for inline values and strings.
    pub fn depth(&self) -> u32 {
        match self {
            Value::Data(data) => data.depth(),
            Value::List(list) => list.depth(),
            Value::Set(set) => set.depth(),
            Value::Map(map) => map.depth(),
            Value::Some(inner) => inner.depth() + 1,
            Value::Closure(closure) => below(&closure.captures),
            _ => 0,
        }
    }
}

/// The depth of a value that contains `items`.
fn below(items: &[Value]) -> u32 {
    1 + items.iter().map(Value::depth).max().unwrap_or(0)
}

/// Like [`below`], with an error if the limit is exceeded.
fn depth_of(items: &[Value]) -> Result<u32, TooDeep> {
    let depth = below(items);
    if depth > MAX_VALUE_DEPTH { Err(TooDeep) } else { Ok(depth) }
}

impl Closure {
    pub(crate) fn value(function: u32, captures: &[Value]) -> Result<Value, TooDeep> {
        depth_of(captures)?;
        Ok(Value::Closure(Arc::new(Closure { function, captures: captures.into() })))
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Value {
        Value::Int(integer)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::string(text)
    }
}
