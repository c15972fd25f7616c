//! `Map`. Functions that iterate over entries are written in the language itself, on top of `Map:entries`.

use super::{Definition, Run, length, loops, plain};
use crate::failure::FailureKind;
use crate::value::{Map, Value};
use triomphe::Arc;

pub(super) const TABLE: &[Definition] = &[
    plain("Map", "empty", 0, |_| Ok(Value::Map(Arc::new(Map::default())))),
    plain("Map", "size", 1, |args| Ok(length(args.map(0)?.entries().len()))),
    plain("Map", "contains", 2, |args| Ok(Value::Bool(args.map(0)?.entries().contains_key(&args.values[1])))),
    plain("Map", "get", 2, |args| {
        let map = args.map(0)?;
        Ok(map.entries().get(&args.values[1]).map_or(Value::Nil, |value| value.clone().some()))
    }),
    plain("Map", "at", 2, |args| {
        let map = args.map(0)?;
        let found = map.entries().get(&args.values[1]).cloned();
        found.ok_or_else(|| FailureKind::NoSuchKey(args.shapes.show(&args.values[1])))
    }),
    plain("Map", "put", 3, |args| {
        let (mut map, key, value) = (args.map(0)?, args.take(1), args.take(2));
        Arc::make_mut(&mut map).insert(key, value)?;
        Ok(Value::Map(map))
    }),
    plain("Map", "remove", 2, |args| {
        let (mut map, key) = (args.map(0)?, args.take(1));
        if map.entries().contains_key(&key) {
            Arc::make_mut(&mut map).remove(&key);
        }
        Ok(Value::Map(map))
    }),
    plain("Map", "keys", 1, |args| {
        let map = args.map(0)?;
        args.charge(map.entries().len());
        Ok(Value::list(map.entries().keys().cloned().collect())?)
    }),
    plain("Map", "values", 1, |args| {
        let map = args.map(0)?;
        args.charge(map.entries().len());
        Ok(Value::list(map.entries().values().cloned().collect())?)
    }),
    plain("Map", "entries", 1, |args| {
        let map = args.map(0)?;
        args.charge(map.entries().len() * 2);
        let pairs = map.entries().iter().map(|(key, value)| Value::tuple(&[key.clone(), value.clone()]));
        Ok(Value::list(pairs.collect::<Result<_, _>>()?)?)
    }),
    plain("Map", "merge", 2, |args| {
        let (mut map, more) = (args.map(0)?, args.map(1)?);
        args.charge(more.entries().len() * 4);
        let all = Arc::make_mut(&mut map);
        more.entries().iter().try_for_each(|(key, value)| all.insert(key.clone(), value.clone()))?;
        Ok(Value::Map(map))
    }),
    Definition { module: "Map", name: "where", arity: 3, run: Run::Loop(loops::lookup) },
];
