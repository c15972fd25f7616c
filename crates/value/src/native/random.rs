//! `Random`: draws from the random source of a node.
//!
//! A draw is a function of the node's key and of the call site in the specification: the same program draws the same
//! values however often and in whatever order its rules are evaluated, and two calls at one node are independent.
//! `Random:split` derives another source from a node and any value, for a call site that draws many times.

use super::{Args, Definition, Run, position, wrong};
use crate::failure::FailureKind;
use crate::value::{List, Node, Value};
use polysmith_random::Stream;

const fn draw(
    name: &'static str,
    arity: usize,
    run: fn(&mut Args<'_>) -> Result<Value, FailureKind>,
) -> Definition {
    Definition { module: "Random", name, arity, run: Run::Draw(run) }
}

pub(super) const TABLE: &[Definition] = &[
    draw("int", 3, |args| {
        let (low, high) = (args.int(1)?, args.int(2)?);
        if low > high {
            return Err(FailureKind::Argument(format!("no integer is in {low}..={high}")));
        }
        // Unsigned arithmetic gives the right distance even from the least to the greatest integer.
        let distance = high.cast_unsigned().wrapping_sub(low.cast_unsigned());
        let drawn = stream(args)?.between(0, distance);
        Ok(Value::Int(low.wrapping_add(drawn.cast_signed())))
    }),
    draw("bool", 1, |args| Ok(Value::Bool(stream(args)?.chance(1, 2)))),
    draw("chance", 3, |args| {
        let (yes, of) = (u64::try_from(args.int(1)?), u64::try_from(args.int(2)?));
        match (yes, of) {
            (Ok(yes), Ok(of)) if of > 0 => Ok(Value::Bool(stream(args)?.chance(yes, of))),
            _ => Err(FailureKind::Argument("chances are not negative, and of at least 1".to_owned())),
        }
    }),
    draw("pick", 2, |args| {
        let list = args.list(1)?;
        stream(args)?.pick(list.as_slice()).cloned().ok_or(FailureKind::Empty("Random:pick"))
    }),
    draw("shuffle", 2, |args| {
        let mut items = args.list(1)?.as_slice().to_vec();
        args.charge(items.len());
        stream(args)?.shuffle(&mut items);
        Ok(Value::list(items)?)
    }),
    draw("some", 3, |args| {
        let (mut items, wanted) = (args.list(1)?.as_slice().to_vec(), args.int(2)?);
        args.charge(items.len());
        position(wanted, items.len() + 1)?;
        stream(args)?.shuffle(&mut items);
        items.truncate(usize::try_from(wanted).unwrap_or(0));
        Ok(Value::List(List::new(items)?))
    }),
    Definition { module: "Random", name: "split", arity: 2, run: Run::Plain(split) },
];

/// The stream of the node (first argument) at the call site (last argument).
fn stream(args: &Args<'_>) -> Result<Stream, FailureKind> {
    let site = args.values.last().and_then(Value::as_int).unwrap_or(0);
    match &args.values[0] {
        Value::Node(node) => Ok(Stream::keyed(&[node.key(), site.cast_unsigned()])),
        other => Err(wrong("a node", other)),
    }
}

fn split(args: &mut Args<'_>) -> Result<Value, FailureKind> {
    let Value::Node(node) = &args.values[0] else { return Err(wrong("a node", &args.values[0])) };
    // Use the text, not the fingerprint: drawn values must not change between versions.
    let shown = args.shapes.show(&args.values[1]);
    let mut words: Vec<u64> = vec![node.key(), shown.len() as u64];
    words.extend(shown.as_bytes().chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    }));
    Ok(Value::Node(Node::new(node.id(), Stream::keyed(&words).next_u64())))
}
