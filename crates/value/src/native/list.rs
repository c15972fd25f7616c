//! The functions of `List`.

use super::loops::{self, Loop};
use super::{Args, Definition, Run, length, plain, position};
use crate::failure::FailureKind;
use crate::value::{List, Set, Value};
use triomphe::Arc;

const fn each(
    name: &'static str,
    arity: usize,
    run: fn(&mut Args<'_>) -> Result<Loop, FailureKind>,
) -> Definition {
    Definition { module: "List", name, arity, run: Run::Loop(run) }
}

pub(super) const TABLE: &[Definition] = &[
    plain("List", "size", 1, |args| Ok(length(args.list(0)?.len()))),
    plain("List", "at", 2, |args| {
        let (list, at) = (args.list(0)?, args.int(1)?);
        Ok(list.as_slice()[position(at, list.len())?].clone())
    }),
    plain("List", "get", 2, |args| {
        let (list, at) = (args.list(0)?, args.int(1)?);
        let found = usize::try_from(at).ok().and_then(|at| list.as_slice().get(at).cloned());
        Ok(found.map_or(Value::Nil, Value::some))
    }),
    plain("List", "push", 2, |args| {
        let (list, item) = (args.list(0)?, args.take(1));
        args.charge(if list.is_unique() { 0 } else { list.len() });
        Ok(Value::List(List::extended(list, &[item])?))
    }),
    plain("List", "concat", 2, |args| {
        let (list, more) = (args.list(0)?, args.list(1)?);
        args.charge(list.len() + more.len());
        Ok(Value::List(List::extended(list, more.as_slice())?))
    }),
    plain("List", "flatten", 1, |args| {
        let lists = args.list(0)?;
        let mut all = Vec::new();
        for list in lists.as_slice() {
            all.extend_from_slice(list.as_list().unwrap_or_default());
        }
        args.charge(all.len());
        Ok(Value::list(all)?)
    }),
    plain("List", "slice", 3, |args| {
        let (list, from, to) = (args.list(0)?, args.int(1)?, args.int(2)?);
        let clamp = |at: i64| usize::try_from(at.max(0)).unwrap_or(usize::MAX).min(list.len());
        let (from, to) = (clamp(from), clamp(to));
        Ok(Value::List(List::window(&list, from.min(to), to)))
    }),
    plain("List", "reverse", 1, |args| {
        let list = args.list(0)?;
        args.charge(list.len());
        Ok(Value::list(list.as_slice().iter().rev().cloned().collect())?)
    }),
    plain("List", "sort", 1, |args| {
        let list = args.list(0)?;
        args.charge(list.len() * 8);
        let mut items = list.as_slice().to_vec();
        items.sort();
        Ok(Value::list(items)?)
    }),
    plain("List", "distinct", 1, |args| {
        let list = args.list(0)?;
        args.charge(list.len() * 4);
        let mut seen = Set::default();
        let mut items = Vec::new();
        for item in list.as_slice() {
            if !seen.items().contains(item) {
                seen.insert(item.clone())?;
                items.push(item.clone());
            }
        }
        Ok(Value::list(items)?)
    }),
    plain("List", "contains", 2, |args| {
        let (list, item) = (args.list(0)?, args.take(1));
        args.charge(list.len());
        Ok(Value::Bool(list.as_slice().contains(&item)))
    }),
    plain("List", "range", 2, |args| {
        let (from, to) = (args.int(0)?, args.int(1)?);
        let len = usize::try_from(to.saturating_sub(from).max(0)).unwrap_or(usize::MAX);
        if len > MAX_RANGE {
            return Err(FailureKind::Argument(format!("a range of more than {MAX_RANGE} integers")));
        }
        args.charge(len);
        Ok(Value::list((from..to).map(Value::Int).collect())?)
    }),
    plain("List", "repeat", 2, |args| {
        let (item, times) = (args.take(0), args.int(1)?);
        let times = usize::try_from(times.max(0)).unwrap_or(usize::MAX);
        if times > MAX_RANGE {
            return Err(FailureKind::Argument(format!("more than {MAX_RANGE} repetitions")));
        }
        args.charge(times);
        Ok(Value::list(vec![item; times])?)
    }),
    plain("List", "zip", 2, |args| {
        let (a, b) = (args.list(0)?, args.list(1)?);
        args.charge(a.len().min(b.len()) * 2);
        let pairs = a.as_slice().iter().zip(b.as_slice());
        let pairs: Result<Vec<Value>, _> =
            pairs.map(|(a, b)| Value::tuple(&[a.clone(), b.clone()])).collect();
        Ok(Value::list(pairs?)?)
    }),
    plain("List", "to_set", 1, |args| {
        let list = args.list(0)?;
        args.charge(list.len() * 4);
        let mut set = Set::default();
        list.as_slice().iter().try_for_each(|item| set.insert(item.clone()))?;
        Ok(Value::Set(Arc::new(set)))
    }),
    each("map", 2, loops::map),
    each("filter", 2, loops::filter),
    each("fold", 3, loops::fold),
    each("any", 2, loops::any),
    each("all", 2, loops::all),
    each("find", 2, loops::find),
    each("flat_map", 2, loops::flat_map),
    each("sort_by", 2, loops::sort_by),
    each("group_by", 2, loops::group_by),
    each("tabulate", 2, loops::tabulate),
];

/// The maximum length of a list that one call creates from a count.
pub(super) const MAX_RANGE: usize = 10_000_000;
