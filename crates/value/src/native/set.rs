//! `Set`. Functions that iterate over items are written in the language itself, on top of `Set:items`.

use super::{Args, Definition, length, plain};
use crate::failure::FailureKind;
use crate::value::{Set, Value};
use triomphe::Arc;

pub(super) const TABLE: &[Definition] = &[
    plain("Set", "empty", 0, |_| Ok(Value::Set(Arc::new(Set::default())))),
    plain("Set", "size", 1, |args| Ok(length(args.set(0)?.items().len()))),
    plain("Set", "contains", 2, |args| Ok(Value::Bool(args.set(0)?.items().contains(&args.values[1])))),
    plain("Set", "add", 2, |args| {
        let (mut set, item) = (args.set(0)?, args.take(1));
        Arc::make_mut(&mut set).insert(item)?;
        Ok(Value::Set(set))
    }),
    plain("Set", "remove", 2, |args| {
        let (mut set, item) = (args.set(0)?, args.take(1));
        Arc::make_mut(&mut set).remove(&item);
        Ok(Value::Set(set))
    }),
    plain("Set", "items", 1, |args| {
        let set = args.set(0)?;
        args.charge(set.items().len());
        Ok(Value::list(set.items().iter().cloned().collect())?)
    }),
    plain("Set", "union", 2, |args| {
        let (a, b) = larger_first(args)?;
        args.charge(b.items().len() * 4);
        let mut all = a;
        let set = Arc::make_mut(&mut all);
        b.items().iter().try_for_each(|item| set.insert(item.clone()))?;
        Ok(Value::Set(all))
    }),
    plain("Set", "intersection", 2, |args| {
        let (a, b) = larger_first(args)?;
        args.charge(b.items().len() * 4);
        let mut both = Set::default();
        b.items()
            .iter()
            .filter(|item| a.items().contains(*item))
            .try_for_each(|item| both.insert(item.clone()))?;
        Ok(Value::Set(Arc::new(both)))
    }),
    plain("Set", "difference", 2, |args| {
        let (mut a, b) = (args.set(0)?, args.set(1)?);
        args.charge(b.items().len() * 4);
        let set = Arc::make_mut(&mut a);
        b.items().iter().for_each(|item| set.remove(item));
        Ok(Value::Set(a))
    }),
    plain("Set", "is_subset", 2, |args| {
        let (a, b) = (args.set(0)?, args.set(1)?);
        args.charge(a.items().len());
        Ok(Value::Bool(a.items().iter().all(|item| b.items().contains(item))))
    }),
];

/// Both arguments, the one with more items first.
fn larger_first(args: &mut Args<'_>) -> Result<(Arc<Set>, Arc<Set>), FailureKind> {
    let (a, b) = (args.set(0)?, args.set(1)?);
    Ok(if a.items().len() >= b.items().len() { (a, b) } else { (b, a) })
}
