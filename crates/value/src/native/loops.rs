//! Built-in functions that call a function for each item, as state machines.
//!
//! The machine asks a [`Loop`] for the arguments of the next call, makes the call like any other, and passes the result
//! back. So deep recursion through `List:map` uses only the machine's own stack.

use super::list::MAX_RANGE;
use super::{Args, length};
use crate::failure::FailureKind;
use crate::value::{Index, List, Map, Value};
use triomphe::Arc;

/// A running loop.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) function: Value,
    items: Items,
    at: usize,
    state: State,
}

/// What the loop iterates over.
enum Items {
    List(Arc<List>),
    /// The integers from 0 to a bound.
    Count(usize),
    /// The changes of a map since it was indexed: key, value, whether it was added.
    Changes(Vec<(Value, Value, bool)>),
}

#[derive(Debug)]
enum State {
    Map(Vec<Value>),
    Filter(Vec<Value>),
    Fold(Value),
    Any,
    All,
    Find,
    FlatMap(Vec<Value>),
    SortBy(Vec<Value>),
    GroupBy(Map),
    /// The map, its partial index, and the wanted key.
    Lookup(Arc<Map>, Arc<Index>, Value),
}

/// What the machine must do next.
pub(crate) enum Next {
    /// Call the function with these arguments; an accumulator comes first.
    Call(Option<Value>, Value),
    /// Finish with this result.
    Done(Value),
}

impl Loop {
    fn over(args: &mut Args<'_>, state: State) -> Result<Loop, FailureKind> {
        let items = Items::List(args.list(0)?);
        let function = args.values.last_mut().map(std::mem::take).unwrap_or_default();
        Ok(Loop { function, items, at: 0, state })
    }

    fn item(&self, at: usize) -> Option<Value> {
        match &self.items {
            Items::List(list) => list.as_slice().get(at).cloned(),
            Items::Count(count) => (at < *count).then(|| length(at)),
            Items::Changes(changes) => changes.get(at).map(|(_, value, _)| value.clone()),
        }
    }

    /// Whether the loop only fills a cache, which may be full already.
    pub(crate) fn is_memory(&self) -> bool {
        matches!(self.state, State::Lookup(..))
    }

    /// Returns the first call, or the result if there are no items.
    pub(crate) fn start(&mut self) -> Result<Next, FailureKind> {
        self.call_or_finish()
    }

    /// Takes the result of the last call and returns the next step.
    pub(crate) fn resume(&mut self, result: Value) -> Result<Next, FailureKind> {
        let at = self.at;
        self.at += 1;
        let yes = matches!(result, Value::Bool(true));
        let item = |this: &Loop| this.item(at).unwrap_or_default();
        match &mut self.state {
            State::Map(out) | State::SortBy(out) => out.push(result),
            State::FlatMap(out) => out.extend_from_slice(result.as_list().unwrap_or_default()),
            State::Fold(so_far) => *so_far = result,
            State::Any if yes => return Ok(Next::Done(Value::Bool(true))),
            State::All if !yes => return Ok(Next::Done(Value::Bool(false))),
            State::Find if yes => return Ok(Next::Done(item(self).some())),
            State::Any | State::All | State::Find => {}
            State::Filter(_) if !yes => {}
            State::Filter(_) => {
                let kept = item(self);
                if let State::Filter(out) = &mut self.state {
                    out.push(kept);
                }
            }
            State::GroupBy(_) => {
                let item = item(self);
                if let State::GroupBy(groups) = &mut self.state {
                    add_to_group(groups, result, item)?;
                }
            }
            State::Lookup(_, index, _) => {
                if let Items::Changes(changes) = &self.items {
                    let (key, value, added) = &changes[at];
                    Arc::make_mut(index).apply(result, key, value, *added)?;
                }
            }
        }
        self.call_or_finish()
    }

    fn call_or_finish(&mut self) -> Result<Next, FailureKind> {
        match self.item(self.at) {
            Some(item) => {
                let so_far = match &mut self.state {
                    State::Fold(so_far) => Some(std::mem::take(so_far)),
                    _ => None,
                };
                Ok(Next::Call(so_far, item))
            }
            None => self.finish().map(Next::Done),
        }
    }

    fn finish(&mut self) -> Result<Value, FailureKind> {
        match &mut self.state {
            State::Map(out) | State::Filter(out) | State::FlatMap(out) => {
                Ok(Value::list(std::mem::take(out))?)
            }
            State::Fold(so_far) => Ok(std::mem::take(so_far)),
            State::Any => Ok(Value::Bool(false)),
            State::All => Ok(Value::Bool(true)),
            State::Find => Ok(Value::Nil),
            State::SortBy(keys) => {
                let Items::List(list) = &self.items else { return Ok(Value::Nil) };
                let mut pairs: Vec<(Value, &Value)> =
                    std::mem::take(keys).into_iter().zip(list.as_slice()).collect();
                pairs.sort_by(|a, b| a.0.cmp(&b.0));
                Ok(Value::list(pairs.into_iter().map(|(_, item)| item.clone()).collect())?)
            }
            State::GroupBy(groups) => Ok(Value::Map(Arc::new(std::mem::take(groups)))),
            State::Lookup(map, index, wanted) => {
                let found = index.values(wanted);
                if self.at > 0 {
                    map.remember(&self.function, index.clone());
                }
                Ok(Value::List(found))
            }
        }
    }
}

fn add_to_group(groups: &mut Map, key: Value, item: Value) -> Result<(), FailureKind> {
    let group = match groups.remove(&key) {
        Some(Value::List(group)) => List::extended(group, &[item])?,
        _ => List::new(vec![item])?,
    };
    Ok(groups.insert(key, Value::List(group))?)
}

pub(super) fn map(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::Map(Vec::new()))
}

pub(super) fn filter(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::Filter(Vec::new()))
}

pub(super) fn fold(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    let start = args.take(1);
    Loop::over(args, State::Fold(start))
}

pub(super) fn any(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::Any)
}

pub(super) fn all(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::All)
}

pub(super) fn find(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::Find)
}

pub(super) fn flat_map(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::FlatMap(Vec::new()))
}

pub(super) fn sort_by(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::SortBy(Vec::new()))
}

pub(super) fn group_by(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    Loop::over(args, State::GroupBy(Map::default()))
}

pub(super) fn tabulate(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    let count = usize::try_from(args.int(0)?.max(0)).unwrap_or(usize::MAX);
    if count > MAX_RANGE {
        return Err(FailureKind::Argument(format!("more than {MAX_RANGE} items")));
    }
    Ok(Loop { function: args.take(1), items: Items::Count(count), at: 0, state: State::Map(Vec::new()) })
}

/// `(Map:where m key wanted)`: calls the key function only for entries that changed since the last lookup by this key.
pub(super) fn lookup(args: &mut Args<'_>) -> Result<Loop, FailureKind> {
    let (map, function, wanted) = (args.map(0)?, args.take(1), args.take(2));
    let (index, changes) = map.index(&function);
    let state = State::Lookup(map, index, wanted);
    Ok(Loop { function, items: Items::Changes(changes), at: 0, state })
}

impl std::fmt::Debug for Items {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Items::List(list) => write!(f, "{} items", list.len()),
            Items::Count(count) => write!(f, "0..{count}"),
            Items::Changes(changes) => write!(f, "{} changes", changes.len()),
        }
    }
}
