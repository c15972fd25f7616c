//! Laws of the structural order, equality and fingerprint, on random values of mixed kinds.

use polysmith_value::{Data, Map, Node, Set, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use std::cmp::Ordering;
use triomphe::Arc;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        (-3..4_i64).prop_map(Value::Int),
        any::<i64>().prop_map(Value::Int),
        any::<i128>().prop_map(|wide| Value::big(wide.into())),
        "[ab\0é]{0,3}".prop_map(|text| Value::string(&text)),
        "[ab]{13,16}".prop_map(|text| Value::string(&text)),
        (1..4_u32).prop_map(Value::Tag),
        (0..2_u32, 0..2_u64).prop_map(|(id, key)| Value::Node(Node::new(id, key))),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| Value::list(items).expect("shallow")),
            (0..4_u32, vec(inner.clone(), 1..4))
                .prop_map(|(shape, items)| Value::Data(Data::new(shape, &items).expect("shallow"))),
            vec(inner.clone(), 0..4).prop_map(|items| set(&items)),
            vec((inner.clone(), inner.clone()), 0..4).prop_map(|entries| map(&entries)),
            inner.prop_map(Value::some),
        ]
    })
}

fn set(items: &[Value]) -> Value {
    let mut set = Set::default();
    items.iter().for_each(|item| set.insert(item.clone()).expect("shallow"));
    Value::Set(Arc::new(set))
}

fn map(entries: &[(Value, Value)]) -> Value {
    let mut map = Map::default();
    entries.iter().for_each(|(key, value)| map.insert(key.clone(), value.clone()).expect("shallow"));
    Value::Map(Arc::new(map))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_order_is_total(a in value(), b in value(), c in value()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a.cmp(&a.clone()), Ordering::Equal);
        prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
        let mut sorted = [a, b, c];
        sorted.sort();
        prop_assert!(sorted[0] <= sorted[1] && sorted[1] <= sorted[2] && sorted[0] <= sorted[2]);
    }

    #[test]
    fn equal_values_have_equal_fingerprints(items in vec(value(), 0..6), extra in value()) {
        let again = items.clone();
        prop_assert_eq!(Value::list(items.clone()).expect("shallow").fingerprint(), Value::list(again).expect("shallow").fingerprint());
        // A set that is built in another order is the same set.
        let mut detour = Set::default();
        for item in items.iter().rev() {
            detour.insert(extra.clone()).expect("shallow");
            detour.insert(item.clone()).expect("shallow");
        }
        if !items.contains(&extra) {
            detour.remove(&extra);
        }
        let (straight, detour) = (set(&items), Value::Set(Arc::new(detour)));
        prop_assert_eq!(&straight, &detour);
        prop_assert_eq!(straight.fingerprint(), detour.fingerprint());
    }

    #[test]
    fn integers_order_by_size(a: i128, b: i128) {
        prop_assert_eq!(Value::big(a.into()).cmp(&Value::big(b.into())), a.cmp(&b));
    }

    #[test]
    fn strings_order_by_code_points(a in ".{0,20}", b in ".{0,20}") {
        prop_assert_eq!(Value::string(&a).cmp(&Value::string(&b)), a.cmp(&b));
    }

    #[test]
    fn some_is_reversible(inner in value()) {
        prop_assert_eq!(inner.clone().some().unwrap_some(), inner.clone());
        prop_assert_ne!(inner.some(), Value::Nil);
    }
}
