//! `String` and `Int`.

use super::{Definition, length, plain, position, wrong};
use crate::arithmetic;
use crate::failure::FailureKind;
use crate::value::{Text, Value};
use dashu_int::IBig;

/// The maximum length of a string that one call creates, in bytes.
const MAX_STRING: usize = 16_000_000;

fn text(text: String) -> Result<Value, FailureKind> {
    if text.len() > MAX_STRING {
        return Err(FailureKind::Argument(format!("a string of more than {MAX_STRING} bytes")));
    }
    Ok(Value::Str(Text::from_string(text)))
}

pub(super) const TABLE: &[Definition] = &[
    plain("String", "of", 1, |args| {
        if let Value::Int(integer) = args.values[0] {
            return Ok(Value::Str(small_number(integer)));
        }
        let mut out = String::new();
        args.shapes.print(&args.values[0], &mut out);
        args.charge(out.len());
        text(out)
    }),
    plain("String", "join", 2, |args| {
        let list = args.list(0)?;
        let parts: Vec<&str> = list.as_slice().iter().map(|part| part.as_str().unwrap_or_default()).collect();
        let joined = parts.join(args.str(1)?);
        args.charge(joined.len());
        text(joined)
    }),
    plain("String", "repeat", 2, |args| {
        let times = usize::try_from(args.int(1)?.max(0)).unwrap_or(usize::MAX);
        let part = args.str(0)?;
        if part.len().saturating_mul(times) > MAX_STRING {
            return Err(FailureKind::Argument(format!("a string of more than {MAX_STRING} bytes")));
        }
        let repeated = part.repeat(times);
        args.charge(repeated.len());
        text(repeated)
    }),
    plain("String", "chars", 1, |args| {
        let characters = args.str(0)?.chars().map(|one| Value::string(one.encode_utf8(&mut [0; 4])));
        let characters: Vec<Value> = characters.collect();
        args.charge(characters.len());
        Ok(Value::list(characters)?)
    }),
    plain("String", "slice", 3, |args| {
        let clamp = |at: i64| usize::try_from(at.max(0)).unwrap_or(usize::MAX);
        let (from, to) = (clamp(args.int(1)?), clamp(args.int(2)?));
        let part: String = args.str(0)?.chars().take(to).skip(from).collect();
        args.charge(to.min(part.len() + from));
        text(part)
    }),
    plain("String", "at", 2, |args| {
        let (whole, at) = (args.str(0)?, args.int(1)?);
        let found = usize::try_from(at).ok().and_then(|at| whole.chars().nth(at));
        let found = found.ok_or_else(|| FailureKind::OutOfRange(at, whole.chars().count()))?;
        Ok(Value::string(found.encode_utf8(&mut [0; 4])))
    }),
    plain("String", "contains", 2, |args| Ok(Value::Bool(args.str(0)?.contains(args.str(1)?)))),
    plain("String", "starts_with", 2, |args| Ok(Value::Bool(args.str(0)?.starts_with(args.str(1)?)))),
    plain("String", "ends_with", 2, |args| Ok(Value::Bool(args.str(0)?.ends_with(args.str(1)?)))),
    plain("String", "replace", 3, |args| {
        let replaced = args.str(0)?.replace(args.str(1)?, args.str(2)?);
        args.charge(replaced.len());
        text(replaced)
    }),
    plain("String", "split", 2, |args| {
        let parts: Vec<Value> = args.str(0)?.split(args.str(1)?).map(Value::string).collect();
        args.charge(parts.len());
        Ok(Value::list(parts)?)
    }),
    plain("String", "upper", 1, |args| text(args.str(0)?.to_uppercase())),
    plain("String", "lower", 1, |args| text(args.str(0)?.to_lowercase())),
    plain("String", "size", 1, |args| Ok(length(args.str(0)?.chars().count()))),
    plain("String", "code", 1, |args| {
        let first = args.str(0)?.chars().next().ok_or(FailureKind::Empty("String:code"))?;
        Ok(Value::Int(i64::from(u32::from(first))))
    }),
    plain("String", "from_code", 1, |args| {
        let code = args.int(0)?;
        let found = u32::try_from(code).ok().and_then(char::from_u32);
        let found =
            found.ok_or_else(|| FailureKind::Argument(format!("{code} is not the number of a character")))?;
        Ok(Value::string(found.encode_utf8(&mut [0; 4])))
    }),
    plain("String", "to_int", 1, |args| Ok(arithmetic::parse(args.str(0)?).unwrap_or(Value::Nil))),
    plain("Int", "pow", 2, |args| {
        let exponent = u32::try_from(args.int(1)?);
        let exponent =
            exponent.map_err(|_| FailureKind::Argument("a negative or huge exponent".to_owned()))?;
        arithmetic::power(&args.values[0], exponent)
    }),
    plain("Int", "bit_and", 2, |args| bits(&args.values[0], &args.values[1], |a, b| a & b)),
    plain("Int", "bit_or", 2, |args| bits(&args.values[0], &args.values[1], |a, b| a | b)),
    plain("Int", "bit_xor", 2, |args| bits(&args.values[0], &args.values[1], |a, b| a ^ b)),
    plain("Int", "digits", 2, |args| {
        let base = args.int(1)?;
        let base = position(base, 37).ok().filter(|base| *base >= 2);
        let base = base.ok_or_else(|| FailureKind::Argument("a base is 2 to 36".to_owned()))?;
        let number =
            arithmetic::to_big(&args.values[0]).ok_or_else(|| wrong("an integer", &args.values[0]))?;
        text(number.in_radix(u8::try_from(base).unwrap_or(10)).to_string())
    }),
];

/// Formats an integer without allocating: numbers in names are what specifications print most.
fn small_number(integer: i64) -> Text {
    let mut digits = [0_u8; 20];
    let (mut at, mut rest) = (digits.len(), integer.unsigned_abs());
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).expect("a digit");
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if integer < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    Text::new(std::str::from_utf8(&digits[at..]).expect("digits are ASCII"))
}

fn bits(a: &Value, b: &Value, op: impl Fn(IBig, IBig) -> IBig) -> Result<Value, FailureKind> {
    match (arithmetic::to_big(a), arithmetic::to_big(b)) {
        (Some(a), Some(b)) => Ok(Value::big(op(a, b))),
        _ => Err(wrong("integers", a)),
    }
}
