//! Integer arithmetic: 64 bits while the result fits, arbitrary precision otherwise.

use crate::failure::FailureKind;
use crate::value::Value;
use dashu_int::IBig;
use dashu_int::ops::BitTest;
use std::str::FromStr;

/// The maximum size of an integer in bits: larger than any useful constant, small enough that repeated squaring stops.
pub const MAX_INT_BITS: usize = 1 << 20;

/// Converts an integer of either form to an `IBig`.
pub(crate) fn to_big(value: &Value) -> Option<IBig> {
    match value {
        Value::Int(integer) => Some(IBig::from(*integer)),
        Value::Big(integer) => Some((**integer).clone()),
        _ => None,
    }
}

fn checked(integer: IBig) -> Result<Value, FailureKind> {
    if integer.bit_len() > MAX_INT_BITS { Err(FailureKind::IntSize) } else { Ok(Value::big(integer)) }
}

fn both(a: &Value, b: &Value) -> Result<(IBig, IBig), FailureKind> {
    to_big(a).zip(to_big(b)).ok_or_else(|| FailureKind::Argument("expected two integers".to_owned()))
}

pub(crate) fn add(a: &Value, b: &Value) -> Result<Value, FailureKind> {
    let (a, b) = both(a, b)?;
    checked(a + b)
}

pub(crate) fn sub(a: &Value, b: &Value) -> Result<Value, FailureKind> {
    let (a, b) = both(a, b)?;
    checked(a - b)
}

pub(crate) fn mul(a: &Value, b: &Value) -> Result<Value, FailureKind> {
    let (a, b) = both(a, b)?;
    if a.bit_len() + b.bit_len() > MAX_INT_BITS + 1 {
        return Err(FailureKind::IntSize);
    }
    checked(a * b)
}

/// Integer division that truncates towards zero, as in the language of LALA's original implementation.
pub(crate) fn div(a: &Value, b: &Value) -> Result<Value, FailureKind> {
    let (a, b) = both(a, b)?;
    if b == IBig::ZERO { Err(FailureKind::DivisionByZero) } else { checked(a / b) }
}

/// The remainder of [`div`]; it has the sign of the dividend.
pub(crate) fn rem(a: &Value, b: &Value) -> Result<Value, FailureKind> {
    let (a, b) = both(a, b)?;
    if b == IBig::ZERO { Err(FailureKind::DivisionByZero) } else { checked(a % b) }
}

pub(crate) fn power(base: &Value, exponent: u32) -> Result<Value, FailureKind> {
    let base = to_big(base).ok_or_else(|| FailureKind::Argument("expected an integer".to_owned()))?;
    if base.bit_len().saturating_mul(exponent as usize) > MAX_INT_BITS {
        return Err(FailureKind::IntSize);
    }
    checked(base.pow(exponent as usize))
}

/// Parses decimal digits with an optional `-`.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    // A decimal digit takes more than three bits, so longer texts may exceed `MAX_INT_BITS`.
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || digits.len() > MAX_INT_BITS / 4 {
        return None;
    }
    text.parse::<i64>().map(Value::Int).ok().or_else(|| IBig::from_str(text).ok().map(Value::big))
}
